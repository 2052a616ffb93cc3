"""The real freeciv-server of a version, on its own loopback port and in a scratch folder."""

import os
from pathlib import Path
from typing import Optional

import suites
from program import LIMIT, Program

PROGRAM = "/usr/games/freeciv-server"
# Versions in later suites of Debian.
SUITES = {"3.1": "trixie", "3.2": "sid"}
# A tiny map, the same in every run; a turn ends when all players have ended theirs.
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
# Seconds after its last client until the server ends on its own, in case it is not stopped.
IDLE_TIMEOUT = LIMIT


class Server(Program):
    """One server, which runs for the duration of a `with` block."""

    def __init__(
        self,
        level: Optional[int] = None,
        has_accounts: bool = False,
        version: str = "3.0",
        has_lua: bool = False,
        ruleset: Optional[str] = None,
        **settings: str,
    ) -> None:
        super().__init__("freeciv")
        self.suite = SUITES.get(version)
        self.level = level
        self.has_accounts = has_accounts
        # Players may run Lua in the server by chat, which creates units and cities.
        self.has_lua = has_lua
        self.ruleset = ruleset
        self.settings = SETTINGS | settings

    def __enter__(self) -> "Server":
        program = suites.program(self.suite, "freeciv-server") if self.suite else [PROGRAM]
        script, saves = self.folder / "setup.serv", self.folder / "saves"
        commands = [f"rulesetdir {self.ruleset}"] if self.ruleset else []
        commands += [f"set {name} {value}" for name, value in self.settings.items()]
        # The table of users does not exist yet.
        commands += ["fcdb lua sqlite_createdb()"] if self.has_accounts else []
        commands += ["cmdlevel hack new", "cmdlevel hack first"] if self.has_lua else []
        script.write_text("\n".join([*commands, ""]))
        saves.mkdir()
        for path in (self.folder, saves):
            path.chmod(0o777)
        environment = os.environ | {"HOME": str(self.folder)}
        if self.suite:
            environment["FREECIV_DATA_PATH"] = str(suites.ROOTS / self.suite / "usr/share/games/freeciv")
        if self.level is not None:
            environment["FREECIV_COMPRESSION_LEVEL"] = str(self.level)
        # The server needs no root rights.
        as_nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
        options = self.accounts() if self.has_accounts else []
        fixed = ["-b", "127.0.0.1", "-A", "none", "-e", "-q", str(IDLE_TIMEOUT), "-r", str(script), "-s", str(saves)]
        self.start(
            lambda port: [*as_nobody, *program, "-p", str(port), *fixed, *options],
            environment,
            "Now accepting new client connections",
            "Address already in use",
        )
        return self

    def accounts(self) -> list[str]:
        """Returns the options for accounts: passwords and new users."""
        configuration = self.folder / "accounts.conf"
        configuration.write_text(f'[fcdb]\nbackend="sqlite"\ndatabase="{self.folder}/accounts.sqlite"\n')
        return ["-a", "-N", "-D", str(configuration)]

    @property
    def address(self) -> str:
        """The address on which the server listens."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The URL of the server for `gamewire`."""
        return f"freeciv://{self.address}"

    def saved(self, turn: int) -> Path:
        """Returns the game that the server saved at the start of a turn."""
        assert self.logs("Game saved as", f"T{turn:04}", "-auto.sav"), self.log()
        (path,) = (self.folder / "saves").glob(f"*-T{turn:04}-*-auto.sav")
        return path
