"""`gamewire join` as scripts run it, and the events it printed."""

import json
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gamewire


@dataclass
class Session:
    """The result of a run of the command."""

    code: int
    events: list[dict[str, Any]]
    stderr: str

    def all(self, kind: str) -> list[dict[str, Any]]:
        """Returns all events of a kind."""
        return [event for event in self.events if event["event"] == kind]

    def one(self, kind: str) -> dict[str, Any]:
        """Returns the only event of a kind."""
        found = self.all(kind)
        assert len(found) == 1, f"{len(found)} events `{kind}` instead of one; {self}"
        return found[0]

    @property
    def summary(self) -> dict[str, Any]:
        """The summary at the end."""
        return self.one("summary")

    def __str__(self) -> str:
        events = "\n".join(json.dumps(event) for event in self.events if event["event"] != "snapshot")
        return f"exit {self.code}\n{events}\n{self.stderr}"


def join(url: str, *arguments: str, limit: float = 60) -> Session:
    """Runs `gamewire join` to its end."""
    return session(gamewire.run("join", url, "--json", *arguments, limit=limit))


def session(ended: gamewire.Ended) -> Session:
    """Returns the session of a run with --json."""
    events = [json.loads(line) for line in ended.stdout.splitlines()]
    return Session(ended.returncode, events, ended.stderr)


def json_of(ended: gamewire.Ended) -> Any:
    """Returns the only line of a run, parsed."""
    (line,) = ended.stdout.splitlines()
    return json.loads(line)


class Player:
    """A player in the background."""

    def __init__(self, url: str, *arguments: str) -> None:
        self.arguments = ["join", url, "--json", *arguments]
        self.process = subprocess.Popen(
            [gamewire.GAMEWIRE, *self.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.errors: list[str] = []
        self.error_reader = threading.Thread(target=self.read_errors)
        self.error_reader.start()

    def read_errors(self) -> None:
        """Collects the lines of standard error."""
        assert self.process.stderr is not None
        self.errors.extend(self.process.stderr)

    def type(self, line: str) -> None:
        """Writes a line to the player's standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def command(self, name: str, /, **fields: Any) -> None:
        """Writes a command in JSON to the player's standard input."""
        self.type(json.dumps({"command": name, **fields}))

    def events(self) -> Iterator[dict[str, Any]]:
        """Returns the events that were not read yet, as they come."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            gamewire.check_output(self.arguments, [line])
            yield json.loads(line)

    def wait_for(self, kind: str) -> dict[str, Any]:
        """Reads up to the next event of a kind and returns it."""
        for event in self.events():
            if event["event"] == kind:
                return event
        raise AssertionError(f"the player ended before `{kind}`")

    def end(self, limit: float = 30) -> Session:
        """Waits for the player to end. The session has the events that were not read yet."""
        assert self.process.stdin is not None
        watchdog = threading.Timer(limit, self.process.kill)
        watchdog.start()
        self.process.stdin.close()
        rest = list(self.events())
        self.error_reader.join()
        code = self.process.wait()
        watchdog.cancel()
        return Session(code, rest, "".join(self.errors))
