"""Clients and servers of the Python port through `gamewire proxy`."""

import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proxy import Proxy, content, is_part, recorded
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


def play_in_small_files(transport: str) -> None:
    """Their clients play on their server while the proxy records files of 2 kB, which are read alone and joined."""
    server = TheirServer(transport, password="let me in")
    with Proxy(f"riptide-2.1+{transport}", server.port, "--rotate-size", "2K") as proxy:
        peers: list[Any] = [server]
        clients = []
        for _ in range(3):
            client = TheirClient(transport, proxy.port, "let me in")
            clients.append(client)
            peers.append(client)
            until(peers, lambda client=client: client.is_connected, "the client is accepted")
            for value in range(COUNT):
                client.send("reliable", 10, value)
                client.send("unreliable", 11, -value)
                for_a_while(peers, 0.01)
            until(peers, lambda client=client: len(client.values) >= 2 * COUNT, "every echo arrives")
        stranger = TheirClient(transport, proxy.port, "open sesame")
        until([*peers, stranger], lambda: stranger.is_refused, "the stranger is rejected")
        # A heartbeat and its reply may be in two files.
        for_a_while(peers, 2.5)
        server.kick(clients[0].peer.id, "bye")
        until(peers, lambda: bool(clients[0].ended), "the client is kicked")
        server.stop()
        proxy.stop()
        files = proxy.files()
        assert len(files) >= 5, files
        joined = proxy.folder / "joined.pcapng"
        subprocess.run(["mergecap", "-a", "-w", str(joined), *map(str, files)], check=True)
        shown = [content(event["packet"]) for event in proxy.all("packet") if event["side"] == "client"]
        together = [content(packet) for packet in recorded(joined)]
        assert is_part(shown, together) and len(together) >= len(shown), (len(shown), len(together))
        facts = Counter(name for packet in together for name in names(packet))
        assert facts["connect"] >= 4 and facts["welcome"] >= 6 and facts["reject"] >= 1 and facts["disconnect"] >= 1, facts
        warnings = {"sequence_gap", "ack_unsent", "unsolicited_reply"} & set(facts)
        assert not warnings, warnings


def names(packet: Any) -> Iterator[str]:
    """Returns the names of everything in a packet."""
    if isinstance(packet, dict):
        for name, value in packet.items():
            yield name
            yield from names(value)
    elif isinstance(packet, (list, tuple)):
        for value in packet:
            yield from names(value)
    elif isinstance(packet, str):
        yield packet


def small_files_over_udp() -> None:
    """Datagrams in a row of files: each alone, and all of them joined, have what was seen live."""
    play_in_small_files("udp")


def small_files_over_tcp() -> None:
    """Streams in a row of files: each alone, and all of them joined, have what was seen live."""
    play_in_small_files("tcp")


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
