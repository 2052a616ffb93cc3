"""Real servers in scratch folders, the ports on which they listen, and the limit of every wait."""

import fcntl
import os
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Optional, TextIO

# Seconds after which a wait has failed. It is for what never happens, so a busy machine must not reach it.
LIMIT = 300


class Watchdog:
    """Kills a program if a block that waits for its output takes longer than `LIMIT`: the output ends, and with it the wait."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.timer = threading.Timer(LIMIT, process.kill)

    def __enter__(self) -> None:
        self.timer.start()

    def __exit__(self, *_: object) -> None:
        self.timer.cancel()


def until(done: Callable[[], object], what: object, pause: float = 0.02) -> None:
    """Waits until `done` returns something true. `what` is for the message of a failure."""
    end = time.monotonic() + LIMIT
    while not done():
        assert time.monotonic() < end, what() if callable(what) else what
        time.sleep(pause)


class Program:
    """A program with a scratch folder, which is removed with it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = Path(tempfile.mkdtemp(prefix=f"gamewire-{name}-"))
        self.process: Optional[subprocess.Popen[bytes]] = None
        self.port = 0
        self.lines: list[str] = []
        self.reader: Optional[TextIO] = None
        self.lock = threading.Lock()

    def start(
        self, command: Callable[[int], Sequence[str]], environment: Mapping[str, str], ready: str, taken: str
    ) -> None:
        """Starts the program on a port and waits for a log line with `ready`. If it logs `taken`, another program has taken
        the port meanwhile: it is started again on another one."""
        for _ in range(20):
            self.port = held_port()
            with open(self.folder / "log.txt", "wb") as log:
                self.process = subprocess.Popen(
                    command(self.port),
                    cwd=self.folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
            self.lines = []
            self.reader = open(self.folder / "log.txt", errors="replace")
            if self.logs(ready):
                return
            self.end()
            if not self.count(taken):
                break
            self.reader.close()
        printed = (self.folder / "log.txt").read_text(errors="replace")
        self.__exit__(None, None, None)
        raise AssertionError(f"{self.name} did not start:\n{printed}")

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.end()
        if self.reader is not None:
            self.reader.close()
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

    def read(self) -> list[str]:
        """Returns all lines that the program has printed."""
        assert self.reader is not None
        with self.lock:
            for line in self.reader.read().splitlines(keepends=True):
                # The last read can have ended within a line.
                if self.lines and not self.lines[-1].endswith("\n"):
                    self.lines[-1] += line
                else:
                    self.lines.append(line)
            return list(self.lines)

    def log(self) -> str:
        """Returns everything that the program has printed."""
        return "".join(self.read())

    def count(self, *words: str) -> int:
        """Returns the number of log lines with all these words."""
        return sum(all(word in line for word in words) for line in self.read())

    def logs(self, *words: str) -> bool:
        """Returns whether a log line with all these words appears before the program ends, and before the limit."""
        end = time.monotonic() + LIMIT
        searched = 0
        while True:
            assert self.process is not None
            has_ended = self.process.poll() is not None
            lines = self.read()
            if any(all(word in line for word in words) for line in lines[searched:]):
                return True
            if has_ended or time.monotonic() > end:
                return False
            # The last line may continue.
            searched = max(0, len(lines) - 1)
            time.sleep(0.02)


# Below the ports that systems give to sockets without a port of their own, so that no client takes the port of a server
# that is about to start.
PORTS = range(20_000, 32_000)
# A file for each port that this process has: no other process of this user takes it while it is open and locked.
PORT_FILES: list[int] = []


def held_port() -> int:
    """Returns a loopback port that is free in UDP and TCP, and which no other scenario gets before this process ends."""
    folder = Path(tempfile.gettempdir(), f"gamewire-ports-{os.getuid()}")
    folder.mkdir(exist_ok=True)
    while True:
        port = random.choice(PORTS)
        file = os.open(folder / str(port), os.O_CREAT | os.O_WRONLY)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
                tcp.bind(("127.0.0.1", port))
                udp.bind(("127.0.0.1", port))
        except OSError:
            os.close(file)
            continue
        PORT_FILES.append(file)
        return port
