from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import PathBlocked
from engine.paths import canonical, clashes, creation_problem, folded, look_alike

ROOT = "/home/me/shop"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.py", "a.py"),
        ("./a//b", "a/b"),
        ("a/./b", "a/b"),
        ("/home/me/shop/src/a.py", "src/a.py"),
        ("/home//me/./shop/a.py", "a.py"),
        ("/link/shop/a.py", "a.py"),
        ("~/x", "~/x"),
        ("-rf", "-rf"),
        ("[/red]", "[/red]"),
        ("a b.py", "a b.py"),
        ("...", "..."),
        (".github/x", ".github/x"),
        (".gitignore", ".gitignore"),
        ("digit~1", "digit~1"),
        ("\udcff.py", "\udcff.py"),
        ("\udcc3\udca9.py", "é.py"),
        ("a\nb", "a\nb"),
        ("n" * 255, "n" * 255),
    ],
)
def test_one_spelling(path: str, expected: str) -> None:
    assert canonical(path, ROOT, ["/link/shop/"]) == expected


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("/etc/passwd", "absolute"),
        ("/home/me/shopping/a", "absolute"),
        ("//home/me/shop", "no file"),
        ("/home/me/shop/../x", "'..'"),
        ("../x", "'..'"),
        ("a/../../x", "'..'"),
        ("a/..", "'..'"),
        ("..", "'..'"),
        ("a/", "directory"),
        ("", "empty"),
        (" \t", "empty"),
        ("a/ /b", "white space"),
        (".", "no file"),
        ("a\0b", "NUL"),
        ("é" * 128, "too long"),
        ("a/" * 2048 + "b", "too long"),
        ("a/" * 1500 + "b", "too long"),
        ("..\\..\\x", "backslash"),
        ("C:\\x", "drive"),
        ("c:x", "drive"),
        ("\\\\srv\\x", "backslash"),
        ("\ud800", "surrogate"),
        (".git/config", "git"),
        (".git", "git"),
        ("sub/.GIT/hooks/x", "git"),
        (".git./x", "git"),
        (".git /x", "git"),
        (".g\u200cit/x", "git"),
        (".g\udce2\udc80\udc8cit/x", "git"),
        ("git~1/x", "git"),
        (".git::$INDEX_ALLOCATION/x", "git"),
        (".hunkdeck/journal", "hunkdeck"),
        (".Hunkdeck", "hunkdeck"),
        (".hun\u212adeck/x", "hunkdeck"),
        ("src/.hunkdeck-1234", "hunkdeck"),
    ],
)
def test_blocked(path: str, word: str) -> None:
    with pytest.raises(PathBlocked) as caught:
        canonical(path, ROOT)
    assert word in caught.value.reason
    assert caught.value.path == path


@settings(max_examples=300)
@given(st.text(st.sampled_from("aA./\\~:. \0\u200b\ud800\udcffgité"), max_size=12))
def test_whatever_passes_is_contained_and_stays_put(path: str) -> None:
    try:
        result = canonical(path, ROOT)
    except PathBlocked:
        return
    parts = result.split("/")
    assert not {"", ".", ".."} & set(parts)
    assert ".git" not in [folded(part) for part in parts]
    assert canonical(result, ROOT) == canonical(f"{ROOT}/{result}", ROOT) == result


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("a\nb", "control"),
        ("a/\x1b[2J", "control"),
        ("a\x9bb", "control"),
        ("\u202egpj.sh", "direction"),
        ("x.py ", "dot or a space"),
        ("dir./x", "dot or a space"),
        ("a:b", "colon"),
        ("CON", "device"),
        ("src/nul.txt", "device"),
        ("Com1.tar.gz", "device"),
        ("GIT~2", "git"),
    ],
)
def test_names_that_cannot_be_created(path: str, word: str) -> None:
    assert word in (creation_problem(path) or "")


@pytest.mark.parametrize("path", ["src/a.py", "console.py", "com10", "null", "a.b/c d", "é.py", "..x"])
def test_names_that_can(path: str) -> None:
    assert creation_problem(path) is None


@pytest.mark.parametrize(
    ("path", "siblings", "twin"),
    [
        ("docs/readme", ["README", "x"], "README"),
        ("é.py", [unicodedata.normalize("NFD", "é.py")], unicodedata.normalize("NFD", "é.py")),
        ("STRASSE", ["straße"], "straße"),
        ("readme", ["readme", "README"], None),
        ("a.py", ["b.py", "aa.py"], None),
    ],
)
def test_clashes(path: str, siblings: list[str], twin: str | None) -> None:
    assert clashes(path, siblings) == twin


@pytest.mark.parametrize(
    ("name", "siblings", "twin"),
    [
        ("аpp.py", ["app.py"], "app.py"),
        ("app\u200b.py", ["app.py"], "app.py"),
        ("app.py", ["app\u200b.py"], "app\u200b.py"),
        ("ρarse.py", ["parse.py"], "parse.py"),
        ("ａpp.py", ["app.py"], "app.py"),
        ("app.py", ["app.py", "аpp.py"], None),
        ("app.py", ["apq.py"], None),
    ],
)
def test_look_alikes(name: str, siblings: list[str], twin: str | None) -> None:
    assert look_alike(name, siblings) == twin
