"""`gamewire join` as a script runs it, and what it told."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

# The command under test; set once, before anything runs.
GAMEWIRE = Path("gamewire")


@dataclass
class Visit:
    """How a run of the command went."""

    code: int
    events: list[dict[str, Any]]
    talk: str

    def all(self, kind: str) -> list[dict[str, Any]]:
        """All events of a kind."""
        return [event for event in self.events if event["event"] == kind]

    def one(self, kind: str) -> dict[str, Any]:
        """The only event of a kind."""
        found = self.all(kind)
        assert len(found) == 1, f"{len(found)} events `{kind}` instead of one; {self}"
        return found[0]

    @property
    def summary(self) -> dict[str, Any]:
        """The figures at the end."""
        return self.one("summary")

    def __str__(self) -> str:
        told = "\n".join(json.dumps(event) for event in self.events if event["event"] != "snapshot")
        return f"exit {self.code}\n{told}\n{self.talk}"


def run(*arguments: str, limit: float = 60) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end."""
    return subprocess.run(
        [GAMEWIRE, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit, check=False
    )


def join(url: str, *arguments: str, limit: float = 60) -> Visit:
    """Joins, to the end."""
    return visit(run("join", url, "--json", *arguments, limit=limit))


def visit(ended: subprocess.CompletedProcess[str]) -> Visit:
    """What a run with --json told."""
    events = [json.loads(line) for line in ended.stdout.splitlines()]
    return Visit(ended.returncode, events, ended.stderr)


def json_of(ended: subprocess.CompletedProcess[str]) -> Any:
    """The only line of a run."""
    (line,) = ended.stdout.splitlines()
    return json.loads(line)


class Guest:
    """A player that stays while something else is looked at."""

    def __init__(self, url: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [GAMEWIRE, "join", url, "--json", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def says(self, line: str) -> None:
        """Types a line of chat."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait_for(self, kind: str) -> dict[str, Any]:
        """Reads on to the next event of a kind."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            event: dict[str, Any] = json.loads(line)
            if event["event"] == kind:
                return event
        raise AssertionError(f"it ended before `{kind}`")

    def end(self, limit: float = 30) -> Visit:
        """Waits for its end; the events are those not yet read."""
        out, err = self.process.communicate(timeout=limit)
        code: Optional[int] = self.process.returncode
        assert code is not None
        return visit(subprocess.CompletedProcess([], code, out, err))
