"""Clients of both formats on both transports, relayed by one `gamewire serve riptide`."""

import struct
from contextlib import ExitStack

from figures import BURST
from ours import Ours
from theirs import TheirClient, for_a_while, until

KINDS = ("2.0+udp", "2.0+tcp", "2.1+udp", "2.1+tcp")


def every_client_receives_from_all_others() -> None:
    """Four of our clients and two of the Python port on one port."""
    with ExitStack() as stack:
        server = stack.enter_context(Ours("serve", "riptide", "--bind", "127.0.0.1:0", "--relay", "10-20"))
        port = server.port()
        ours = {
            kind: stack.enter_context(Ours("join", f"riptide-{kind}://127.0.0.1:{port}")) for kind in KINDS
        }
        theirs = {transport: TheirClient(transport, port, "relay") for transport in ("udp", "tcp")}
        running = list(theirs.values())
        until(running, lambda: all(client.is_connected for client in running), "theirs are connected")
        until(running, lambda: all(client.all("connected") for client in ours.values()), "ours are connected")

        for number, (kind, client) in enumerate(ours.items()):
            client.type(f'reliable {10 + number} int:{number} string:"from {kind}"')
        for number, client in enumerate(running):
            client.send("reliable", 15 + number, -1 - number)

        def missing() -> list[str]:
            ids = {*range(10, 14), *range(15, 17)}
            sent = {kind: 10 + number for number, kind in enumerate(KINDS)} | {"udp": 15, "tcp": 16}
            received = {kind: [event["id"] for event in client.all("message")] for kind, client in ours.items()}
            received |= {kind: [number for number, _ in client.values] for kind, client in theirs.items()}
            wanted = {kind: sorted(ids - {sent[kind]}) for kind in sent}
            return [kind for kind in sent if sorted(received[kind]) != wanted[kind]]

        until(running, lambda: not missing(), "every client receives each message of the others once")
        for kind, client in ours.items():
            for event in client.all("message"):
                if event["id"] < 14:
                    text = f"from {KINDS[event['id'] - 10]}".encode()
                    values = struct.pack("<iB", event["id"] - 10, len(text)) + text
                    assert bytes.fromhex(event["hex"])[: len(values)] == values, f"{kind}: {event}"
        server.type("stop")
        assert server.end() == 0, server
        for client in ours.values():
            assert client.end() == 1, client
            assert client.all("disconnected")[0]["reason"] == "ServerStopped", client


def a_sender_over_its_budget_loses_nothing() -> None:
    """A burst of 300 reliable messages, where 200 a second are allowed: unacknowledged ones are resent."""
    served = ["serve", "riptide", "--bind", "127.0.0.1:0", "--relay-budget", "200", "--quiet"]
    with ExitStack() as stack:
        server = stack.enter_context(Ours(*served))
        port = server.port()
        sender = stack.enter_context(Ours("join", f"riptide-2.1+udp://127.0.0.1:{port}"))
        until([], lambda: bool(sender.all("connected")), "ours is connected")
        # The port never sends a message again, so it only receives the reliable ones.
        theirs = TheirClient("udp", port, "relay")
        until([theirs], lambda: theirs.is_connected, "theirs is connected")

        def limited(kind: str) -> int:
            return sum(event[kind] for event in server.all("relay_limited"))

        def dropped() -> int:
            return limited("dropped")

        typed = 0
        # A busy machine may take so long for a burst that it fits the budget.
        while limited("deferred") == 0:
            assert typed < 3_000, server
            sender.type("\n".join(f"reliable 10 int:{value}" for value in range(typed, typed + 300)))
            typed += 300
            until([theirs], lambda: len(theirs.values) >= typed, "every message arrives")
            # The server reports once a second.
            for_a_while([theirs], 1.5)
        assert sorted(theirs.values) == [(10, value) for value in range(typed)], "each message once"

        sent = 0
        while dropped() == 0:
            for value in range(sent, sent + BURST):
                theirs.send("unreliable", 11, value)
            sent += BURST
            until([theirs], lambda: len(sender.all("message")) + dropped() >= sent, "each is relayed or dropped")
        for_a_while([theirs], 0.3)
        assert len(sender.all("message")) == sent - dropped(), sender
        assert not sender.all("disconnected"), sender
        server.type("stop")
        assert server.end() == 0, server
        (summary,) = server.all("summary")
        assert summary["rate_limited"] == dropped(), server
        assert sender.end() == 1, sender
