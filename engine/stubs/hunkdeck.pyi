# What type checkers see of the single module `hunkdeck`, installed as the package hunkdeck-stubs.
from engine import *  # noqa: F403
from engine import __all__ as __all__

__version__: str

def main() -> int: ...
