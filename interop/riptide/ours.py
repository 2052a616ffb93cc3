"""The gamewire command as a peer: events as they come, lines that are typed."""

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

# The command under test; set once, before anything runs.
GAMEWIRE = Path("gamewire")


class Ours:
    """A run of the command with --json."""

    def __init__(self, *arguments: str) -> None:
        self.events: list[dict[str, Any]] = []
        self.talk: list[str] = []
        self.process = subprocess.Popen(
            [GAMEWIRE, *arguments, "--json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.readers = [threading.Thread(target=read) for read in (self.read_events, self.read_talk)]
        for reader in self.readers:
            reader.start()

    def read_events(self) -> None:
        """Keeps what comes on standard output."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.events.append(json.loads(line))

    def read_talk(self) -> None:
        """Keeps what comes on standard error."""
        assert self.process.stderr is not None
        self.talk.extend(self.process.stderr)

    def all(self, kind: str) -> list[dict[str, Any]]:
        """The events of a kind so far."""
        return [event for event in list(self.events) if event["event"] == kind]

    def values(self) -> list[tuple[int, int]]:
        """Ids and values of the messages so far, of one int each."""
        return [
            (event["id"], int.from_bytes(bytes.fromhex(event["hex"])[:4], "little", signed=True))
            for event in self.all("message")
        ]

    def says(self, line: str) -> None:
        """Types a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def has_ended(self) -> bool:
        """Whether it came to its end by itself."""
        return self.process.poll() is not None

    def end(self) -> int:
        """Waits for its end; its exit code."""
        code = self.process.wait(20)
        for reader in self.readers:
            reader.join(20)
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
        return f"exit {self.process.poll()}\n{events}\n{''.join(self.talk)}"
