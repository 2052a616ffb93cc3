"""The Python port of Riptide, pytide-networking, as the other side, and as a model for programs."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("pytidenetworking", reason="pytide-networking is not installed")

from gamewire.riptide import message as our_message  # noqa: E402
from gamewire.riptide.client import Client  # noqa: E402
from gamewire.riptide.message_base import MessageSendMode  # noqa: E402
from gamewire.riptide.server import Server  # noqa: E402
from gamewire.riptide.transports.tcp.tcp_client import TCPClient  # noqa: E402
from gamewire.riptide.transports.tcp.tcp_server import TCPServer  # noqa: E402
from gamewire.riptide.transports.udp.udp_client import UDPClient  # noqa: E402
from gamewire.riptide.transports.udp.udp_server import UDPServer  # noqa: E402
from pytidenetworking import client as their_client  # noqa: E402
from pytidenetworking import message as their_message  # noqa: E402
from pytidenetworking import pending_message  # noqa: E402
from pytidenetworking import server as their_server  # noqa: E402
from pytidenetworking.transports.tcp import tcp_client as their_tcp_client  # noqa: E402
from pytidenetworking.transports.tcp import tcp_server as their_tcp_server  # noqa: E402
from pytidenetworking.transports.udp import udp_client as their_udp_client  # noqa: E402
from pytidenetworking.transports.udp import udp_server as their_udp_server  # noqa: E402

# The port counts the attempts of pooled messages together, and ends the connection after 15.
pending_message.PENDING_MESSAGE_POOL.size = 0
pending_message.MAX_SEND_ATTEMPTS = 10**9

OURS = {"udp": (UDPServer, UDPClient), "tcp": (TCPServer, TCPClient)}
THEIRS = {
    "udp": (their_udp_server.UDPServer, their_udp_client.UDPClient),
    "tcp": (their_tcp_server.TCPServer, their_tcp_client.TCPClient),
}
COUNT = 40


def port_of(server, listener) -> int:
    """Returns the port that the system has chosen for a server. That of the Python port does not know it."""
    return server.port or listener.socket.getsockname()[1]


def update(*peers):
    for peer in peers:
        try:
            peer.update()
        except (ValueError, TypeError, AttributeError, OSError):
            # The port raises on some acks and at the end of connections.
            if type(peer).__module__.startswith("gamewire"):
                raise
    time.sleep(0.002)


def echo(server, listener, message, client):
    """Lets a client send messages of both modes, and returns the values that the server echoes."""
    values, connected = [], []
    server_messages = their_message if server.__module__.startswith("pytide") else our_message

    def answer(sender, received):
        sent = server_messages.create(received.sendMode, 11)
        sent.putInt32(received.getInt32())
        sent.putString(received.getString() + "!")
        server.send(sent, sender)

    server.registerMessageHandler(10, answer)
    client.registerMessageHandler(11, lambda it: values.append((it.getInt32(), it.getString())))
    client.Connected += lambda: connected.append(1)
    server.start(0, 8)
    client.connect(("127.0.0.1", port_of(server, listener)))
    end = time.monotonic() + 10
    while not connected and time.monotonic() < end:
        update(server, client)
    for number in range(COUNT):
        mode = MessageSendMode.Reliable if number % 2 else MessageSendMode.Unreliable
        sent = message.create(mode, 10)
        sent.putInt32(number)
        sent.putString("hello")
        client.send(sent)
        update(server, client)
    while len(values) < COUNT and time.monotonic() < end:
        update(server, client)
    return sorted(values)


@pytest.mark.parametrize("transport", ["udp", "tcp"])
def test_a_client_of_the_port_talks_to_our_server(transport):
    listener = OURS[transport][0]()
    server, client = Server(listener), their_client.Client(THEIRS[transport][1]())
    left = []
    server.ClientDisconnected += lambda connection, reason: left.append(int(reason))
    values = echo(server, listener, their_message, client)
    assert values == [(number, "hello!") for number in range(COUNT)]
    client.disconnect()
    end = time.monotonic() + 10
    while not left and time.monotonic() < end:
        update(server)
    assert left == [6]
    server.stop()


@pytest.mark.parametrize("transport", ["udp", "tcp"])
def test_our_client_talks_to_a_server_of_the_port(transport):
    listener = THEIRS[transport][0]()
    server, client = their_server.Server(listener), Client(OURS[transport][1]())
    values = echo(server, listener, our_message, client)
    assert values == [(number, "hello!") for number in range(COUNT)]
    client.disconnect()
    for _ in range(20):
        update(server)
    assert server.clientCount == 0
    try:
        server.stop()
    except (ValueError, TypeError, AttributeError, OSError):
        pass  # Over UDP the port fails to notify its clients.


@pytest.mark.parametrize("transport", ["udp", "tcp"])
def test_a_program_for_the_port_runs_with_another_name_in_its_imports(transport, tmp_path):
    original = Path(__file__).parent / "port_program.py"
    ours = tmp_path / "program.py"
    ours.write_text(original.read_text().replace("pytidenetworking", "gamewire.riptide"))

    def output(program):
        command = [sys.executable, str(program), transport]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        # The port prints its log.
        return [line for line in done.stdout.splitlines() if not line.startswith("[")]

    printed = output(ours)
    assert printed == output(original) and len(printed) == 5
