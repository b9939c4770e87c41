"""The file names of a diff: git's quoting, timestamps behind the name, and one rule for prefixes.

The rule: with `diff --git`, a prefix of one letter or digit (`a/ b/`, `i/ w/`, …) goes where the two names have
different ones. Without it, `a/` and `b/` go where both names have theirs, and so do two first components that are all
that the names differ in. Everything else stays as written (`-p0`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

DEV_NULL = "/dev/null"
_PREFIX = re.compile(r"[abciow12]/")
_ESCAPE = re.compile(rb'\\(?:([0-3][0-7]{2})|([abtnvfr"\\]))')
_LETTERS = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')
_DATE = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d) (?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:\.(?P<fraction>\d+))?"
    r"(?: (?P<sign>[-+])(?P<zone_hour>\d\d):?(?P<zone_minute>\d\d))?\Z"
)
_DATE_BEHIND = re.compile(r"(?<! ) ++(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S*(?: [-+]\d\d:?\d\d)?)\Z")


@dataclass(frozen=True, slots=True)
class Name:
    """What a `---` or `+++` line says: a name, and whether the file exists on that side."""

    path: str
    missing: bool = False
    """/dev/null, or a timestamp that says so."""


def header_name(rest: str) -> Name | None:
    """The name behind `---` or `+++`; None where its quoting is broken."""
    rest = rest.removeprefix(" ").rstrip("\r")
    if rest.startswith('"'):
        quoted = _QUOTED.match(rest)
        path = unquote(quoted.group()) if quoted else None
        # Some tools quote the prefix alone: "a/"name
        return None if path is None or quoted is None else Name(path + rest[quoted.end() :].split("\t")[0])
    path, tab, behind = rest.rpartition("\t")
    if not tab:
        path, behind = behind, ""
        if dated := _DATE_BEHIND.search(path):
            path, behind = path[: dated.start()], dated[1]
    return Name(path, missing=path == DEV_NULL or _is_epoch(behind))


def _is_epoch(stamp: str) -> bool:
    """The first second of 1970, in whatever time zone: how `diff -N` writes that a file does not exist."""
    match = _DATE.match(stamp.strip())
    if not match or match["second"] != "00" or (match["fraction"] or "").strip("0"):
        return False
    minutes = int(match["hour"]) * 60 + int(match["minute"])
    offset = int(match["zone_hour"] or 0) * 60 + int(match["zone_minute"] or 0)
    minutes -= -offset if match["sign"] == "-" else offset
    return (match["day"], minutes) in (("1970-01-01", 0), ("1969-12-31", 24 * 60))


def unquote(text: str) -> str | None:
    """A name in git's double quotes, with its octal bytes decoded; None where it is malformed."""
    body = text[1:-1].encode("utf-8", "surrogateescape")
    if b"\\" in _ESCAPE.sub(b"", body):
        return None
    decoded = _ESCAPE.sub(lambda m: bytes([int(m[1], 8)]) if m[1] else _LETTERS.get(m[2], m[2]), body)
    return decoded.decode("utf-8", "surrogateescape")


def git_names(rest: str) -> tuple[str, str] | None:
    """The two names of a `diff --git` line; None where spaces make them ambiguous."""
    quoted = _QUOTED.match(rest)
    if quoted:
        old, rest = unquote(quoted.group()), rest[quoted.end() :].removeprefix(" ")
        new = unquote(rest) if rest.startswith('"') and rest.endswith('"') else rest
    elif rest.endswith('"') and ' "' in rest:
        old, _, tail = rest.partition(' "')
        new = unquote(f'"{tail}')
    else:
        middle = len(rest) // 2
        old, new = rest[:middle], rest[middle + 1 :]
        if rest[middle : middle + 1] != " " or _without_prefix(old) != _without_prefix(new):
            return _two_words(rest)
    return None if old is None or new is None else (old, new)


def _two_words(rest: str) -> tuple[str, str] | None:
    words = rest.split(" ")
    return (words[0], words[1]) if len(words) == 2 else None


def _without_prefix(name: str) -> str:
    return name[2:] if _PREFIX.match(name) else name


def strip_git(old: str, new: str) -> tuple[str, str]:
    """Both names of a git diff without their prefixes."""
    if old != DEV_NULL and new != DEV_NULL and old[:2] == new[:2]:
        return old, new
    return _without_prefix(old), _without_prefix(new)


def strip_plain(old: str, new: str) -> tuple[str, str]:
    """Both names of any other diff without their prefixes."""
    if old.startswith("a/") and new == DEV_NULL:
        return old[2:], new
    if new.startswith("b/") and old == DEV_NULL:
        return old, new[2:]
    if old.startswith("a/") and new.startswith("b/"):
        return old[2:], new[2:]
    old_rest, new_rest = old.partition("/")[2], new.partition("/")[2]
    if old != new and old_rest and old_rest == new_rest and not old.startswith("/"):
        return old_rest, new_rest
    return old, new
