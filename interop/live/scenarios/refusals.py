"""What goes wrong gets one sentence and exit 1."""

import time

import player
from program import free_port
from servers import RCON_PASSWORD, Server


def refused(visit: player.Visit, *words: str) -> None:
    """Exit 1, and one line of talk with all the words."""
    assert visit.code == 1, visit
    errors = [line for line in visit.talk.splitlines() if line.startswith("error:")]
    assert len(errors) == 1 and all(word in errors[0] for word in words), visit
    assert "panic" not in visit.talk, visit


def nobody_listens() -> None:
    """A port where no server is."""
    for scheme in ("tw-0.6+udp", "tw-0.7+udp", "teeworlds"):
        refused(player.join(f"{scheme}://127.0.0.1:{free_port()}", limit=90), "127.0.0.1")


def the_password_is_wrong() -> None:
    """A server with a password."""
    for kind, scheme in (("teeworlds", "tw-0.7+udp"), ("ddnet", "tw-0.6+udp")):
        with Server(kind, password="right") as server:
            refused(player.join(server.url(scheme), "--password", "not it"), "password")
            visit = player.join(server.url(scheme), "--password", "right", "--for", "2s")
            assert visit.code == 0, visit


def the_server_is_full() -> None:
    """One place, which somebody has."""
    with Server("teeworlds", sv_max_clients="1") as server:
        guest = player.Guest(server.url("tw-0.7+udp"), "--for", "8s")
        guest.wait_for("entered")
        refused(player.join(server.url("tw-0.7+udp")), "full")
        assert guest.end().code == 0


def the_version_is_another() -> None:
    """A 0.6 client at a server that speaks 0.7 only."""
    with Server("teeworlds") as server:
        refused(player.join(server.url("tw-0.6+udp"), limit=90), "127.0.0.1")


def somebody_is_kicked() -> None:
    """The reason of the kick is told."""
    for kind, scheme in (("teeworlds", "tw-0.7+udp"), ("ddnet", "tw-0.6+udp")):
        with Server(kind) as server:
            guest = player.Guest(server.url(scheme), "--name", "victim", "--for", "30s")
            guest.wait_for("entered")
            keeper = player.join(
                server.url(scheme), "--name", "keeper", "--rcon", RCON_PASSWORD, "--command", "kick 0 enough", "--for", "2s"
            )
            assert keeper.code == 0, keeper
            refused(guest.end(), "enough")


def the_server_falls_silent() -> None:
    """Nothing comes for ten seconds."""
    with Server("teeworlds") as server:
        guest = player.Guest(server.url("tw-0.7+udp"), "--for", "60s")
        guest.wait_for("entered")
        server.freeze()
        began = time.monotonic()
        visit = guest.end()
        server.thaw()
        refused(visit, "10 s")
        assert 8 < time.monotonic() - began < 16, visit


def the_server_ends() -> None:
    """It says so, and why."""
    server = Server("ddnet")
    with server:
        guest = player.Guest(server.url("tw-0.6+udp"), "--for", "30s")
        guest.wait_for("entered")
    refused(guest.end())
