"""Riptide: clients and servers.

The modules are those of the Python port (pytide-networking): a program for it runs when `pytidenetworking` in its imports
becomes `gamewire.riptide`.

    from gamewire.riptide.server import Server
    from gamewire.riptide.threading.fixedupdatethreads import FixedUpdateThread

    server = Server()
    server.registerMessageHandler(1, lambda client, message: print(client, message.getString()))
    server.start(7777, 10)
    FixedUpdateThread(server.update).start()

`AsyncServer` and `AsyncClient` are for asyncio.
"""

from gamewire._native import ClosedError, Error
from gamewire.riptide._async import AsyncClient, AsyncServer
from gamewire.riptide._events import (
    ClientConnected,
    ClientDisconnected,
    Connected,
    Delivery,
    Disconnected,
    Event,
    Received,
    Refused,
)
from gamewire.riptide.message import Message, create, createInternal
from gamewire.riptide.message_base import MessageSendMode

__all__ = [
    "AsyncClient",
    "AsyncServer",
    "ClientConnected",
    "ClientDisconnected",
    "ClosedError",
    "Connected",
    "Delivery",
    "Disconnected",
    "Error",
    "Event",
    "Message",
    "MessageSendMode",
    "Received",
    "Refused",
    "create",
    "createInternal",
]
