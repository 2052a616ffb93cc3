"""A player for programs with an event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable
from types import TracebackType
from typing import Any

from gamewire import _address, _native
from gamewire._native import ClosedError, Error
from gamewire._pump import Pump
from gamewire.freeciv._commands import Commands
from gamewire.freeciv._player import DEFAULT_PORT, DEFAULT_TIMEOUT, ENDINGS, MAX_EVENTS
from gamewire.freeciv._reply import GameEnded, Reply, command
from gamewire.freeciv._world import World


RETRY_INTERVAL = 0.01
"""Seconds until a command is tried again while too many have no reply."""


class AsyncPlayer(Commands[Awaitable[Reply]]):
    """A player on a Freeciv server of version 3.0, 3.1 or 3.2, for asyncio.

        async with await AsyncPlayer.join(server, "bot") as player:
            await player.found_city(unit=7)
            async for event in player:
                ...

    Its methods are those of `Player`, to be awaited. Several tasks may execute commands at the same time: each gets the
    reply to its own. A player belongs to the event loop in which it was created.
    """

    def __init__(self, native: _native.FreecivPlayer, timeout: float = DEFAULT_TIMEOUT):
        """Use `join`."""
        self._native, self._timeout = native, timeout
        self._events: deque[dict[str, Any]] = deque(maxlen=MAX_EVENTS)
        self._replies: dict[int, asyncio.Future[Reply]] = {}
        self._arrived = asyncio.Event()
        self._entered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._closed: str | None = None
        self._ending: dict[str, Any] | None = None
        self._is_left = False
        self.world = World(native)
        """The world that the player knows."""
        self._pump = Pump(native, self._on_event, self._on_end)

    @classmethod
    async def join(
        cls,
        server: _address.Address,
        name: str,
        *,
        version: str | None = None,
        password: str | None = None,
        start: bool = False,
        take: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> AsyncPlayer:
        """Joins a server and waits until it has sent the game: see `Player`."""
        host, port = _address.parse(server, DEFAULT_PORT)

        def connect() -> _native.FreecivPlayer:
            return _native.FreecivPlayer(
                host, port, name, version=version, password=password, start=start, take=take, timeout=timeout
            )

        player = cls(await asyncio.to_thread(connect), timeout)
        try:
            await asyncio.wait_for(player._entered, timeout)
        except asyncio.TimeoutError:
            await player.close()
            raise TimeoutError(f"timed out after {timeout:g} s waiting for the event state") from None
        except BaseException:
            await player.close()
            raise
        return player

    @property
    def is_open(self) -> bool:
        """True if the connection is open."""
        return self._closed is None

    @property
    def ending(self) -> dict[str, Any] | None:
        """The event with which the game ended for the player; `None` before."""
        return self._ending

    async def do(self, command_name: str, /, **fields: Any) -> Reply:
        """Executes a command of `gamewire play` by name, and waits for its reply: see `Player.do`."""
        return await asyncio.wait_for(self._reply(command(command_name, fields)), self._timeout)

    async def _reply(self, command: dict[str, dict[str, Any]]) -> Reply:
        while (number := self._native.execute(command)) is None:
            # Too many commands have no reply: wait until one of them has.
            await asyncio.sleep(RETRY_INTERVAL)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._replies[number] = future
        return await future

    async def all_legal_actions(self) -> list[dict[str, Any]]:
        """Returns all legal actions: see `Player.all_legal_actions`."""
        return (await self.do("legal_actions")).checked().answer["actions"]

    async def changed_legal_actions(self) -> tuple[list[Any], list[dict[str, Any]]]:
        """Returns the actors that have changed, and their legal actions: see `Player.changed_legal_actions`."""
        answer = (await self.do("legal_actions", changed=True)).checked().answer
        return answer["changed"], answer["actions"]

    async def legal_actions(self, unit: int, tile: int | None = None) -> list[dict[str, Any]]:
        """Asks the server for the legal actions of a unit: see `Player.legal_actions`."""
        return (await self.do("legal_actions", unit=unit, tile=tile)).checked().answer["actions"]

    async def start(self) -> Reply:
        """Starts the game, if all players are ready."""
        return await self.say("/start")

    async def next_event(self, timeout: float | None = None) -> dict[str, Any] | None:
        """Returns the next event; `None` after `timeout` seconds, and after the last event."""
        while not self._events:
            if self._closed is not None:
                return None
            self._arrived.clear()
            try:
                await asyncio.wait_for(self._arrived.wait(), timeout)
            except asyncio.TimeoutError:
                return None
        return self._events.popleft()

    async def next_turn(self, timeout: float | None = DEFAULT_TIMEOUT) -> int:
        """Ends the turn, waits until the next one begins, and returns its number: see `Player.next_turn`."""
        self._events.clear()
        (await self.end_turn()).checked()
        return await self.wait_for_turn(timeout)

    async def wait_for_turn(self, timeout: float | None = DEFAULT_TIMEOUT) -> int:
        """Waits until a turn begins, and returns its number: see `Player.wait_for_turn`."""
        return await asyncio.wait_for(self._turn(), timeout)

    async def _turn(self) -> int:
        while self._ending is None or self._events:
            event = await self.next_event()
            if event is None:
                raise ClosedError(self._closed)
            if event["event"] == "turn":
                return event["turn"]
        raise GameEnded(self._ending)

    async def close(self) -> None:
        """Leaves the server. A second call does nothing."""
        if not self._is_left:
            self._is_left = True
            self._pump.stop()
            self._native.close()
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

    def _on_event(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "reply":
            future = self._replies.pop(event["id"], None)
            if future is not None and not future.done():
                future.set_result(Reply.of(event))
            return
        if kind == "state" and not self._entered.done():
            self._entered.set_result(None)
        elif kind == "password_requested" and not self._entered.done():
            self._entered.set_exception(Error("the server requests a password of the player: name it"))
        elif kind in ENDINGS:
            self._ending = event
        self._events.append(event)
        self._arrived.set()
        if kind == "closed":
            self._pump.stop()
            self._closed = event["reason"]
            self._on_end(None)

    def _on_end(self, error: Exception | None) -> None:
        self._closed = self._closed or (str(error) if error else "left")
        waiting: list[asyncio.Future[Any]] = [*self._replies.values(), self._entered]
        for future in waiting:
            if not future.done():
                future.set_exception(error or ClosedError(self._closed))
        if not self._entered.cancelled():
            # Otherwise asyncio reports it as an error that no task has seen.
            self._entered.exception()
        self._replies.clear()
        self._arrived.set()
