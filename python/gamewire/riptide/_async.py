"""Clients and servers for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

from gamewire import _address, _native
from gamewire._pump import Pump
from gamewire.riptide._events import Disconnected, Event, Refused, event_of
from gamewire.riptide.message import Message

DEFAULT_PORT = 7777
PeerT = TypeVar("PeerT", bound="AsyncPeer")


class AsyncPeer:
    """The events of a client or server, as an asynchronous iterator. It belongs to the event loop of its creation."""

    def __init__(self, native: Any):
        self._native = native
        # Unlimited: the native module stops reading while 16,384 events wait for its thread, which passes them on.
        self._events: asyncio.Queue[Event | Exception | None] = asyncio.Queue()
        self._is_closed = False
        self._pump = Pump(native, self._on_native, self._end)

    async def next_event(self, timeout: float | None = None) -> Event | None:
        """Returns the next event; `None` after `timeout` seconds, and after the last one."""
        if self._is_closed and self._events.empty():
            return None
        try:
            event = await asyncio.wait_for(self._events.get(), timeout)
        except asyncio.TimeoutError:
            return None
        if isinstance(event, Exception):
            raise event
        return event

    def __aiter__(self: PeerT) -> PeerT:
        return self

    async def __anext__(self) -> Event:
        event = await self.next_event()
        if event is None:
            raise StopAsyncIteration
        return event

    async def __aenter__(self: PeerT) -> PeerT:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the connections. The iteration ends after the events that wait. A second call does nothing."""
        if not self._is_closed:
            self._leave()
            self._end(None)

    def _leave(self) -> None:
        raise NotImplementedError

    def _on_native(self, native: dict[str, Any]) -> None:
        event = event_of(native)
        if event is not None and not self._is_closed:
            self._events.put_nowait(event)
        if isinstance(event, Disconnected | Refused):
            self._end(None)

    def _end(self, error: Exception | None) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._pump.stop()
            self._events.put_nowait(error)


class AsyncServer(AsyncPeer):
    """A server for clients of Riptide 2.0 and 2.1.

        async with AsyncServer(port=7777) as server:
            async for event in server:
                match event:
                    case Received(client=client, id=1, message=message):
                        print(client, message.getString())
    """

    def __init__(
        self,
        port: int = DEFAULT_PORT,
        *,
        host: str = "",
        max_clients: int = 10,
        transport: str = "udp_and_tcp",
        accept: Callable[[Message], bool] | None = None,
        max_payload_size: int = 1225,
        delivery_events: bool = False,
    ):
        """Listens on a port; 0 selects a free one. Without a host, it listens on all addresses.

        `transport`: `udp`, `tcp` or `udp_and_tcp`. `accept`: decides on a client by the data of its request.
        `max_payload_size`: maximum bytes of the values of a message, the same at both ends. `delivery_events`: whether
        there are events `Delivery`. Raises `OSError` if the port is not free.
        """
        self._accept = accept
        super().__init__(
            _native.RiptideServer(
                port,
                max_clients,
                host=host,
                transport=transport,
                decides=accept is not None,
                max_payload_size=max_payload_size,
                delivery_events=delivery_events,
            )
        )

    @property
    def port(self) -> int:
        """The port."""
        return self._native.port

    @property
    def clients(self) -> list[int]:
        """The ids of the connected clients."""
        return self._native.clients()

    def send(self, message: Message, client: int) -> int | None:
        """Sends a message to a client. Returns its number, unless it is unreliable.

        Raises `ClosedError` if the client is not connected, and `ValueError` if the send buffer is full.
        """
        return self._native.send(message._native, client)

    def send_to_all(self, message: Message, *, but: int | None = None) -> None:
        """Sends a message to all clients, but one."""
        self._native.send_to_all(message._native, but)

    def kick(self, client: int, data: Message | None = None) -> None:
        """Disconnects a client. `data` (`createInternal`) is sent to it."""
        self._native.disconnect_client(client, None if data is None else data._native)

    def relay(self, message_id: int, is_relayed: bool = True) -> None:
        """Relays messages with an id to all other clients, without events."""
        self._native.set_relay(message_id, is_relayed)

    def _leave(self) -> None:
        self._native.stop()

    def _on_native(self, native: dict[str, Any]) -> None:
        if native["event"] != "connection_requested":
            super()._on_native(native)
        elif self._accept is not None and self._accept(Message(native["data"])):
            self._native.accept(native["connection"])
        else:
            self._native.reject(native["connection"])


class RefusedError(ConnectionRefusedError):
    """The server did not accept the client. The second argument is the event `Refused`."""

    def __init__(self, server: str, event: Refused):
        super().__init__(event.reason, event)
        self._server = server

    def __str__(self) -> str:
        reason = self.args[0]
        if reason == "NoConnection":
            return f"no answer from {self._server} ({reason}); check the address, and that a server listens there"
        return f"the server {self._server} refused the client: {reason}"


class AsyncClient(AsyncPeer):
    """A client for servers of Riptide.

        async with await AsyncClient.connect("127.0.0.1:7777") as client:
            client.send(message)
            async for event in client:
                ...
    """

    @classmethod
    async def connect(
        cls,
        server: _address.Address,
        *,
        transport: str = "udp",
        version: str = "2.1",
        data: Message | None = None,
        attempts: int = 5,
        max_payload_size: int = 1225,
        delivery_events: bool = False,
    ) -> AsyncClient:
        """Connects to a server, and waits until it has accepted the client.

        `transport`: `udp` or `tcp`. `version`: of the server, `2.1` (also for later ones) or `2.0`. `data`
        (`createInternal`) is sent with the request, at most `attempts` times, one a second.

        Raises `ConnectionRefusedError`, with the event `Refused` as its second argument, if the server does not accept
        the client, and `ConnectionError` if there is none.
        """
        host, port = _address.parse(server, DEFAULT_PORT)

        def create() -> _native.RiptideClient:
            return _native.RiptideClient(
                host,
                port,
                transport=transport,
                version=version,
                data=None if data is None else data._native,
                attempts=attempts,
                max_payload_size=max_payload_size,
                delivery_events=delivery_events,
            )

        client = cls(await asyncio.to_thread(create))
        try:
            first = await client.next_event()
        except BaseException:
            await client.close()
            raise
        if isinstance(first, Refused):
            raise RefusedError(f"{host}:{port}", first)
        return client

    @property
    def id(self) -> int | None:
        """The id of this client."""
        return self._native.id

    @property
    def rtt(self) -> int:
        """The round trip in milliseconds; -1 before the first one."""
        return self._native.rtt

    def send(self, message: Message) -> int | None:
        """Sends a message. Returns its number, unless it is unreliable.

        Raises `ClosedError` if the client is not connected, and `ValueError` if the send buffer is full.
        """
        return self._native.send(message._native)

    def _leave(self) -> None:
        self._native.disconnect()
