"""Map downloads."""

import hashlib
from pathlib import Path

import player
from servers import MAPS, Server

FOLDERS = {
    "tw-0.7+udp": {"teeworlds": "/usr/share/games/teeworlds/data/maps", "ddnet": "/usr/share/games/ddnet/data/maps7"},
    "tw-0.6+udp": {"ddnet": "/usr/share/games/ddnet/data/maps"},
}


def downloaded_once(kind: str, scheme: str, folder: str) -> None:
    """The first session downloads the map, the second uses the file."""
    with Server(kind) as server:
        original = Path(FOLDERS[scheme][kind], f"{MAPS[kind]}.map").read_bytes()
        sessions = [player.visit(server.url(scheme), "--map-dir", folder, map=1, entered=1) for _ in range(2)]
        for session in sessions:
            assert session.code == 0, session
            assert session.all("entered"), session
        first, second = (session.one("map") for session in sessions)
        assert (first["source"], second["source"]) == ("downloaded", "cached"), sessions
        assert first["size"] == len(original), first
        files = list(Path(folder).iterdir())
        assert [hashlib.sha256(file.read_bytes()).digest() for file in files] == [hashlib.sha256(original).digest()]


def teeworlds_in_0_7(folder: str) -> None:
    """teeworlds-server in 0.7."""
    downloaded_once("teeworlds", "tw-0.7+udp", folder)


def ddnet_in_0_6(folder: str) -> None:
    """DDNet-Server in 0.6."""
    downloaded_once("ddnet", "tw-0.6+udp", folder)


def ddnet_in_0_7(folder: str) -> None:
    """DDNet-Server in 0.7."""
    downloaded_once("ddnet", "tw-0.7+udp", folder)
