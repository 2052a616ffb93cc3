"""Servers, as in the Python port."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from gamewire import _native
from gamewire._native import ClosedError
from gamewire.riptide.connection import Connection, ConnectionState
from gamewire.riptide.message import Message
from gamewire.riptide.message_relay_filter import MessageRelayFilter
from gamewire.riptide.peer import DisconnectReason, Peer, disconnect_reason
from gamewire.riptide.transports.ipeer import IServer
from gamewire.riptide.transports.udp.udp_server import UDPServer
from gamewire.riptide.utils.eventhandler import EventHandler


class Server(Peer):
    """A server for clients of Riptide 2.0 and 2.1.

    `update` calls the handlers, in the order in which messages arrive. The methods may be called from any thread.
    """

    def __init__(self, transport: IServer | None = None):
        """`transport`: by default UDP."""
        self.ClientConnected = EventHandler()
        """Called with the `Connection` of a new client."""
        self.ConnectionFailed = EventHandler()
        """Called with the `Connection` of a client that was not accepted, or did not confirm that."""
        self.MessageReceived = EventHandler()
        """Called with the `Connection`, the id and the `Message`."""
        self.ClientDisconnected = EventHandler()
        """Called with the `Connection` and the `DisconnectReason`."""
        self.messageRelayFilter: MessageRelayFilter | None = None
        """The messages that are relayed to all other clients."""
        self.handleConnection: Callable[[Connection, Message], None] | None = None
        """Decides on a client, by `accept` or `reject`, now or later. Without it, every client is accepted."""
        self._transport = _checked(transport or UDPServer())
        self._handlers: dict[int, Callable[[int, Message], None]] = {}
        self._native: _native.RiptideServer | None = None
        self._pending: deque[dict[str, Any]] = deque()
        self._requests: dict[int, Connection] = {}
        self._clients: dict[int, Connection] = {}
        self._timeout = 5000

    @property
    def isRunning(self) -> bool:
        """True if the server runs."""
        return self._native is not None

    @property
    def port(self) -> int:
        """The port; -1 if the server does not run."""
        return -1 if self._native is None else self._native.port

    @property
    def clientCount(self) -> int:
        """Number of accepted clients."""
        return len(self._clients)

    @property
    def clients(self) -> list[Connection]:
        """The accepted clients."""
        return list(self._clients.values())

    @property
    def timeoutTime(self) -> int:
        """Milliseconds without a heartbeat until a client is disconnected."""
        return self._timeout

    @timeoutTime.setter
    def timeoutTime(self, value: int) -> None:
        self._timeout = value
        for connection in self.clients:
            connection.timeoutTime = value

    def start(self, port: int, maxClientCount: int) -> None:
        """Listens on a port, which may be 0 for a free one. Raises `OSError` if that is not possible."""
        self.stop()
        self._native = _native.RiptideServer(
            port,
            maxClientCount,
            host=self._transport.listenAddress,
            transport=self._transport.transport,
            decides=True,
            delivery_events=True,
            settings={"timeout": self._timeout / 1000},
            buffer_size=self._transport.socketBufferSize,
        )
        self._transport.port = self._native.port

    def stop(self) -> None:
        """Disconnects all clients and closes the sockets. Does nothing if the server does not run."""
        if self._native is None:
            return
        native, self._native = self._native, None
        native.stop()
        self._transport.port = -1
        self._pending.clear()
        self._requests.clear()
        self._clients.clear()

    def changeTransport(self, newTransport: IServer) -> None:
        """Stops the server, and uses another transport from the next start on."""
        self.stop()
        self._transport = _checked(newTransport)

    def registerMessageHandler(self, messageID: int, callback: Callable[[int, Message], None]) -> None:
        """Registers the handler for messages with an id. It is called with the id of the client and the message."""
        self._handlers[int(messageID)] = callback

    def removeMessageHandler(self, messageID: int) -> None:
        """Removes the handler for messages with an id."""
        del self._handlers[int(messageID)]

    def update(self) -> None:
        """Receives, calls handlers in the order of arrival, and sends. Never waits.

        The exception of a handler ends the update. The next one continues after that message.
        """
        if self._native is None:
            return
        self._pending.extend(self._native.update())
        while self._pending and self._native is not None:
            self._handle(self._pending.popleft())
        if self._native is not None:
            self._native.flush()

    def accept(self, connection: Connection) -> None:
        """Accepts a client that `handleConnection` was called with."""
        if self._native is None:
            return
        client = self._native.accept(connection._link.connection)
        if client is not None:
            connection._link.client = client
            self._clients[client] = connection

    def reject(self, connection: Connection, message: Message | None = None) -> None:
        """Rejects a client that `handleConnection` was called with. `message` (`createInternal`) is sent to it."""
        if self._native is not None:
            try:
                self._native.reject(connection._link.connection, None if message is None else message._native)
            except ClosedError:
                # It has left, or was accepted or rejected before.
                pass

    def send(self, message: Message, toClient: int | Connection, shouldRelease: bool = True) -> int:
        """Sends a message to a client, by id or connection. Returns its sequence id; 0 for an unreliable one, and if
        there is no such client."""
        id = toClient.id if isinstance(toClient, Connection) else toClient
        return self._send(message, id)

    def sendToAll(self, message: Message, exceptToClientId: int = -1, shouldRelease: bool = True) -> None:
        """Sends a message to all clients, but one."""
        if self._native is not None:
            self._native.send_to_all(message._native, None if exceptToClientId < 0 else exceptToClientId)

    def tryGetClient(self, id: int) -> tuple[bool, Connection | None]:
        """Returns whether a client is connected, and its connection."""
        connection = self._clients.get(id)
        return connection is not None, connection

    def disconnectClient(self, client: int | Connection, message: Message | None = None) -> None:
        """Disconnects a client, by id or connection. `message` (`createInternal`) is sent to it."""
        id = client.id if isinstance(client, Connection) else client
        if self._native is not None and id in self._clients:
            self._native.disconnect_client(id, None if message is None else message._native)

    def _send(self, message: Message, id: int) -> int:
        if self._native is None or id not in self._clients:
            return 0
        try:
            return self._native.send(message._native, id) or 0
        except ClosedError:
            return 0

    def _handle(self, event: dict[str, Any]) -> None:
        """Handles an event of the native module."""
        getattr(self, f"_on_{event['event']}", lambda event: None)(event)

    def _on_connection_requested(self, event: dict[str, Any]) -> None:
        connection = Connection(_ClientLink(self, event["connection"], event["address"]))
        self._requests[event["connection"]] = connection
        if self.handleConnection is None:
            self.accept(connection)
        else:
            self.handleConnection(connection, Message(event["data"]))

    def _on_refused(self, event: dict[str, Any]) -> None:
        connection = self._requests.pop(event["connection"], None)
        if connection is not None:
            connection._link.has_ended = True
            self._clients.pop(connection._link.client, None)
            self.ConnectionFailed(connection)

    def _on_client_connected(self, event: dict[str, Any]) -> None:
        connection = self._requests.pop(event["connection"], None)
        if connection is not None:
            connection._link.is_connected = True
            self.ClientConnected(connection)

    def _on_client_disconnected(self, event: dict[str, Any]) -> None:
        connection = self._clients.pop(event["client"], None)
        if connection is not None:
            connection._link.has_ended = True
            reason: DisconnectReason | int = disconnect_reason(event["number"])
            self.ClientDisconnected(connection, reason)

    def _on_delivery(self, event: dict[str, Any]) -> None:
        if (connection := self._clients.get(event["client"])) is not None:
            connection._on_delivery(event)

    def _on_message(self, event: dict[str, Any]) -> None:
        connection = self._clients.get(event["client"])
        if connection is None:
            return
        message = Message(event["message"])
        if not message.hasMessageID:
            connection.notifyReceived(message)
        elif self.messageRelayFilter is not None and self.messageRelayFilter.shouldRelay(message.msgID):
            if self._native is not None:
                self._native.relay(message._native, event["client"])
        else:
            self.MessageReceived(connection, message.msgID, message)
            if (handler := self._handlers.get(message.msgID)) is not None:
                handler(event["client"], message)


class _ClientLink:
    """A client, for its connection."""

    def __init__(self, server: Server, connection: int, address: tuple[str, int] | None):
        self.server = server
        self.connection = connection
        self.address = address
        self.client: int | None = None
        self.is_connected = False
        self.has_ended = False

    def id(self) -> int | None:
        return self.client

    def round_trip(self) -> tuple[int, int]:
        native = self.server._native
        return (native and self.client and native.round_trip(self.client)) or (-1, -1)

    def state(self) -> int:
        if self.has_ended or self.server._native is None:
            return ConnectionState.NotConnected
        return ConnectionState.Connected if self.is_connected else ConnectionState.Pending

    def metrics(self) -> dict[str, int]:
        native = self.server._native
        return (native and self.client and native.metrics(self.client)) or {}

    def send(self, message: Message) -> int:
        return 0 if self.client is None else self.server._send(message, self.client)

    def set_settings(self, changes: dict[str, Any]) -> None:
        if self.server._native is not None and self.client is not None and not self.has_ended:
            self.server._native.set_settings(self.client, changes)


def _checked(transport: IServer) -> IServer:
    if not isinstance(transport, IServer):
        raise TypeError(f"unsupported transport {type(transport).__name__}: use UDPServer or TCPServer of gamewire")
    return transport
