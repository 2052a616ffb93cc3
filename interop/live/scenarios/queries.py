"""`gamewire info`."""

import gamewire
import player
from servers import MAPS, Server


def query(server: Server, scheme: str) -> dict[str, object]:
    """Returns the only answer of a server."""
    ended = gamewire.run("info", server.url(scheme), "--json")
    assert ended.returncode == 0, ended
    answer: dict[str, object] = player.json_of(ended)
    assert str(answer["name"]).startswith("gamewire") and answer["map"] == MAPS[server.kind], answer
    return answer


def every_dialect_answers() -> None:
    """Queries each server while a player is on it."""
    for kind, schemes in (("teeworlds", ("tw-0.7+udp",)), ("ddnet", ("tw-0.6+udp", "tw-0.6.4+udp", "tw-0.7+udp"))):
        with Server(kind) as server:
            online = player.Player(server.url("tw-0.7+udp"), "--name", "online")
            online.wait_for("entered")
            for scheme in schemes:
                answer = query(server, scheme)
                assert "online" in str(answer["clients"]), answer
            assert online.leave().code == 0


def an_unsupported_dialect_is_an_error() -> None:
    """The server does not answer in this dialect."""
    with Server("teeworlds") as server:
        ended = gamewire.run("info", server.url("tw-0.6+udp"), "--json")
        assert ended.returncode == 1 and ended.stderr.startswith("error:"), ended
