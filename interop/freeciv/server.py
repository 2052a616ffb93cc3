"""The real freeciv-server, each on a port of its own, in a scratch folder, on loopback only."""

import os
from pathlib import Path
from typing import Optional

from program import Program, free_port

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


class Server(Program):
    """One server, from `with` to its end."""

    def __init__(self, level: Optional[int] = None, has_accounts: bool = False, **settings: str) -> None:
        super().__init__("freeciv")
        self.level = level
        self.has_accounts = has_accounts
        self.settings = SETTINGS | settings
        self.port = free_port()

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
        server = [PROGRAM, "-p", str(self.port), "-b", "127.0.0.1", "-A", "none", "-e", "-q", str(ALONE)]
        files = ["-r", str(script), "-s", str(saves)]
        ready = "Now accepting new client connections"
        self.start([*as_nobody, *server, *files, *options], environment, ready, seconds=30)
        return self

    def accounts(self) -> list[str]:
        """What makes it ask for passwords, and take new users."""
        configuration = self.folder / "accounts.conf"
        configuration.write_text(f'[fcdb]\nbackend="sqlite"\ndatabase="{self.folder}/accounts.sqlite"\n')
        return ["-a", "-N", "-D", str(configuration)]

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The same for `gamewire`."""
        return f"freeciv://{self.address}"

    def saved(self, turn: int) -> Path:
        """The game that it saved when a turn began."""
        assert self.logs("Game saved as", f"T{turn:04}", "-auto.sav"), self.log()
        (path,) = (self.folder / "saves").glob(f"*-T{turn:04}-*-auto.sav")
        return path
