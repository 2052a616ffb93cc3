"""The remote console."""

import player
from servers import RCON_PASSWORD, Server


def status_is_printed(kind: str, scheme: str) -> None:
    """`status` prints a line with our name."""
    with Server(kind) as server:
        visit = player.join(
            server.url(scheme), "--name", "keeper", "--rcon", RCON_PASSWORD, "--command", "status", "--for", "3s"
        )
        assert visit.code == 0, visit
        assert visit.one("rcon_auth")["granted"] is True, visit
        lines = [event["line"] for event in visit.all("rcon_line")]
        assert any("keeper" in line for line in lines), visit


def teeworlds_in_0_7() -> None:
    """teeworlds-server."""
    status_is_printed("teeworlds", "tw-0.7+udp")


def ddnet_in_0_6() -> None:
    """DDNet-Server."""
    status_is_printed("ddnet", "tw-0.6+udp")


def a_wrong_password_is_told() -> None:
    """One sentence, and exit 1."""
    for kind, scheme in (("teeworlds", "tw-0.7+udp"), ("ddnet", "tw-0.6+udp")):
        with Server(kind) as server:
            visit = player.join(server.url(scheme), "--rcon", "wrong", "--command", "status", "--for", "10s")
            assert visit.code == 1, visit
            assert "remote console" in visit.talk and "password" in visit.talk, visit
