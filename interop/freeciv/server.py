"""The real freeciv-server, each on a port of its own, in a scratch folder, on loopback only."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Optional

PROGRAM = "/usr/games/freeciv-server"
# A tiny map that is the same each time; turns end when all have ended theirs.
SETTINGS = {
    "aifill": "6",
    "minplayers": "0",
    "size": "1",
    "timeout": "0",
    "mapseed": "42",
    "gameseed": "42",
    "maxconnectionsperhost": "0",
    "saveturns": "1",
    "compresstype": "PLAIN",
}
# The server ends itself so many seconds after its last client, should nobody end it.
ALONE = 60


class Server:
    """One server, from `with` to its end."""

    def __init__(self, level: Optional[int] = None, has_accounts: bool = False, **settings: str) -> None:
        self.level = level
        self.has_accounts = has_accounts
        self.settings = SETTINGS | settings
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="gamewire-freeciv-"))
        self.process: Optional[subprocess.Popen[bytes]] = None

    def __enter__(self) -> "Server":
        script, saves = self.folder / "setup.serv", self.folder / "saves"
        commands = [f"set {name} {value}" for name, value in self.settings.items()]
        # The table of the users is not there at first.
        commands += ["fcdb lua sqlite_createdb()"] if self.has_accounts else []
        script.write_text("\n".join([*commands, ""]))
        saves.mkdir()
        for path in (self.folder, saves):
            path.chmod(0o777)
        environment = os.environ | {"HOME": str(self.folder)}
        if self.level is not None:
            environment["FREECIV_COMPRESSION_LEVEL"] = str(self.level)
        # It wants no rights that it does not need.
        as_nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
        options = self.accounts() if self.has_accounts else []
        with open(self.folder / "log.txt", "wb") as log:
            self.process = subprocess.Popen(
                as_nobody
                + [PROGRAM, "-p", str(self.port), "-b", "127.0.0.1", "-A", "none", "-e", "-q", str(ALONE)]
                + ["-r", str(script), "-s", str(saves), *options],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        if not self.logs("Now accepting new client connections", seconds=30):
            log_text = self.log()
            self.__exit__()
            raise AssertionError(f"the server did not start:\n{log_text}")
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def accounts(self) -> list[str]:
        """What makes it ask for passwords, and take new users."""
        configuration = self.folder / "accounts.conf"
        configuration.write_text(f'[fcdb]\nbackend="sqlite"\ndatabase="{self.folder}/accounts.sqlite"\n')
        return ["-a", "-N", "-D", str(configuration)]

    def end(self) -> None:
        """Ends it, as a user would."""
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def kill(self) -> None:
        """It dies without a word."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The same for `gamewire`."""
        return f"freeciv://{self.address}"

    def log(self) -> str:
        """All that it has printed."""
        return (self.folder / "log.txt").read_text(errors="replace")

    def logs(self, *words: str, seconds: float = 5) -> bool:
        """Whether a line with all these words comes in time."""
        end = time.monotonic() + seconds
        while not any(all(word in line for word in words) for line in self.log().splitlines()):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def saved(self, turn: int) -> Path:
        """The game that it saved when a turn began."""
        assert self.logs("Game saved as", f"T{turn:04}", "-auto.sav"), self.log()
        (path,) = (self.folder / "saves").glob(f"*-T{turn:04}-*-auto.sav")
        return path


def free_port() -> int:
    """A TCP port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
