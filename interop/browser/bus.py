"""Programs of a fleet: a NATS server, a Riptide server behind proxies, and its players."""

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Optional

import gamewire
from program import LIMIT, Program, Watchdog
from runner import Skipped


class Nats(Program):
    """A NATS server with JetStream in a folder, for the duration of a `with` block; on a given port, or else on any."""

    def __init__(self, storage: str, port: Optional[int] = None, config: Optional[str] = None) -> None:
        super().__init__("nats")
        self.storage, self.again, self.config = storage, port, config

    def __enter__(self) -> "Nats":
        server = shutil.which("nats-server")
        if server is None:
            raise Skipped("no nats-server")
        command = [server, "-a", "127.0.0.1", "-js", "-sd", self.storage]
        if self.config is not None:
            path = self.folder / "nats.conf"
            path.write_text(self.config)
            command += ["-c", str(path)]
        command += ["-p"]
        self.start(
            lambda port: [*command, str(self.again or port)], os.environ, "Server is ready", "address already in use"
        )
        self.port = self.again or self.port
        return self


@contextmanager
def echo_server() -> Iterator[int]:
    """Runs a Riptide server, and returns its port."""
    command = [gamewire.GAMEWIRE, "serve", "riptide", "--bind", "127.0.0.1:0", "--relay", "none", "--echo", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    with Watchdog(process):
        port = json.loads(process.stdout.readline())["port"]
    # A server would wait if no program reads its output.
    reader = threading.Thread(target=process.stdout.read)
    reader.start()
    try:
        yield port
    finally:
        process.terminate()
        process.wait(LIMIT)
        reader.join()
        process.stdout.close()


class Player:
    """A client that sends a message a second and counts what comes back."""

    def __init__(self, port: int) -> None:
        self.process = subprocess.Popen(
            [gamewire.GAMEWIRE, "join", f"riptide://127.0.0.1:{port}", "--json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.wait_for("connected")

    def wait_for(self, event: str) -> dict:
        """Returns the next event of this name."""
        assert self.process.stdout is not None
        with Watchdog(self.process):
            for line in self.process.stdout:
                found = json.loads(line)
                if found["event"] == event:
                    return found
        raise AssertionError(f"no {event}")

    def echo(self, text: str) -> None:
        """Sends a message and waits for it to come back."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"10 string:{json.dumps(text)}\n")
        self.process.stdin.flush()
        assert text.encode().hex() in json.dumps(self.wait_for("message")), text

    def end(self) -> None:
        """Leaves."""
        self.process.terminate()
        self.process.communicate(timeout=LIMIT)
