"""Peers of pytide-networking 2.1.0a0, with workarounds for its bugs."""

import logging
import time
from collections.abc import Callable
from typing import Any

from pytidenetworking import message, pending_message
from pytidenetworking.client import Client
from pytidenetworking.message_base import MessageSendMode
from pytidenetworking.server import Server
from pytidenetworking.transports.tcp.tcp_client import TCPClient
from pytidenetworking.transports.tcp.tcp_server import TCPServer
from pytidenetworking.transports.udp.udp_client import UDPClient
from pytidenetworking.transports.udp.udp_peer import SocketMode
from pytidenetworking.transports.udp.udp_server import UDPServer

import program

LOOPBACK = "127.0.0.1"
# Seconds between two updates of peers, and between two looks at other programs.
PAUSE, IDLE_PAUSE = 0.004, 0.02
MODES = {"reliable": MessageSendMode.Reliable, "unreliable": MessageSendMode.Unreliable}

# Pooled messages keep their count of attempts, and 15 attempts end a connection.
pending_message.PENDING_MESSAGE_POOL.size = 0
pending_message.MAX_SEND_ATTEMPTS = 10**9
logging.disable(logging.CRITICAL)


def data_of(text: str) -> Any:
    """Returns connect, reject or kick data."""
    data = message.createInternal()
    data.putString(text)
    return data


def with_int(mode: str, number: int, value: int) -> Any:
    """Returns a message of one int."""
    created = message.create(MODES[mode], number)
    created.putInt32(value)
    return created


class TheirServer:
    """An echo server for messages of one int, which accepts clients with the right connect data."""

    def __init__(self, transport: str, port: int = 0, password: str = "", max_clients: int = 8) -> None:
        listen = {"listenAddress": LOOPBACK}
        listener = UDPServer(SocketMode.IPv4Only, **listen) if transport == "udp" else TCPServer(**listen)
        self.peer = Server(listener)
        self.left: list[int] = []
        self.peer.MessageReceived += self.echo
        self.peer.ClientDisconnected += lambda connection, *_: self.left.append(connection.id)
        if password:
            self.peer.handleConnection = lambda connection, data: self.decide(connection, data, password)
        self.peer.start(port, max_clients)
        self.port: int = listener.socket.getsockname()[1]

    def echo(self, connection: Any, number: int, received: Any) -> None:
        """Sends a message back in the same mode."""
        mode = "reliable" if received.sendMode == MessageSendMode.Reliable else "unreliable"
        self.peer.send(with_int(mode, number, received.getInt32()), connection)

    def decide(self, connection: Any, data: Any, password: str) -> None:
        """Accepts or rejects a client."""
        if data.getString() == password:
            self.peer.accept(connection)
        else:
            self.peer.reject(connection)

    def kick(self, client: int, reason: str) -> None:
        """Kicks a client."""
        self.peer.disconnectClient(client, data_of(reason))

    def stop(self) -> None:
        """Stops the server. Over UDP the port fails to notify its clients."""
        try:
            self.peer.stop()
        except (ValueError, TypeError, AttributeError, OSError):
            pass


class TheirClient:
    """A client that records its events."""

    def __init__(self, transport: str, port: int, data: str) -> None:
        self.peer = Client(UDPClient(SocketMode.IPv4Only) if transport == "udp" else TCPClient())
        self.is_connected = self.is_refused = False
        self.values: list[tuple[int, int]] = []
        self.came: list[int] = []
        self.left: list[int] = []
        self.ended: list[tuple[int, str]] = []
        self.peer.Connected += self.connected
        self.peer.ConnectionFailed += self.refused
        self.peer.MessageReceived += self.received
        self.peer.ClientConnected += self.came.append
        self.peer.ClientDisconnected += self.left.append
        self.peer.Disconnected += self.disconnected
        self.peer.connect((LOOPBACK, port), message=data_of(data))

    def connected(self) -> None:
        """Records that the client is connected."""
        self.is_connected = True

    def refused(self, *_: Any) -> None:
        """Records that the client was rejected."""
        self.is_refused = True

    def received(self, _: Any, number: int, received: Any) -> None:
        """Records a message of one int."""
        self.values.append((number, received.getInt32()))

    def disconnected(self, reason: int, data: Any) -> None:
        """Records a kick or the end of the server."""
        self.ended.append((int(reason), data.getString() if int(reason) == 4 else ""))

    def send(self, mode: str, number: int, value: int) -> None:
        """Sends a message of one int."""
        self.peer.send(with_int(mode, number, value))


def update(peers: list[Any]) -> None:
    """Updates every peer."""
    for peer in peers:
        try:
            peer.peer.update()
        except (ValueError, TypeError, AttributeError, OSError):
            pass  # The port raises on some acks and at the end of connections.


def until(peers: list[Any], done: Callable[[], object], what: object) -> None:
    """Updates the peers until `done` holds. `what`, or what it returns, is for the message of a failure."""

    def is_done() -> object:
        update(peers)
        return done()

    def failure() -> str:
        return f"not within {program.LIMIT} s: {what() if callable(what) else what}"

    program.until(is_done, failure, PAUSE if peers else IDLE_PAUSE)


def for_a_while(peers: list[Any], seconds: float) -> None:
    """Updates the peers for `seconds`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        update(peers)
        time.sleep(PAUSE)
