"""The real servers, each on its own loopback port and in a scratch folder."""

import os
import signal
from pathlib import Path

import suites
from program import Program

PROGRAMS = {"teeworlds": "/usr/games/teeworlds-server", "ddnet": "/usr/games/DDNet-Server"}
# Releases of DDNet in later suites of Debian, which `cargo xtask interop` unpacks into folders of their own.
SUITES = {"ddnet-19": "trixie", "ddnet-20": "sid"}
RCON_PASSWORD = "secret of the test"
# DDNet disables 0.7 for maps without a 0.7 version; Tutorial has one.
MAPS = {"teeworlds": "dm1", "ddnet": "Tutorial", "ddnet-19": "Tutorial", "ddnet-20": "Tutorial"}
COMMON = {
    "sv_name": "gamewire",
    "bindaddr": "127.0.0.1",
    "sv_register": "0",
    "sv_rcon_password": RCON_PASSWORD,
    "sv_spamprotection": "0",
    "debug": "1",
}
# Without sv_ipv4only the server quits on systems without IPv6. The antispoof handshake is on or off by release.
DDNET = {"sv_ipv4only": "1", "sv_sixup": "1", "sv_vanilla_antispoof": "0", "stdout_output_level": "2"}
OWN = {"teeworlds": {"console_output_level": "2"}, "ddnet": DDNET, "ddnet-19": DDNET, "ddnet-20": DDNET}
# For games of sixteen players whose tees are compared: each snapshot is sent, and no game ends.
COMPARED = {
    "sv_high_bandwidth": "1",
    "sv_max_clients": "16",
    "sv_max_clients_per_ip": "16",
    "sv_scorelimit": "0",
    "sv_timelimit": "0",
}
COMPARED_TEEWORLDS = COMPARED | {"sv_player_slots": "16"}
COMPARED_DDNET = COMPARED | {"sv_connlimit": "100", "sv_connlimit_time": "0", "sv_sixup": "0"}


def data_folder(kind: str) -> Path:
    """Returns the folder of the server's maps."""
    root = suites.ROOTS / SUITES[kind] if kind in SUITES else Path("/")
    return root / ("usr/share/games/teeworlds/data" if kind == "teeworlds" else "usr/share/games/ddnet/data")


def program(kind: str) -> list[str]:
    """Returns the start of the server's command line. A later suite needs its own loader and libraries."""
    if kind in PROGRAMS:
        return [PROGRAMS[kind]]
    return suites.program(SUITES[kind], "DDNet-Server")


class Server(Program):
    """One server, which runs for the duration of a `with` block."""

    def __init__(self, kind: str, **settings: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.settings = COMMON | OWN[kind] | {"sv_map": MAPS[kind]} | settings

    def __enter__(self) -> "Server":
        settings = "; ".join(f'{name} "{value}"' for name, value in self.settings.items())
        environment = os.environ | {"HOME": str(self.folder)}
        command = program(self.kind)
        if self.kind in SUITES:
            (self.folder / "storage.cfg").write_text(f"add_path $USERDIR\nadd_path {data_folder(self.kind)}\n")
        # The last line of a start; libraries have versions, too.
        ready = "[server]: version " if self.kind == "teeworlds" else "server: version "
        self.start(lambda port: [*command, f"sv_port {port}; {settings}"], environment, ready, "might already be in use")
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
