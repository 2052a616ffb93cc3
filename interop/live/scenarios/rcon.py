"""The remote console."""

import gamewire
import player
from servers import Server


def a_wrong_password_is_an_error() -> None:
    """The server rejects the password of the remote console."""
    for kind, scheme in (("teeworlds", "tw-0.7+udp"), ("ddnet", "tw-0.6+udp")):
        with Server(kind) as server:
            session = player.join(server.url(scheme), "--rcon", "wrong", "--command", "status")
            gamewire.failed(session.code, session.stderr, "remote console", "password")
