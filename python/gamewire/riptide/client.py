"""Clients, as in the Python port."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from gamewire import _address, _native
from gamewire._native import ClosedError
from gamewire.riptide.connection import Connection, ConnectionState
from gamewire.riptide.message import Message
from gamewire.riptide.peer import Peer, disconnect_reason
from gamewire.riptide.transports.ipeer import IClient
from gamewire.riptide.transports.udp.udp_client import UDPClient
from gamewire.riptide.utils.eventhandler import EventHandler

DEFAULT_PORT = 7777
_logger = logging.getLogger("gamewire")


class Client(Peer):
    """A client for servers of Riptide 2.1.

    `update` calls the handlers, in the order in which messages arrive. The methods may be called from any thread.
    """

    def __init__(self, transport: IClient | None = None):
        """`transport`: by default UDP."""
        self.Connected = EventHandler()
        """Called without arguments."""
        self.ConnectionFailed = EventHandler()
        """Called with the `Message` of the server that rejected the client, or `None`."""
        self.MessageReceived = EventHandler()
        """Called with the `Connection`, the id and the `Message`."""
        self.Disconnected = EventHandler()
        """Called with the `DisconnectReason`, and the `Message` of the server or `None`."""
        self.ClientConnected = EventHandler()
        """Called with the id of another client."""
        self.ClientDisconnected = EventHandler()
        """Called with the id of another client."""
        self._transport = _checked(transport or UDPClient())
        self._handlers: dict[int, Callable[[Message], None]] = {}
        self._uses_handlers = True
        self._native: _native.RiptideClient | None = None
        self._connection: Connection | None = None
        self._pending: deque[dict[str, Any]] = deque()
        self._timeout = 5000

    @property
    def connection(self) -> Connection | None:
        """The connection to the server; `None` before the first one."""
        return self._connection

    @property
    def id(self) -> int:
        """The id of this client; 0 before it is connected."""
        return 0 if self._connection is None else self._connection.id

    @property
    def rtt(self) -> int:
        """The round trip in milliseconds; -1 before the first one."""
        return -1 if self._connection is None else self._connection.rtt

    @property
    def smoothRTT(self) -> int:
        """The smoothed round trip in milliseconds; -1 before the first one."""
        return -1 if self._connection is None else self._connection.smoothRTT

    @property
    def timeoutTime(self) -> int:
        """Milliseconds without a heartbeat until the connection ends. In the port, it has no effect."""
        return self._timeout

    @timeoutTime.setter
    def timeoutTime(self, value: int) -> None:
        self._timeout = value
        if self._connection is not None:
            self._connection.timeoutTime = value

    @property
    def isNotConnected(self) -> bool:
        """True if there is no connection, nor an attempt."""
        return self._connection is None or self._connection.isNotConnected

    @property
    def isConnecting(self) -> bool:
        """True if the server has not answered yet."""
        return self._connection is not None and self._connection.isConnecting

    @property
    def isPending(self) -> bool:
        """True if the server has not decided yet."""
        return self._connection is not None and self._connection.isPending

    @property
    def isConnected(self) -> bool:
        """True if messages can be sent."""
        return self._connection is not None and self._connection.isConnected

    def registerMessageHandler(self, messageID: int, callback: Callable[[Message], None]) -> None:
        """Registers the handler for messages with an id."""
        self._handlers[int(messageID)] = callback

    def removeMessageHandler(self, messageID: int) -> None:
        """Removes the handler for messages with an id."""
        del self._handlers[int(messageID)]

    def changeTransport(self, transport: IClient) -> None:
        """Disconnects, and uses another transport from the next connection on."""
        self.disconnect()
        self._transport = _checked(transport)

    def connect(
        self,
        hostAddress: tuple[str, int],
        maxConnectionAttempts: int = 5,
        messageHandlerGroupId: int = 0,
        message: Message | None = None,
        useMessageHandlers: bool = True,
    ) -> bool:
        """Starts to connect. Over TCP, it blocks until the stream is open.

        `message` (`createInternal`) is sent with the request. Returns whether the attempt began; it does not if the server
        has no address, or no program listens there over TCP.
        """
        self.disconnect()
        host, port = _address.parse(hostAddress, DEFAULT_PORT)
        try:
            native = _native.RiptideClient(
                host,
                port,
                transport=self._transport.transport,
                data=None if message is None else message._native,
                attempts=maxConnectionAttempts,
                delivery_events=True,
                settings={"timeout": self._timeout / 1000},
                buffer_size=self._transport.socketBufferSize,
            )
        except ConnectionError as error:
            _logger.error("%s", error)
            return False
        self._uses_handlers = useMessageHandlers
        self._native = native
        self._connection = Connection(_ServerLink(native, (host, port)))
        self._pending.clear()
        return True

    def update(self) -> None:
        """Receives, calls handlers in the order of arrival, and sends. Never waits.

        The exception of a handler ends the update. The next one continues after that message.
        """
        if self._native is not None:
            self._pending.extend(self._native.update())
        while self._pending:
            self._handle(self._pending.popleft())
        if self._native is not None:
            self._native.flush()

    def send(self, message: Message, shouldRelease: bool = True) -> int:
        """Sends a message, and returns its sequence id; 0 for an unreliable one, and if the client is not connected."""
        return 0 if self._connection is None else self._connection.sendMessage(message, shouldRelease)

    def disconnect(self) -> None:
        """Leaves the server. `Disconnected` is called immediately. Does nothing without a connection."""
        if self._native is None:
            return
        self._native.disconnect()
        self._pending.extend(self._native.update())
        while self._pending:
            self._handle(self._pending.popleft())
        self._native = None

    def _handle(self, event: dict[str, Any]) -> None:
        """Handles an event of the native module."""
        getattr(self, f"_on_{event['event']}", lambda event: None)(event)

    def _on_connected(self, event: dict[str, Any]) -> None:
        self.Connected()

    def _on_refused(self, event: dict[str, Any]) -> None:
        self._end()
        self.ConnectionFailed(_message(event["data"]))

    def _on_disconnected(self, event: dict[str, Any]) -> None:
        self._end()
        self.Disconnected(disconnect_reason(event["number"]), _message(event["data"]))

    def _on_client_connected(self, event: dict[str, Any]) -> None:
        self.ClientConnected(event["client"])

    def _on_client_disconnected(self, event: dict[str, Any]) -> None:
        self.ClientDisconnected(event["client"])

    def _on_delivery(self, event: dict[str, Any]) -> None:
        if self._connection is not None:
            self._connection._on_delivery(event)

    def _on_message(self, event: dict[str, Any]) -> None:
        message = Message(event["message"])
        if not message.hasMessageID:
            if self._connection is not None:
                self._connection.notifyReceived(message)
            return
        self.MessageReceived(self._connection, message.msgID, message)
        handler = self._handlers.get(message.msgID) if self._uses_handlers else None
        if handler is not None:
            handler(message)

    def _end(self) -> None:
        """Closes the socket after the last event."""
        self._native = None
        if self._connection is not None:
            self._connection._link.native = None


class _ServerLink:
    """The server, for the connection."""

    def __init__(self, native: _native.RiptideClient, address: tuple[str, int]):
        self.native: _native.RiptideClient | None = native
        self.address = address
        self._last_id: int | None = None

    def id(self) -> int | None:
        if self.native is not None:
            self._last_id = self.native.id or self._last_id
        return self._last_id

    def round_trip(self) -> tuple[int, int]:
        return (-1, -1) if self.native is None else (self.native.rtt, self.native.smooth_rtt)

    def state(self) -> int:
        return ConnectionState.NotConnected if self.native is None else self.native.state

    def metrics(self) -> dict[str, int]:
        return {} if self.native is None else self.native.metrics()

    def send(self, message: Message) -> int:
        try:
            return 0 if self.native is None else self.native.send(message._native) or 0
        except ClosedError:
            return 0

    def set_settings(self, changes: dict[str, Any]) -> None:
        if self.native is not None:
            self.native.set_settings(changes)


def _message(native: _native.RiptideMessage | None) -> Message | None:
    return None if native is None else Message(native)


def _checked(transport: IClient) -> IClient:
    if not isinstance(transport, IClient):
        raise TypeError(f"unsupported transport {type(transport).__name__}: use UDPClient or TCPClient of gamewire")
    return transport
