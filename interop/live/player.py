"""`gamewire join` as scripts run it, and the events it printed."""

import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Union

import gamewire
from program import Watchdog

Event = dict[str, Any]
# How many events of a kind there must be, or what must be true of one of them.
Wanted = Union[int, Callable[[Event], bool]]


@dataclass
class Session:
    """The result of a run of the command."""

    code: int
    events: list[Event]
    stderr: str

    def all(self, kind: str) -> list[Event]:
        """Returns all events of a kind."""
        return [event for event in self.events if event["event"] == kind]

    def one(self, kind: str) -> Event:
        """Returns the only event of a kind."""
        found = self.all(kind)
        assert len(found) == 1, f"{len(found)} events `{kind}` instead of one; {self}"
        return found[0]

    @property
    def summary(self) -> Event:
        """The summary at the end."""
        return self.one("summary")

    def __str__(self) -> str:
        events = "\n".join(json.dumps(event) for event in self.events)
        return f"exit {self.code}\n{events}\n{self.stderr}"


def join(url: str, *arguments: str) -> Session:
    """Runs `gamewire join` to its end."""
    ended = gamewire.run("join", url, "--json", *arguments)
    return Session(ended.returncode, [json.loads(line) for line in ended.stdout.splitlines()], ended.stderr)


def visit(url: str, *arguments: str, stays: float = 0, **wanted: Wanted) -> Session:
    """Runs `gamewire join` until the events that are wanted of each kind have come, stays for some seconds, and leaves."""
    visitor = Player(url, *arguments)
    seen = visitor.until(**wanted)
    time.sleep(stays)
    session = visitor.leave()
    return Session(session.code, [*seen, *session.events], session.stderr)


def is_enough(events: list[Event], kind: str, wanted: Wanted) -> bool:
    """Returns whether the events that are wanted of a kind are there."""
    found = [event for event in events if event["event"] == kind]
    return len(found) >= wanted if isinstance(wanted, int) else any(map(wanted, found))


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

    def events(self) -> Iterator[Event]:
        """Returns the events that were not read yet, as they come."""
        assert self.process.stdout is not None
        while True:
            with Watchdog(self.process):
                line = self.process.stdout.readline()
            if not line:
                return
            gamewire.check_output(self.arguments, [line])
            yield json.loads(line)

    def wait_for(self, kind: str) -> Event:
        """Reads up to the next event of a kind and returns it."""
        seen = self.until(**{kind: 1})
        assert seen and seen[-1]["event"] == kind, f"the player ended before `{kind}`: {seen[-3:]} {self.errors}"
        return seen[-1]

    def until(self, **wanted: Wanted) -> list[Event]:
        """Reads until the events that are wanted of each kind have come, or the end, and returns what was read."""
        seen: list[Event] = []
        for event in self.events():
            seen.append(event)
            if event["event"] in wanted and all(is_enough(seen, *pair) for pair in wanted.items()):
                return seen
        return seen

    def leave(self) -> Session:
        """Leaves, unless the player has ended by itself. The session has the events that were not read yet."""
        with suppress(BrokenPipeError):
            self.command("leave")
        return self.end()

    def end(self) -> Session:
        """Waits for the player to end. The session has the events that were not read yet."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        rest = list(self.events())
        self.error_reader.join()
        return Session(self.process.wait(), rest, "".join(self.errors))
