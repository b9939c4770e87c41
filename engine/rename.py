"""Rename with flags, which the standard library lacks: `renameat2` on Linux, `renameatx_np` on macOS."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from enum import Enum
from functools import cache

_NO_SUCH_FLAG = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


class Flag(Enum):
    EXCHANGE = "exchange"
    """Swap the two names in one instant."""
    NO_REPLACE = "no replace"
    """Fail if the new name is taken."""


def rename_with(flag: Flag, directory: int, old: str, new: str) -> bool:
    """Rename within a directory; False where the platform or the file system does not know the flag."""
    native = _native()
    if native is None:
        return False
    import ctypes

    function, flags = native
    if function(directory, os.fsencode(old), directory, os.fsencode(new), flags[flag]) == 0:
        return True
    code = ctypes.get_errno()
    if code in _NO_SUCH_FLAG:
        return False
    raise OSError(code, os.strerror(code), new)


@cache
def _native() -> tuple[Callable[..., int], dict[Flag, int]] | None:
    """The C library's function and its flags; None where there is none. Not at import: ctypes is slow to load."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    known = {
        "renameat2": {Flag.NO_REPLACE: 1, Flag.EXCHANGE: 2},
        "renameatx_np": {Flag.NO_REPLACE: 4, Flag.EXCHANGE: 2},
    }
    for symbol, flags in known.items():
        function = getattr(library, symbol, None)
        if function is not None:
            function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
            return function, flags
    return None
