"""Clients and servers of the Python port through `gamewire proxy`."""

import tempfile
import time
from pathlib import Path

from proxy import Proxy
from theirs import TheirClient, TheirServer, for_a_while, until

COUNT = 40
KICKED = 4


def play(transport: str, *options: str) -> None:
    """Their client plays on their server through the proxy: connect data, echoes, a rejection, a kick."""
    server = TheirServer(transport, password="let me in")
    with Proxy(f"riptide-2.1+{transport}", server.port, *options) as proxy:
        neighbor = TheirClient(transport, server.port, "let me in")
        until([server, neighbor], lambda: neighbor.is_connected, "a client without the proxy is accepted")
        client = TheirClient(transport, proxy.port, "let me in")
        until([server, client, neighbor], lambda: client.is_connected, "the client is accepted")
        until([server, client, neighbor], lambda: neighbor.came == [client.peer.id], "the other is notified of it")
        neighbor.peer.disconnect()
        until([server, client], lambda: client.left == [neighbor_id(client)], "the client is notified of the disconnect")
        for value in range(COUNT):
            client.send("reliable", 10, value)
            client.send("unreliable", 11, -value)
            for_a_while([server, client], 0.01)
        expected = sorted([(10, value) for value in range(COUNT)] + [(11, -value) for value in range(COUNT)])
        until([server, client], lambda: len(client.values) >= len(expected), "every echo arrives")
        assert sorted(client.values) == expected, client.values
        stranger = TheirClient(transport, proxy.port, "open sesame")
        until([server, client, stranger], lambda: stranger.is_refused, "the stranger is rejected")
        server.kick(client.peer.id, "bye")
        until([server, client], lambda: bool(client.ended), "the client is kicked")
        assert client.ended == [(KICKED, "bye")], client.ended
        server.stop()
        summary = proxy.stop()
        assert summary["clients"] == 2, summary


def neighbor_id(client: TheirClient) -> int:
    """Returns the id of the first client; that of the client behind the proxy is another one."""
    assert client.peer.id == 2, client.peer.id
    return 1


def over_udp() -> None:
    """Over datagrams."""
    play("udp")


def over_tcp() -> None:
    """Over a stream."""
    play("tcp")


def terminated_over_udp() -> None:
    """Over datagrams, each message decoded and encoded again."""
    play("udp", "--terminate")


def terminated_over_tcp() -> None:
    """Over a stream, each message decoded and encoded again."""
    play("tcp", "--terminate")


RULES = """
[[rule]]
match = "riptide.unreliable.id == 11"
from = "client"
action = "drop"

[[rule]]
match = "riptide.number.value == 3"
from = "client"
action = "set"
field = "value"
value = "300"

[[rule]]
match = "riptide.number.value == 5"
from = "client"
action = "delay"
milliseconds = 700
"""
MESSAGES = """
[[message]]
id = 10
name = "number"
fields = ["value: int"]
"""


def rules_drop_change_and_delay() -> None:
    """Messages of their client are dropped, changed and delayed before they reach their server."""
    server = TheirServer("udp", password="let me in")
    with tempfile.TemporaryDirectory() as folder:
        rules, messages = Path(folder, "rules.toml"), Path(folder, "messages.toml")
        rules.write_text(RULES)
        messages.write_text(MESSAGES)
        with Proxy("riptide", server.port, "--rules", str(rules), "--messages", str(messages)) as proxy:
            client = TheirClient("udp", proxy.port, "let me in")
            until([server, client], lambda: client.is_connected, "the client is accepted")
            for value in range(8):
                client.send("reliable", 10, value)
                client.send("unreliable", 11, value)
            start = time.monotonic()
            until([server, client], lambda: len(client.values) >= 8, "every echo arrives")
            assert sorted(client.values) == [(10, value) for value in (0, 1, 2, 4, 5, 6, 7, 300)], client.values
            assert client.values[-1] == (10, 5) and time.monotonic() - start > 0.6, client.values
            for_a_while([server, client], 0.3)
            assert len(client.values) == 8, "none of those that were dropped"
            server.stop()
            proxy.stop()
