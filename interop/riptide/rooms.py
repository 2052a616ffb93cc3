"""Clients of both formats on both transports in one room of `gamewire serve riptide`."""

import struct
from contextlib import ExitStack

from ours import Ours
from program import free_port
from theirs import TheirClient, until

KINDS = ("2.0+udp", "2.0+tcp", "2.1+udp", "2.1+tcp")


def everybody_hears_everybody_else() -> None:
    """Four of ours and two of the Python port, on one port at once."""
    port = free_port()
    with ExitStack() as stack:
        server = stack.enter_context(Ours("serve", "riptide", "--bind", f"127.0.0.1:{port}", "--relay", "10-20"))
        until([], lambda: bool(server.all("listening")), "our server listens")
        ours = {
            kind: stack.enter_context(Ours("join", f"riptide-{kind}://127.0.0.1:{port}")) for kind in KINDS
        }
        theirs = {transport: TheirClient(transport, port, "room") for transport in ("udp", "tcp")}
        running = list(theirs.values())
        until(running, lambda: all(client.is_connected for client in running), "theirs are in")
        until(running, lambda: all(client.all("connected") for client in ours.values()), "ours are in")

        for number, (kind, client) in enumerate(ours.items()):
            client.says(f'reliable {10 + number} int:{number} string:"from {kind}"')
        for number, client in enumerate(running):
            client.say("reliable", 15 + number, -1 - number)

        def missing() -> list[str]:
            everybody = range(10, 14), range(15, 17)
            sent = {kind: 10 + number for number, kind in enumerate(KINDS)} | {"udp": 15, "tcp": 16}
            heard = {kind: [event["id"] for event in client.all("message")] for kind, client in ours.items()}
            heard |= {kind: [number for number, _ in client.values] for kind, client in theirs.items()}
            wanted = {kind: sorted({*everybody[0], *everybody[1]} - {sent[kind]}) for kind in sent}
            return [kind for kind in sent if sorted(heard[kind]) != wanted[kind]]

        until(running, lambda: not missing(), "everybody hears everybody else, once")
        for kind, client in ours.items():
            for event in client.all("message"):
                if event["id"] < 14:
                    text = f"from {KINDS[event['id'] - 10]}".encode()
                    values = struct.pack("<iB", event["id"] - 10, len(text)) + text
                    assert bytes.fromhex(event["hex"])[: len(values)] == values, f"{kind}: {event}"
        server.says("stop")
        assert server.end() == 0, server
        for client in ours.values():
            assert client.end() == 1, client
            assert client.all("disconnected")[0]["reason"] == "ServerStopped", client
