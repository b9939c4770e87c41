"""One target for atheris: `python -m tests.battery.slow.fuzz TARGET -max_total_time=20`.

A target is a format, `any` (recognised by content) or `safe_text`. Any bytes give a proposal or a clear error; nothing
forbidden comes out of `safe_text`. Whatever else is raised ends the run with exit code 77, and prints the input.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["engine"]):
    from engine.errors import HunkdeckError
    from engine.formats import parse
    from engine.safe_text import safe_block

from tests.battery.command import assert_clean


def fuzz_format(format: str | None, data: bytes) -> None:
    try:
        parse(data, format=format)
    except HunkdeckError as refused:
        assert_clean(safe_block(str(refused)))


def fuzz_safe_text(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    shown = safe_block(text)
    assert_clean(shown)
    assert safe_block(shown) == shown


def main(target: str, options: list[str]) -> None:
    def one(data: bytes) -> None:
        if target == "safe_text":
            fuzz_safe_text(data)
        else:
            fuzz_format(None if target == "any" else target, data)

    atheris.Setup([sys.argv[0], *options], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
