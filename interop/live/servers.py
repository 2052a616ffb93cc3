"""The real servers, each on its own loopback port and in a scratch folder."""

import os
import signal

from program import Program, free_port

PROGRAMS = {"teeworlds": "/usr/games/teeworlds-server", "ddnet": "/usr/games/DDNet-Server"}
RCON_PASSWORD = "secret of the test"
# DDNet disables 0.7 for maps without a 0.7 version; Tutorial has one.
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
    # Without sv_ipv4only the server quits on systems without IPv6.
    "ddnet": {"sv_ipv4only": "1", "sv_sixup": "1", "stdout_output_level": "2"},
}


class Server(Program):
    """One server, which runs for the duration of a `with` block."""

    def __init__(self, kind: str, **settings: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.port = free_port()
        self.settings = COMMON | OWN[kind] | {"sv_map": MAPS[kind], "sv_port": str(self.port)} | settings

    def __enter__(self) -> "Server":
        commands = "; ".join(f'{name} "{value}"' for name, value in self.settings.items())
        environment = os.environ | {"HOME": str(self.folder)}
        self.start([PROGRAMS[self.kind], commands], environment, "version", seconds=10)
        return self

    def url(self, scheme: str) -> str:
        """Returns the URL of the server for `gamewire`."""
        return f"{scheme}://127.0.0.1:{self.port}"

    def freeze(self) -> None:
        """Suspends the server, so that it sends nothing."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resumes the server."""
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)
