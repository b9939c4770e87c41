"""`python -m tests.battery.report`: the battery's items against its tests, and whether the tests bite.

Items come from the specification beside the project (`../shared/spec/battery.md`), tests are matched by their names
(`test_B06_…`). Then each rule is switched off in turn (`rules.py`), and the items that rest on it are run again: each
must fail. `--rules NAME…` runs only these, `--fast` none; `--slow` takes tests/battery/slow along.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from tests.battery.rules import RULES, VARIABLE

PROJECT = Path(__file__).resolve().parents[2]
SPECIFICATION = PROJECT.parent / "shared" / "spec" / "battery.md"
_ITEM = re.compile(r"^([A-J]\d\d)(?:–([A-J])(\d\d))? ", re.MULTILINE)
_TEST = re.compile(r"test_([A-J]\d\d)_")
_MOST_MEMORY = 4 * 1024**3


@dataclass(frozen=True)
class Outcome:
    """One test that was run."""

    item: str
    name: str
    result: str
    """passed, failed, skipped or xfailed"""
    reason: str = ""


def items() -> list[str] | None:
    """Every number in the specification, None where that is not here."""
    if not SPECIFICATION.exists():
        return None
    found: list[str] = []
    for first, group, last in _ITEM.findall(SPECIFICATION.read_text(encoding="utf-8")):
        numbers = range(int(first[1:]), int(last or first[1:]) + 1)
        found += [f"{group or first[0]}{number:02}" for number in numbers]
    return found


def run_tests(*, only: Iterable[str] = (), without: str | None = None, slow: bool = False) -> list[Outcome]:
    """Run the battery in a process of its own, with one rule switched off where asked."""
    with tempfile.TemporaryDirectory() as directory:
        record = Path(directory, "record.xml")
        command = [sys.executable, "-m", "pytest", "tests/battery", "-q", "--tb=no", f"--junitxml={record}"]
        command += [] if slow else ["--ignore=tests/battery/slow"]
        command += ["-p", "no:cacheprovider", "-k", " or ".join(f"test_{item}_" for item in only) or "test_"]
        environment = {key: value for key, value in os.environ.items() if key != VARIABLE}
        if without is not None:
            environment[VARIABLE] = without
        if slow:
            environment["HUNKDECK_SLOW"] = "1"
        quiet = subprocess.DEVNULL
        subprocess.run(
            command, cwd=PROJECT, env=environment, stdout=quiet, stderr=quiet, preexec_fn=_limit_memory, check=False
        )
        return list(_outcomes(record)) if record.exists() else []


def _limit_memory() -> None:
    """Without a cap a test may well try to read ten gigabytes."""
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def _outcomes(record: Path) -> Iterable[Outcome]:
    for case in ElementTree.parse(record).getroot().iter("testcase"):  # our own file
        name = case.get("name", "")
        named = _TEST.match(name)
        if named:
            yield _outcome(named.group(1), name, case)


def _outcome(item: str, name: str, case: ElementTree.Element) -> Outcome:
    if case.find("failure") is not None or case.find("error") is not None:
        return Outcome(item, name, "failed")
    skipped = case.find("skipped")
    if skipped is None:
        return Outcome(item, name, "passed")
    result = "xfailed" if skipped.get("type") == "pytest.xfail" else "skipped"
    return Outcome(item, name, result, skipped.get("message", ""))


def show_items(wanted: Sequence[str], outcomes: Sequence[Outcome]) -> bool:
    """The first table; whether nothing failed and nothing is missing."""
    tested = {outcome.item for outcome in outcomes}
    print("group  items  tested  tests  passed  failed  xfailed  skipped  missing")
    for group in [*sorted({item[0] for item in wanted}), ""]:
        ours = [outcome for outcome in outcomes if outcome.item.startswith(group)]
        numbers = [item for item in wanted if item.startswith(group)]
        results = [
            sum(outcome.result == kind for outcome in ours) for kind in ("passed", "failed", "xfailed", "skipped")
        ]
        missing = sum(item not in tested for item in numbers)
        counts = (len(numbers), len(tested & set(numbers)), len(ours), *results, missing)
        widths = (7, 8, 7, 8, 8, 9, 9, 9)
        print(f"{group or 'all':5}" + "".join(f"{count:{width}}" for count, width in zip(counts, widths, strict=True)))
    _show_reasons(wanted, outcomes, tested)
    failed = any(outcome.result == "failed" for outcome in outcomes)
    return not failed and all(item in tested for item in wanted)


def _show_reasons(wanted: Sequence[str], outcomes: Sequence[Outcome], tested: set[str]) -> None:
    for kind in ("failed", "xfailed", "skipped"):
        for outcome in outcomes:
            if outcome.result == kind:
                print(f"{kind}: {outcome.name[:80]}: {outcome.reason}")
    for item in wanted:
        if item not in tested:
            print(f"MISSING: {item}: no test has its name")


def show_rules(names: Iterable[str]) -> bool:
    """The second table: with a rule switched off, the items that rest on it; whether each of them fails."""
    print("\nrule switched off                     items that rest on it, and fail")
    all_bite = True
    for name in names:
        resting = RULES[name].items.split()
        outcomes = run_tests(only=resting, without=name)
        failing = {outcome.item for outcome in outcomes if outcome.result == "failed"}
        skipped = {outcome.item for outcome in outcomes if outcome.result == "skipped"} - failing
        blunt = [item for item in resting if item not in failing | skipped]
        told = f"   NOT: {' '.join(blunt)}" if blunt else f"   skipped: {' '.join(sorted(skipped))}" if skipped else ""
        print(f"{name:36}  {len(failing)} of {len(resting)}{told}", flush=True)
        all_bite = all_bite and not blunt
    return all_bite


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fast", action="store_true", help="do not switch any rule off")
    parser.add_argument("--slow", action="store_true", help="also the sweeps that take minutes")
    parser.add_argument("--rules", nargs="+", choices=list(RULES), metavar="NAME", help="only these rules, no items")
    args = parser.parse_args(argv)
    wanted = items()
    if wanted is None:
        print(f"skipped: the list of items is not here ({SPECIFICATION.name} in shared/spec)")
        wanted = []
    complete = args.rules is not None or show_items(wanted, run_tests(slow=args.slow))
    bites = args.fast or show_rules(args.rules or RULES)
    return 0 if complete and bites else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
