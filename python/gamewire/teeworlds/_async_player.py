"""A player for programs with an event loop."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any

from gamewire import _address, _native
from gamewire._native import ClosedError
from gamewire._pump import Pump
from gamewire.teeworlds._commands import Commands, World, connect
from gamewire.teeworlds._player import JOIN_TIMEOUT

MAX_EVENTS = 4096
"""Maximum number of events that wait to be read. Further ones displace the oldest."""


class AsyncPlayer(Commands):
    """A player on a server of Teeworlds 0.6 or 0.7, or of DDNet, for asyncio.

        async with await AsyncPlayer.join("127.0.0.1:8303", "bot") as player:
            async for event in player:
                ...

    Its commands are those of `Player`. A player belongs to the event loop in which it was created.
    """

    def __init__(self, native: _native.TeeworldsPlayer):
        """Use `join`."""
        super().__init__()
        self._native = native
        self.world = World(native)
        """The game, as of the last snapshot."""
        self._events: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._is_closed = False
        self._pump = Pump(native, self._on_event, self._on_end)

    @classmethod
    async def join(
        cls, server: _address.Address, name: str, *, timeout: float = JOIN_TIMEOUT, **options: Any
    ) -> AsyncPlayer:
        """Joins a server, and waits until the player is in the game: see `Player.join`."""
        player = cls(await asyncio.to_thread(connect, server, name, options))
        try:
            await asyncio.wait_for(player._entered(), timeout)
        except BaseException:
            await player.close()
            raise
        return player

    @property
    def is_open(self) -> bool:
        """True if the connection is open, or opened again."""
        return not self._is_closed

    async def next_event(self, timeout: float | None = None) -> dict[str, Any] | None:
        """Returns the next event; `None` after `timeout` seconds, and after the last event."""
        if self._is_closed and self._events.empty():
            return None
        try:
            return await asyncio.wait_for(self._events.get(), timeout)
        except asyncio.TimeoutError:
            return None

    async def close(self, reason: str = "") -> None:
        """Leaves the server. A second call does nothing. A player of Teeworlds 0.7 stays for a second at least, because the
        server bans those that leave earlier.
        """
        try:
            while not self._is_closed and (left := self._stay()) > 0:
                await asyncio.sleep(left)
        finally:
            self._leave(reason)

    def _leave(self, reason: str) -> None:
        if not self._is_closed:
            self._pump.stop()
            self._native.close(reason)
            self._on_end(None)

    def __aiter__(self) -> AsyncPlayer:
        return self

    async def __anext__(self) -> dict[str, Any]:
        event = await self.next_event()
        if event is None:
            raise StopAsyncIteration
        return event

    async def __aenter__(self) -> AsyncPlayer:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _entered(self) -> None:
        while (event := await self.next_event()) is None or event["event"] != "entered":
            if event is None or event["event"] == "closed":
                raise ClosedError("closed" if event is None else event["reason"])
        self._note_joined()

    def _on_event(self, event: dict[str, Any]) -> None:
        if self._events.qsize() >= MAX_EVENTS:
            self._events.get_nowait()
        self._events.put_nowait(event)

    def _on_end(self, error: Exception | None) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._events.put_nowait(None)
