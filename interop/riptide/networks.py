"""A client whose router changes the address that the server sees, like a phone on another network."""

import secrets
import tempfile
from pathlib import Path

import program
from ours import Ours
from router import Router
from theirs import TheirServer, until


def a_client_with_a_new_address_is_told_by_ours_and_joins_again() -> None:
    """Our server answers the first heartbeat of the new address, so that the client need not wait for its timeout."""
    with Ours("serve", "riptide", "--bind", "127.0.0.1:0", "--relay", "none") as server, Router(server.port()) as router:
        with Ours("join", f"riptide-2.1+udp://127.0.0.1:{router.port}", "--reconnect") as client:
            program.until(lambda: client.all("connected"), lambda: f"the client is connected: {client}")
            client.type("reliable 10 int:1")
            program.until(lambda: server.values() == [(10, 1)], lambda: f"a message arrives: {server}")
            router.change_address()
            program.until(lambda: client.all("reconnected"), lambda: f"the client has joined again: {client} {server}")
            (event,) = client.all("reconnected")
            assert event["reason"] == "TimedOut" and event["client"] != client.all("connected")[0]["client"], event
            client.type("reliable 10 int:2")
            program.until(lambda: server.values() == [(10, 1), (10, 2)], lambda: f"a message arrives again: {server}")
            assert not client.all("disconnected"), client


def a_client_with_a_new_address_joins_the_python_port_again() -> None:
    """The port is silent, so the client learns by its timeout that its connection is lost."""
    server = TheirServer("udp")
    with Router(server.port) as router, Ours("join", f"riptide-2.1+udp://127.0.0.1:{router.port}", "--reconnect") as client:
        until([server], lambda: bool(client.all("connected")), "ours is connected")
        client.type("reliable 10 int:1")
        until([server], lambda: client.values() == [(10, 1)], "its echo arrives")
        router.change_address()
        until([server], lambda: bool(client.all("reconnected")), "ours has joined again")
        assert client.all("reconnected")[0]["reason"] == "TimedOut", client
        client.type("reliable 10 int:2")
        until([server], lambda: client.values() == [(10, 1), (10, 2)], "an echo arrives again")
        assert not client.all("disconnected"), client
    server.stop()


def an_encrypted_client_keeps_its_session_at_new_addresses() -> None:
    """The server follows it without a new connection: each of 1,000 reliable messages arrives once."""
    numbers = range(1_000)
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder, "server.key")
        key.write_text(secrets.token_hex(32))
        serve = "serve", "riptide", "--bind", "127.0.0.1:0", "--relay", "none", "--key", str(key), "--require-key"
        with Ours(*serve, "--transport", "udp") as server, Router(server.port()) as router:
            with Ours("join", f"riptide-2.1+udps://127.0.0.1:{router.port}", "--key", str(key)) as client:
                for number in numbers:
                    if number in (300, 700):
                        last = (10, number - 1)
                        program.until(lambda: last in server.values(), lambda: f"a message arrives: {server}")
                        router.change_address()
                    client.type(f"reliable 10 int:{number}")
                sent = [(10, number) for number in numbers]
                program.until(lambda: sorted(server.values()) == sent, lambda: f"all messages arrive once: {server}")
                assert len(client.all("address_changed")) == len(server.all("address_changed")) == 2, (client, server)
                assert not client.all("disconnected") and not server.all("client_disconnected"), (client, server)
