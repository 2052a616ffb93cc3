"""`gamewire info`."""

import player
from servers import MAPS, Server


def asked(server: Server, scheme: str) -> dict[str, object]:
    """The one answer of a server."""
    ended = player.run("info", server.url(scheme), "--json")
    assert ended.returncode == 0, ended
    answer: dict[str, object] = player.json_of(ended)
    assert str(answer["name"]).startswith("gamewire") and answer["map"] == MAPS[server.kind], answer
    return answer


def every_dialect_answers() -> None:
    """What each server says of itself, with a player in it."""
    for kind, schemes in (("teeworlds", ("tw-0.7+udp",)), ("ddnet", ("tw-0.6+udp", "tw-0.6.4+udp", "tw-0.7+udp"))):
        with Server(kind) as server:
            guest = player.Guest(server.url("tw-0.7+udp"), "--name", "somebody", "--for", "10s")
            guest.wait_for("entered")
            for scheme in schemes:
                answer = asked(server, scheme)
                assert "somebody" in str(answer["clients"]), answer
            guest.end()


def silence_is_told() -> None:
    """A server that has nothing to say in this dialect."""
    with Server("teeworlds") as server:
        ended = player.run("info", server.url("tw-0.6+udp"), "--json")
        assert ended.returncode == 1 and ended.stderr.startswith("error:"), ended
