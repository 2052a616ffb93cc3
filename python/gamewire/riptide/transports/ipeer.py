"""The parts that all transports share."""

from __future__ import annotations

from gamewire.riptide.utils.eventhandler import EventHandler
from gamewire.riptide.utils.exceptions import ArgumentOutOfRangeException

DEFAULT_SOCKET_BUFFER_SIZE = 1024 * 1024
MINIMUM_SOCKET_BUFFER_SIZE = 256 * 1024


class IPeer:
    """The choice of a transport. The sockets belong to the client or server.

    Transports of an application's own are not supported: a client or server takes those of this package.
    """

    transport = ""
    """`udp` or `tcp`."""

    def __init__(self, socketBufferSize: int = DEFAULT_SOCKET_BUFFER_SIZE, listenAddress: str = ""):
        if socketBufferSize < MINIMUM_SOCKET_BUFFER_SIZE:
            raise ArgumentOutOfRangeException()
        self.socketBufferSize = socketBufferSize
        self.listenAddress = listenAddress
        self.Disconnected = EventHandler()


class IClient(IPeer):
    """The transport of a client."""


class IServer(IPeer):
    """The transport of a server."""

    port = -1
    """The port on which the server listens; -1 before its start."""
