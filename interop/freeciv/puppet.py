"""A gamewire player that follows commands and prints its world as JSON."""

import json
import subprocess
from typing import Any

import gamewire
from program import LIMIT, Watchdog

World = dict[str, Any]


class Puppet:
    """One player, which runs for the duration of a `with` block."""

    def __init__(self, address: str, name: str, *options: str) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [gamewire.EXAMPLES / "freeciv_puppet", address, name, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "Puppet":
        assert "ready" in self.read()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def does(self, command: str) -> Any:
        """Sends a command and returns its result."""
        assert self.process.stdin is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.read()

    def read(self) -> Any:
        """Returns the next line that the player prints."""
        assert self.process.stdout is not None and self.process.stderr is not None
        with Watchdog(self.process):
            line = self.process.stdout.readline()
        assert line, f"{self.name} has ended: {self.process.stderr.read()}"
        return json.loads(line)

    def ended(self) -> tuple[int, str]:
        """Waits for the player to end on its own. Returns its exit code and its errors."""
        _, errors = self.process.communicate(timeout=LIMIT)
        return self.process.returncode, errors

    def world(self) -> World:
        """Returns the player's world after it received everything that the server has sent so far."""
        self.does("say /show turn")
        world: World = self.does("world")
        return world
