"""The remote console."""

import gamewire
import player
from servers import RCON_PASSWORD, Server


def status_is_printed(kind: str, scheme: str) -> None:
    """`status` prints a line with the player's name."""
    with Server(kind) as server:
        session = player.join(
            server.url(scheme), "--name", "admin", "--rcon", RCON_PASSWORD, "--command", "status", "--duration", "3s"
        )
        assert session.code == 0, session
        assert session.one("rcon_auth")["granted"] is True, session
        lines = [event["line"] for event in session.all("rcon_line")]
        assert any("admin" in line for line in lines), session


def teeworlds_in_0_7() -> None:
    """teeworlds-server."""
    status_is_printed("teeworlds", "tw-0.7+udp")


def ddnet_in_0_6() -> None:
    """DDNet-Server."""
    status_is_printed("ddnet", "tw-0.6+udp")


def a_wrong_password_is_an_error() -> None:
    """The server rejects the password of the remote console."""
    for kind, scheme in (("teeworlds", "tw-0.7+udp"), ("ddnet", "tw-0.6+udp")):
        with Server(kind) as server:
            session = player.join(server.url(scheme), "--rcon", "wrong", "--command", "status", "--duration", "10s")
            gamewire.failed(session.code, session.stderr, "remote console", "password")
