"""Clients of the Python port against `gamewire serve riptide`."""

from ours import Ours
from theirs import TheirClient, for_a_while, until

COUNT = 40
KICKED, SERVER_STOPPED = 4, 5


def play(transport: str) -> None:
    """A whole session: connect data, echoes, other clients, a rejection, a kick, the server's stop."""
    served = ["serve", "riptide", "--bind", "127.0.0.1:0", "--echo", "--relay", "none"]
    with Ours(*served, "--require-data", 'string:"let me in"', "--reject-data", 'string:"who are you?"') as server:
        port = server.port()

        def connect(data: str) -> TheirClient:
            client = TheirClient(transport, port, data)
            until([client], lambda: client.is_connected or client.is_refused, f"a client with {data!r} is answered")
            return client

        first = connect("let me in")
        for value in range(COUNT):
            first.send("reliable", 10, value)
            first.send("unreliable", 11, -value)
            for_a_while([first], 0.01)
        expected = sorted([(10, value) for value in range(COUNT)] + [(11, -value) for value in range(COUNT)])
        until([first], lambda: len(first.values) >= len(expected), "every echo arrives")
        for_a_while([first], 0.3)
        assert sorted(first.values) == expected, f"not each echo once: {first.values}"

        second = connect("let me in")
        until([first, second], lambda: first.came == [second.peer.id], "the first is notified of the second")
        second.peer.disconnect()
        until([first], lambda: first.left == first.came, "the first is notified of the disconnect")

        stranger = connect("open sesame")
        assert stranger.is_refused and not stranger.is_connected
        until([first], lambda: bool(server.all("refused")), "our server reports the rejection")

        server.type(f'kick {first.peer.id} string:"bye"')
        until([first], lambda: bool(first.ended), "the first is kicked")
        assert first.ended == [(KICKED, "bye")], first.ended

        third = connect("let me in")
        server.type("stop")
        until([third], lambda: bool(third.ended), "the third is notified of the stop")
        assert third.ended == [(SERVER_STOPPED, "")], third.ended
        assert server.end() == 0, server
        ids = [event["client"] for event in server.all("client_connected")]
        ends = [(event["client"], event["reason"]) for event in server.all("client_disconnected")]
        assert ends == [(ids[1], "Disconnected"), (ids[0], "Kicked"), (ids[2], "ServerStopped")], server


def over_udp() -> None:
    """Over datagrams."""
    play("udp")


def over_tcp() -> None:
    """Over a stream."""
    play("tcp")
