"""Agents and the app as real processes, killed at random moments, until every proposal has its verdict.

A round: one or two agents submit a proposal of three hunks each and wait; the app runs in a terminal, keys are pressed
without looking; one of them is killed somewhere in the middle and started again. Then `audit` asks whether every
proposal ever seen has exactly one final result, whether anybody was told something else, and whether the files are what
the results say.

    python -m tests.faults.kill_rounds 1000 [SEED]
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.tui.terminal import Terminal

HUNKDECK = (sys.executable, str(Path(__file__).resolve().parents[2] / "hunkdeck.py"))
CTRL_S, ENTER = "\x13", "\r"
OLD = ("alpha", "beta", "gamma")
NEW = tuple(word.upper() for word in OLD)
PATIENCE = 60.0
"""Seconds until a round that does not end is a failure by itself."""
_LONGEST_PAUSE = 0.04
_LOOKS_AGAIN = 5.0
"""Seconds after which a person who sees nothing of a proposal opens the app again."""
_LATEST_KILL = 1.2
"""Seconds after the start of a round; by then it is mostly over."""


# ---------------------------------------------------------------- the two sides


class Agent:
    """One `hunkdeck submit --wait`; killed, it waits for the id that it had read, or submits again."""

    def __init__(self, root: Path, name: str) -> None:
        self.root = root
        self.proposal = root / "proposals" / f"{name}.json"
        self.proposal.parent.mkdir(exist_ok=True)
        (root / f"{name}.txt").write_text("\n".join(OLD) + "\n")
        edits = [
            {"file_path": f"{name}.txt", "old_string": old, "new_string": new}
            for old, new in zip(OLD, NEW, strict=True)
        ]
        self.proposal.write_text(json.dumps({"description": name, "atomic": False, "edits": edits}))
        self._out, self._err = (self.proposal.with_suffix(ending) for ending in (".out", ".err"))
        self.acknowledged: set[str] = set()
        self._start("submit", str(self.proposal), "--wait", str(PATIENCE))

    def _start(self, *command: str) -> None:
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.process = subprocess.Popen(
                [*HUNKDECK, *command, "--json"], cwd=self.root, stdout=out, stderr=err, stdin=subprocess.DEVNULL
            )

    def kill(self) -> None:
        """Killed, and started again by whoever runs it."""
        self.process.kill()
        self.process.wait()
        known = self._id()
        if known is None:
            self._start("submit", str(self.proposal), "--wait", str(PATIENCE))
        else:
            self._start("wait", known, "--timeout", str(PATIENCE))

    def _id(self) -> str | None:
        said = self._err.read_text().partition("submitted as ")[2].partition("\n")
        if said[1]:
            self.acknowledged.add(said[0])
            return said[0]
        return max(self.acknowledged, default=None)

    @property
    def done(self) -> bool:
        return self.process.poll() is not None

    def told(self) -> dict[str, object]:
        """The verdict as the agent read it."""
        self._id()
        text = self._out.read_text()
        if self.process.returncode not in (0, 1, 3):
            raise AssertionError(f"the agent ended with {self.process.returncode}: {text} {self._err.read_text()}")
        verdict: dict[str, object] = json.loads(text)
        return verdict


class Reviewer:
    """The app, and somebody who presses keys without looking."""

    def __init__(self, root: Path, rng: random.Random) -> None:
        self._root = root
        self._rng = rng
        self._keys: Iterator[str] = iter(())
        self.reopened = 0
        self.terminal = self._open()

    def _open(self) -> Terminal:
        self._opened = time.time()
        home = {"XDG_CONFIG_HOME": str(self._root / "none")}
        return Terminal([*HUNKDECK, "watch"], cwd=str(self._root), env=home, emulate=False)

    def press(self) -> None:
        """The next key of a review; takes in what the app draws."""
        if self.terminal.process.poll() is not None:
            raise AssertionError(f"the app ended with {self.terminal.process.returncode}")
        if self._overlooked():
            self.reopened += 1
            self.kill()
        key = next(self._keys, None)
        if key is None:
            decisions = [self._rng.choice("yyn") for _ in range(self._rng.randrange(4))]
            self._keys = iter([*decisions, "A", CTRL_S, ENTER, ENTER])
            key = next(self._keys)
        self.terminal.press(key)
        self.breathe()

    def _overlooked(self) -> bool:
        """A proposal came after the app was opened, and nothing has become of it."""
        return any(self._opened < _came(path) < time.time() - _LOOKS_AGAIN for path in _open_files(self._root))

    def breathe(self) -> None:
        self.terminal.settle(self._rng.uniform(0, _LONGEST_PAUSE))

    def kill(self) -> None:
        self.terminal.close()
        self._keys = iter(())
        self.terminal = self._open()


# ---------------------------------------------------------------- rounds


class Rounds:
    """Many rounds in one workspace. `problems` says what went wrong."""

    def __init__(self, root: Path, seed: int) -> None:
        self._rng = random.Random(seed)
        self._root = root
        (root / ".git").mkdir(parents=True)
        self._number = 0
        self._reviewer = Reviewer(root, self._rng)
        self._finals: dict[str, bytes] = {}
        self.acknowledged: set[str] = set()
        self.kills = {"agent": 0, "reviewer": 0}
        self.problems: list[str] = []

    @property
    def reopened(self) -> int:
        return self._reviewer.reopened

    def close(self) -> None:
        self._reviewer.terminal.close()

    def __enter__(self) -> Rounds:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self) -> None:
        """One round, and a look at everything."""
        self._number += 1
        agents = [Agent(self._root, f"r{self._number}-{n}") for n in range(self._rng.randint(1, 2))]
        try:
            self._review(agents)
            for agent in agents:
                self._check_told(agent.told())
                self.acknowledged |= agent.acknowledged
        except AssertionError as problem:
            self.problems.append(f"round {self._number}: {problem}")
        finally:
            for agent in agents:
                agent.process.kill()
                agent.process.wait()
        found = audit(self._root, self.acknowledged, self._finals)
        self.problems += [f"round {self._number}: {problem}" for problem in found]

    def _review(self, agents: list[Agent]) -> None:
        victim = self._rng.choice(("agent", "reviewer"))
        kill_at = time.monotonic() + self._rng.uniform(0, _LATEST_KILL)
        deadline = time.monotonic() + PATIENCE
        killed = False
        while not (killed and all(agent.done for agent in agents)):
            if not killed and (time.monotonic() >= kill_at or all(agent.done for agent in agents)):
                (self._rng.choice(agents) if victim == "agent" else self._reviewer).kill()
                self.kills[victim] += 1
                killed = True
            if time.monotonic() > deadline:
                raise AssertionError("it does not come to an end")
            self._reviewer.press()
        while open_proposals(self._root) and time.monotonic() < deadline:
            self._reviewer.press()  # what an agent submitted and was killed before it knew

    def _check_told(self, told: dict[str, object]) -> None:
        beside = self._root / ".hunkdeck" / "queue" / f"{told['proposal']}.result.json"
        if not beside.exists() or json.loads(beside.read_bytes()) != told:
            raise AssertionError(f"{told['proposal']}: the agent was told something else")


# ---------------------------------------------------------------- the audit


def open_proposals(root: Path) -> list[str]:
    return [path.stem for path in _open_files(root)]


def _open_files(root: Path) -> list[Path]:
    queue = root / ".hunkdeck" / "queue"
    return [path for path in queue.glob("*.json") if not path.name.endswith(".result.json")]


def _came(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # it has its verdict by now
        return 0.0


def audit(root: Path, acknowledged: set[str], finals: dict[str, bytes]) -> list[str]:
    """What is wrong. `finals` keeps every final result ever seen: none may change."""
    queue = root / ".hunkdeck" / "queue"
    done = queue / "done"
    seen = {path.stem for path in done.glob("*.json") if not path.name.endswith(".result.json")}
    problems = [f"{name}: lost" for name in sorted(acknowledged - seen)]
    problems += [f"{name}: still waits" for name in open_proposals(root)]
    applied: dict[str, set[int]] = {}
    for name in sorted(seen):
        beside, kept = _read(queue / f"{name}.result.json"), _read(done / f"{name}.result.json")
        if beside is None or kept is None:
            problems.append(f"{name}: no final result")
            continue
        if beside != kept or finals.setdefault(name, beside) != beside:
            problems.append(f"{name}: more than one final result")
        told = json.loads(beside)
        if not told["final"]:
            problems.append(f"{name}: the result is not final")
        if {hunk["index"] for hunk in told["results"]} != set(range(len(OLD))):
            problems.append(f"{name}: a hunk is missing")
        applied.setdefault(told["results"][0]["file_path"], set()).update(told["applied"])
    return problems + [problem for file, hunks in applied.items() for problem in _file_problems(root / file, hunks)]


def _file_problems(file: Path, applied: set[int]) -> Iterator[str]:
    wanted = [new if n in applied else old for n, (old, new) in enumerate(zip(OLD, NEW, strict=True))]
    if file.read_text() != "\n".join(wanted) + "\n":
        yield f"{file.name}: not what the results say"


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


class Played(NamedTuple):
    """What came of many rounds."""

    kills: dict[str, int]
    reopened: int
    """How often the app had to be opened again to see a proposal."""
    problems: list[str]


def play(count: int, seed: int) -> Played:
    """`count` rounds, with a new workspace for every hundred."""
    kills = {"agent": 0, "reviewer": 0}
    reopened = 0
    problems: list[str] = []
    for start in range(0, count, 100):
        with tempfile.TemporaryDirectory() as home, Rounds(Path(home, "shop"), seed + start) as rounds:
            for _ in range(min(100, count - start)):
                rounds.play()
            kills = {side: kills[side] + rounds.kills[side] for side in kills}
            reopened += rounds.reopened
            problems += rounds.problems
    return Played(kills, reopened, problems)


if __name__ == "__main__":
    began = time.monotonic()
    played = play(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print(f"{sys.argv[1]} rounds in {time.monotonic() - began:.0f} s: {played.kills}, reopened {played.reopened}")
    print("\n".join(["problems:", *played.problems] if played.problems else ["no problem"]))
    sys.exit(bool(played.problems))
