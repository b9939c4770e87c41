"""One module per command: `add_arguments(parser)`, `run(args) -> int`, and an example for `--help`."""
