"""`gamewire join` against a server of the Python port."""

import time

from ours import Ours
from theirs import TheirServer, for_a_while, until

COUNT = 40


def play(transport: str) -> None:
    """A whole session: connect data, echoes, other clients, a rejection, a kick."""
    server = TheirServer(transport, password="let me in")
    url = f"riptide-2.1+{transport}://127.0.0.1:{server.port}"

    def join(data: str) -> Ours:
        return Ours("join", url, "--connect-data", f'string:"{data}"')

    with join("let me in") as first, join("open sesame") as stranger:
        until([server], lambda: bool(first.all("connected")), "ours is accepted")
        until([server], stranger.has_ended, "the stranger is rejected")
        assert stranger.end() == 1 and len(stranger.all("refused")) == 1, stranger

        for value in range(COUNT):
            first.type(f"reliable 10 int:{value}")
            first.type(f"unreliable 11 int:{-value}")
            for_a_while([server], 0.01)
        expected = sorted([(10, value) for value in range(COUNT)] + [(11, -value) for value in range(COUNT)])
        until([server], lambda: len(first.all("message")) >= len(expected), "every echo arrives")
        for_a_while([server], 0.3)
        assert sorted(first.values()) == expected, first

        with join("let me in") as second:
            until([server], lambda: bool(second.all("connected")), "a second client is accepted")
            (its,) = second.all("connected")
            until([server], lambda: bool(first.all("client_connected")), "the first is notified of the second")
            assert first.all("client_connected")[0]["client"] == its["client"]
            second.type("leave")
            until([server], second.has_ended, "the second leaves")
            assert second.end() == 0, second
            until([server], lambda: bool(first.all("client_disconnected")), "the first is notified of the disconnect")
            assert first.all("client_disconnected")[0]["client"] == its["client"]

        server.kick(first.all("connected")[0]["client"], "bye")
        until([server], first.has_ended, "ours is kicked")
        assert first.end() == 1, first
        (end,) = first.all("disconnected")
        assert end["reason"] == "Kicked" and bytes.fromhex(end["hex"])[:4] == b"\x03bye", first
        assert end["text"] == "bye", first
    server.stop()


def until_it_stops(transport: str) -> str:
    """Returns our disconnect reason when their server stops."""
    server = TheirServer(transport)
    with Ours("join", f"riptide-2.1+{transport}://127.0.0.1:{server.port}") as guest:
        until([server], lambda: bool(guest.all("connected")), "ours is accepted")
        # Ours acknowledges the Welcome before it sends a message; otherwise the reason is PoorConnection.
        guest.type("reliable 10 int:1")
        until([server], lambda: bool(guest.all("message")), "an echo arrives")
        server.stop()
        until([], guest.has_ended, "ours notices the end")
        assert guest.end() == 1, guest
        (end,) = guest.all("disconnected")
        return str(end["reason"])


def a_server_that_stalls() -> None:
    """Three times, for 300 ms on a quick network: the attempts of a message do not run out."""
    server = TheirServer("udp")
    with Ours("join", f"riptide-2.1+udp://127.0.0.1:{server.port}") as guest:
        until([server], lambda: bool(guest.all("connected")), "ours is accepted")
        for stall in range(3):
            for_a_while([server], 1.2)  # a heartbeat measures the round trip
            for value in range(10):
                guest.type(f"reliable 10 int:{10 * stall + value}")
            time.sleep(0.3)
        until([server], lambda: len(guest.all("message")) >= 30, "every echo arrives")
        assert sorted(guest.values()) == [(10, value) for value in range(30)], guest
        assert not guest.all("disconnected"), guest
        guest.type("leave")
        until([server], guest.has_ended, "ours leaves")
        assert guest.end() == 0, guest
    server.stop()


def over_udp() -> None:
    """Over datagrams."""
    play("udp")


def over_tcp() -> None:
    """Over a stream."""
    play("tcp")


def a_server_that_stops_over_tcp() -> None:
    """The server sends two bytes, which mean reason 80."""
    assert until_it_stops("tcp") == "ServerStopped"


def a_server_that_stops_over_udp() -> None:
    """The server sends nothing, so ours times out."""
    assert until_it_stops("udp") == "TimedOut"
