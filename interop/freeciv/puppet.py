"""A player of ours whose every move is commanded, and which tells its world as JSON."""

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

# The folder of the built examples; set once, before anything runs.
EXAMPLES = Path("target/debug/examples")

World = dict[str, Any]


class Puppet:
    """One player, from `with` to its end."""

    def __init__(self, address: str, name: str, *options: str, limit: float = 80) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [EXAMPLES / "freeciv_puppet", address, name, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        # Nothing waits for ever.
        self.watchdog = threading.Timer(limit, self.process.kill)
        self.watchdog.start()

    def __enter__(self) -> "Puppet":
        assert "ready" in self.hear()
        return self

    def __exit__(self, *_: object) -> None:
        self.watchdog.cancel()
        try:
            self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def does(self, command: str) -> Any:
        """Gives a command; what came of it."""
        assert self.process.stdin is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.hear()

    def hear(self) -> Any:
        """The next line that it tells."""
        assert self.process.stdout is not None and self.process.stderr is not None
        line = self.process.stdout.readline()
        assert line, f"{self.name} is gone: {self.process.stderr.read()}"
        return json.loads(line)

    def last_words(self) -> tuple[int, str]:
        """How it ended by itself, and what it said then."""
        _, words = self.process.communicate(timeout=60)
        self.watchdog.cancel()
        return self.process.returncode, words

    def world(self) -> World:
        """What it knows, when all has come that the server said before now."""
        self.does("say /show turn")
        world: World = self.does("world")
        return world
