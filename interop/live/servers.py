"""The real servers, each on a port of its own, in a scratch folder, on loopback only."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Optional

PROGRAMS = {"teeworlds": "/usr/games/teeworlds-server", "ddnet": "/usr/games/DDNet-Server"}
RCON_PASSWORD = "secret of the test"
# DDNet leaves 0.7 off where a map has no twin for it; this one has.
MAPS = {"teeworlds": "dm1", "ddnet": "Tutorial"}
COMMON = {
    "sv_name": "gamewire",
    "bindaddr": "127.0.0.1",
    "sv_register": "0",
    "sv_rcon_password": RCON_PASSWORD,
    "sv_spamprotection": "0",
    "debug": "1",
}
OWN = {
    "teeworlds": {"console_output_level": "2"},
    # Without sv_ipv4only it quits where there is no IPv6.
    "ddnet": {"sv_ipv4only": "1", "sv_sixup": "1", "stdout_output_level": "2"},
}


class Server:
    """One server, from `with` to its end."""

    def __init__(self, kind: str, **settings: str) -> None:
        self.kind = kind
        self.port = free_port()
        self.settings = COMMON | OWN[kind] | {"sv_map": MAPS[kind], "sv_port": str(self.port)} | settings
        self.folder = Path(tempfile.mkdtemp(prefix=f"gamewire-{kind}-"))
        self.process: Optional[subprocess.Popen[bytes]] = None

    def __enter__(self) -> "Server":
        commands = "; ".join(f'{name} "{value}"' for name, value in self.settings.items())
        with open(self.folder / "log.txt", "wb") as log:
            self.process = subprocess.Popen(
                [PROGRAMS[self.kind], commands],
                cwd=self.folder,
                env=os.environ | {"HOME": str(self.folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        if not self.logs("version", seconds=10):
            log_text = self.log()
            self.__exit__()
            raise AssertionError(f"{self.kind} did not start:\n{log_text}")
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, scheme: str) -> str:
        """The address for `gamewire`."""
        return f"{scheme}://127.0.0.1:{self.port}"

    def log(self) -> str:
        """All that it has printed."""
        return (self.folder / "log.txt").read_text(errors="replace")

    def logs(self, *words: str, seconds: float = 3) -> bool:
        """Whether a line with all these words comes in time."""
        end = time.monotonic() + seconds
        while not any(all(word in line for word in words) for line in self.log().splitlines()):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def count(self, *words: str) -> int:
        """How many lines have all these words."""
        return sum(all(word in line for word in words) for line in self.log().splitlines())

    def freeze(self) -> None:
        """It falls silent, without a word to anyone."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """It goes on."""
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)


def free_port() -> int:
    """A UDP port that nobody uses now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
