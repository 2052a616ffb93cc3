"""A real server in a scratch folder, and its log."""

import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Optional


class Program:
    """A program with a scratch folder, which is removed with it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = Path(tempfile.mkdtemp(prefix=f"gamewire-{name}-"))
        self.process: Optional[subprocess.Popen[bytes]] = None

    def start(self, command: Sequence[str], environment: Mapping[str, str], *ready: str, seconds: float) -> None:
        """Starts the program and waits for a log line with all the words of `ready`."""
        with open(self.folder / "log.txt", "wb") as log:
            self.process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        if not self.logs(*ready, seconds=seconds):
            printed = self.log()
            self.__exit__(None, None, None)
            raise AssertionError(f"{self.name} did not start:\n{printed}")

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def end(self) -> None:
        """Terminates the program, as a user would."""
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kills the program."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def log(self) -> str:
        """Returns everything that the program has printed."""
        return (self.folder / "log.txt").read_text(errors="replace")

    def count(self, *words: str) -> int:
        """Returns the number of log lines with all these words."""
        return sum(all(word in line for word in words) for line in self.log().splitlines())

    def logs(self, *words: str, seconds: float = 5) -> bool:
        """Returns whether a log line with all these words appears within `seconds`."""
        end = time.monotonic() + seconds
        while not self.count(*words):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True


# Below the ports that systems give to sockets without a port of their own, so that no client takes the port of a server
# that is about to start.
PORTS = range(20_000, 32_000)


def free_port() -> int:
    """Returns a loopback port that is free in UDP and TCP."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
            try:
                tcp.bind(("127.0.0.1", port))
                udp.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
