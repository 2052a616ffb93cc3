"""The gamewire command as a peer: its events, and lines for its standard input."""

import json
import subprocess
import threading
from typing import Any

import gamewire
from program import LIMIT, until


class Ours:
    """A run of the command with --json."""

    def __init__(self, *arguments: str) -> None:
        self.events: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self.errors: list[str] = []
        self.arguments = [*arguments, "--json"]
        self.process = subprocess.Popen(
            [gamewire.GAMEWIRE, *self.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.readers = [threading.Thread(target=read) for read in (self.read_events, self.read_errors)]
        for reader in self.readers:
            reader.start()

    def read_events(self) -> None:
        """Collects the events from standard output."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.events.append(json.loads(line))
            self.lines.append(line)

    def read_errors(self) -> None:
        """Collects the lines of standard error."""
        assert self.process.stderr is not None
        self.errors.extend(self.process.stderr)

    def all(self, kind: str) -> list[dict[str, Any]]:
        """Returns the events of a kind so far."""
        return [event for event in list(self.events) if event["event"] == kind]

    def port(self) -> int:
        """Waits until a server listens, and returns the port that it has chosen."""
        until(lambda: self.all("listening"), lambda: f"our server does not listen: {self}")
        return int(self.all("listening")[0]["port"])

    def values(self) -> list[tuple[int, int]]:
        """Returns ids and values of the messages so far, which contain one int each."""
        return [
            (event["id"], int.from_bytes(bytes.fromhex(event["hex"])[:4], "little", signed=True))
            for event in self.all("message")
        ]

    def type(self, line: str) -> None:
        """Writes a line to standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def has_ended(self) -> bool:
        """Returns whether the command has ended."""
        return self.process.poll() is not None

    def end(self) -> int:
        """Waits for the command to end and returns its exit code."""
        code = self.process.wait(LIMIT)
        for reader in self.readers:
            reader.join(LIMIT)
        gamewire.check_output(self.arguments, self.lines)
        return code

    def __enter__(self) -> "Ours":
        return self

    def __exit__(self, *_: object) -> None:
        if not self.has_ended():
            self.process.kill()
        self.end()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()

    def __str__(self) -> str:
        events = "\n".join(json.dumps(event) for event in self.events)
        return f"exit {self.process.poll()}\n{events}\n{''.join(self.errors)}"
