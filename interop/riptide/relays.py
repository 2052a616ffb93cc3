"""Clients of both formats on both transports, relayed by one `gamewire serve riptide`."""

import struct
from contextlib import ExitStack

from ours import Ours
from program import free_port
from theirs import TheirClient, until

KINDS = ("2.0+udp", "2.0+tcp", "2.1+udp", "2.1+tcp")


def every_client_receives_from_all_others() -> None:
    """Four of our clients and two of the Python port on one port."""
    port = free_port()
    with ExitStack() as stack:
        server = stack.enter_context(Ours("serve", "riptide", "--bind", f"127.0.0.1:{port}", "--relay", "10-20"))
        until([], lambda: bool(server.all("listening")), "our server listens")
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
