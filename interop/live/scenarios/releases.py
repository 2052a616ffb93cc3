"""Every release of the servers in every dialect: download the map, chat, use the remote console, leave."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import player
from servers import MAPS, RCON_PASSWORD, Server, data_folder

# Schemes of DDNet's dialects, and the dialect of the connection.
DDNET = {
    "tw-0.6+udp": "tw-0.6-tken",
    "tw-0.6-tken+udp": "tw-0.6-tken",
    "tw-0.6.4+udp": "tw-0.6",
    "tw-0.7+udp": "tw-0.7",
}

# Seconds for which a player stays after all else, and the snapshots of two of them.
SECONDS, SNAPSHOTS = 5, 50


def visit(server: Server, scheme: str, dialect: str, folder: str) -> None:
    """A player does all that it can in one session."""
    # DDNet keeps the maps of 0.7 in a folder of their own.
    maps = "maps7" if dialect == "tw-0.7" and server.kind != "teeworlds" else "maps"
    original = (data_folder(server.kind) / maps / f"{MAPS[server.kind]}.map").read_bytes()
    name, hello, downloads = scheme.removesuffix("+udp"), f"hello over {scheme}", Path(folder, scheme)
    session = player.visit(
        server.url(scheme), "--name", name, "--say", hello, "--map-dir", str(downloads),
        "--rcon", RCON_PASSWORD, "--command", "status",
        map=1, entered=1, chat=lambda chat: chat["text"] == hello, rcon_line=lambda of: name in of["line"], stays=SECONDS,
    )  # fmt: skip
    assert session.code == 0, session
    assert session.one("connected")["dialect"] == dialect, session
    assert session.one("map")["source"] == "downloaded", session
    hashes = [hashlib.sha256(file.read_bytes()).digest() for file in downloads.iterdir()]
    assert hashes == [hashlib.sha256(original).digest()], session
    snapshots = session.summary["snapshots"]
    assert session.all("entered") and snapshots["good"] + snapshots["empty"] >= SNAPSHOTS, session
    assert snapshots["bad"] == session.summary["decode_errors"] == 0, session
    assert session.one("rcon_auth")["granted"] is True, session
    assert any(name in event["line"] for event in session.all("rcon_line")), session
    assert server.logs("chat", name, hello), server.log()
    assert server.logs("leave player", name), server.log()
    assert session.one("closed")["by"] == "us", session


def visits(kind: str, folder: str, dialects: dict[str, str], **settings: str) -> None:
    """One player per dialect, all at the same time."""
    with Server(kind, sv_max_clients_per_ip="16", **settings) as server, ThreadPoolExecutor() as pool:
        list(pool.map(lambda scheme: visit(server, scheme, dialects[scheme], folder), dialects))


def teeworlds_0_7_5(folder: str) -> None:
    """teeworlds-server 0.7.5."""
    visits("teeworlds", folder, {"tw-0.7+udp": "tw-0.7"})


def ddnet_16_4(folder: str) -> None:
    """DDNet-Server 16.4."""
    visits("ddnet", folder, DDNET)


def ddnet_19_1(folder: str) -> None:
    """DDNet-Server 19.1."""
    visits("ddnet-19", folder, DDNET)


def ddnet_20_1(folder: str) -> None:
    """DDNet-Server 20.1."""
    visits("ddnet-20", folder, DDNET)


def antispoof_of_ddnet_19_1(folder: str) -> None:
    """A client without tokens returns the number of DDNet 19.1 before it gets a slot."""
    visits("ddnet-19", folder, {"tw-0.6.4+udp": "tw-0.6"}, sv_vanilla_antispoof="1")


def antispoof_of_ddnet_20_1(folder: str) -> None:
    """A client without tokens returns the number of DDNet 20.1 before it gets a slot."""
    visits("ddnet-20", folder, {"tw-0.6.4+udp": "tw-0.6"}, sv_vanilla_antispoof="1")
