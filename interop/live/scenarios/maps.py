"""Maps that the client lacks."""

import hashlib
from pathlib import Path

import player
from servers import MAPS, Server

FOLDERS = {
    "tw-0.7+udp": {"teeworlds": "/usr/share/games/teeworlds/data/maps", "ddnet": "/usr/share/games/ddnet/data/maps7"},
    "tw-0.6+udp": {"ddnet": "/usr/share/games/ddnet/data/maps"},
}


def downloaded_once(kind: str, scheme: str, folder: str) -> None:
    """The first visit downloads the map, the second has it."""
    with Server(kind) as server:
        original = Path(FOLDERS[scheme][kind], f"{MAPS[kind]}.map").read_bytes()
        visits = [player.join(server.url(scheme), "--maps", folder, "--for", "2s", limit=90) for _ in range(2)]
        for visit in visits:
            assert visit.code == 0, visit
            assert visit.all("entered"), visit
        first, second = (visit.one("map") for visit in visits)
        assert (first["source"], second["source"]) == ("downloaded", "cached"), visits
        assert first["size"] == len(original), first
        files = list(Path(folder).iterdir())
        assert [hashlib.sha256(file.read_bytes()).digest() for file in files] == [hashlib.sha256(original).digest()]


def teeworlds_in_0_7(folder: str) -> None:
    """teeworlds-server hands out its map in 0.7."""
    downloaded_once("teeworlds", "tw-0.7+udp", folder)


def ddnet_in_0_6(folder: str) -> None:
    """DDNet-Server hands out its map in 0.6."""
    downloaded_once("ddnet", "tw-0.6+udp", folder)


def ddnet_in_0_7(folder: str) -> None:
    """DDNet-Server hands out its map in 0.7."""
    downloaded_once("ddnet", "tw-0.7+udp", folder)
