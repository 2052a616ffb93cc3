"""A player for programs without an event loop."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from gamewire import _address, _native
from gamewire._native import ClosedError, Error
from gamewire.freeciv._commands import Commands
from gamewire.freeciv._reply import GameEnded, Reply, command
from gamewire.freeciv._server import LocalServer
from gamewire.freeciv._world import World

DEFAULT_PORT = 5556
DEFAULT_TIMEOUT = 60.0
"""Maximum seconds for a server to accept a player, to reply or to begin a turn."""
MAX_EVENTS = 4096
"""Maximum number of events that wait to be read. A further one displaces the oldest."""
ENDINGS = ("game_ended", "nation_destroyed")


class Player(Commands[Reply]):
    """A player on a Freeciv server of version 3.0, 3.1 or 3.2.

    Calls block until the server has replied, and drive the connection meanwhile. A program that does something else for
    more than a minute must call `update()` meanwhile, because the server expects answers to its pings.

    Events are dicts with the name of the event in `event`: those of `gamewire play`.
    """

    def __init__(
        self,
        server: _address.Address,
        name: str,
        *,
        version: str | None = None,
        password: str | None = None,
        start: bool = False,
        take: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        changes: bool = True,
    ):
        """Joins a server and waits until it has sent the game.

        `version`: the protocol, such as `"3.2"`; by default that of the server. `start`: starts the game if it has not
        started. `take`: the name of a player that exists, to play it, such as one of the server's AI in a loaded game.
        `timeout`: maximum seconds for each step of joining, and later for each reply. `changes`: whether there are events `changes`; a program that reads arrays
        is faster without them.

        Raises `ConnectionError` if there is no server, `ClosedError` if it rejects the player, `ValueError` for an
        invalid name or version, and `TimeoutError`.
        """
        host, port = _address.parse(server, DEFAULT_PORT)
        self._events: deque[dict[str, Any]] = deque(maxlen=MAX_EVENTS)
        self._ending: dict[str, Any] | None = None
        self._closed: dict[str, Any] | None = None
        self._timeout = timeout
        self.combats: deque[dict[str, Any]] = deque(maxlen=MAX_EVENTS)
        """The last events `combat`, oldest first."""
        self._native = _native.FreecivPlayer(
            host,
            port,
            name,
            version=version,
            password=password,
            start=start,
            take=take,
            timeout=timeout,
            changes=changes,
        )
        self.world = World(self._native)
        """The world that the player knows."""
        try:
            self._wait_for("state", timeout)
        except BaseException:
            self.close()
            raise

    @property
    def is_open(self) -> bool:
        """True if the connection is open."""
        return self._closed is None

    @property
    def ending(self) -> dict[str, Any] | None:
        """The event with which the game ended for the player; `None` before."""
        return self._ending

    def do(self, command_name: str, /, **fields: Any) -> Reply:
        """Executes a command of `gamewire play` by name, and waits for its reply. Fields that are `None` are left out.

        Raises `ClosedError` if the connection is closed, `TimeoutError` if there is no reply within the `timeout` of
        the player, and `ValueError` for an unknown command or field.
        """
        return self._reply_to(self._native.execute(command(command_name, fields)), command_name)

    def request_rights(self, server: LocalServer) -> str | None:
        """Requests all rights of a server of this program, and returns the name of the rights that it gives: `hack`, with
        which `say` executes every command of the server, such as `/save NAME`, `/set NAME VALUE` or `/lua cmd SCRIPT`.
        """
        self._reply_to(self._native.request_rights(server.folder), "request_rights")
        return self._native.rights()

    def _reply_to(self, number: int | None, command_name: str) -> Reply:
        """Waits for the reply to a command."""
        if number is None:
            raise Error("too many commands have no reply yet")
        end = time.monotonic() + self._timeout
        while True:
            event = self._receive(max(0.0, end - time.monotonic()))
            if event is not None:
                if event["event"] == "reply" and event["id"] == number:
                    return Reply.of(event)
                self._keep(event)
            # Other events do not extend the wait.
            if time.monotonic() >= end:
                raise TimeoutError(f"timed out after {self._timeout:g} s waiting for the reply to {command_name}")

    def all_legal_actions(self) -> list[dict[str, Any]]:
        """Returns all legal actions of the player, its units and its cities, each with a key that means the same in every
        game. `perform` executes one.
        """
        return self.do("legal_actions").checked().answer["actions"]

    def changed_legal_actions(self) -> tuple[list[Any], list[dict[str, Any]]]:
        """Returns the actors that have changed since the last call, also those that are gone, and their legal actions."""
        answer = self.do("legal_actions", changed=True).checked().answer
        return answer["changed"], answer["actions"]

    def legal_actions(self, unit: int, tile: int | None = None) -> list[dict[str, Any]]:
        """Asks the server for the legal actions of a unit on a tile, or on its own tile and those around it. `act`
        performs one.

        Raises `CommandError` if there is no such unit.
        """
        return self.do("legal_actions", unit=unit, tile=tile).checked().answer["actions"]

    def price(self, unit: int, action: str, tile: int | None = None) -> int:
        """Asks the server for the price of an action in gold. Raises `CommandError` if the action is not legal."""
        return self.do("price", unit=unit, action=action, tile=tile).checked().answer["price"]

    def city_name(self, unit: int) -> str:
        """Asks the server for the name of a city that a unit can found. Raises `CommandError` if it has none."""
        return self.do("city_name", unit=unit).checked().answer["name"]

    def packet(self, packet: str, **fields: Any) -> Reply:
        """Sends any packet of the protocol, for packets without a command. Other fields are 0 or empty."""
        return self.do("packet", packet=packet, fields=fields)

    def start(self) -> Reply:
        """Starts the game, if all players are ready."""
        return self.say("/start")

    def next_event(self, timeout: float | None = None) -> dict[str, Any] | None:
        """Returns the next event; `None` after `timeout` seconds, and after the last event."""
        if self._events:
            return self._events.popleft()
        if not self.is_open:
            return None
        event = self._receive(timeout)
        # A reply has been returned by `do`, or `do` was interrupted.
        return self.next_event(timeout) if event is not None and event["event"] == "reply" else event

    def events(self) -> Iterator[dict[str, Any]]:
        """Iterates over the events until the connection closes."""
        while (event := self.next_event()) is not None:
            yield event

    def update(self) -> None:
        """Receives, replies to pings and sends, without waiting."""
        while self.is_open and (event := self._receive(0.0)) is not None:
            self._keep(event)

    def wait_for_turn(self, timeout: float | None = DEFAULT_TIMEOUT) -> int:
        """Waits until a turn begins, and returns its number. Earlier events are dropped.

        Raises `GameEnded`, `ClosedError` or `TimeoutError`.
        """
        return self._wait_for("turn", timeout)["turn"]

    def next_turn(self, timeout: float | None = DEFAULT_TIMEOUT) -> int:
        """Ends the turn, waits until the next one begins, and returns its number. Earlier events are dropped.

        Raises `CommandError` if the turn cannot be ended now, and what `wait_for_turn` raises.
        """
        self._events.clear()
        self.end_turn().checked()
        return self.wait_for_turn(timeout)

    def close(self) -> None:
        """Leaves the server. A second call does nothing."""
        if self._closed is None:
            self._closed = {"event": "closed", "by": "us", "reason": "left"}
            self._native.close()

    def __enter__(self) -> Player:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wait_for(self, kind: str, timeout: float | None) -> dict[str, Any]:
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            if self._ending is not None and not self._events:
                raise GameEnded(self._ending)
            event = self.next_event(None if end is None else max(0.0, end - time.monotonic()))
            if event is None and not self.is_open:
                raise ClosedError(self._closed["reason"] if self._closed else "closed")
            if event is not None and event["event"] == kind:
                return event
            if event is not None and event["event"] == "password_requested":
                raise Error("the server requests the password of the player: pass it as password=")
            # Other events do not extend the wait.
            if end is not None and time.monotonic() >= end:
                raise TimeoutError(f"timed out after {timeout:g} s waiting for the event {kind}")

    def _receive(self, timeout: float | None) -> dict[str, Any] | None:
        """Returns the next event of the connection."""
        if self._closed is not None:
            raise ClosedError(self._closed["reason"])
        event = self._native.next_event(timeout)
        if event is not None and event["event"] == "closed":
            self._closed = event
        elif event is not None and event["event"] in ENDINGS:
            self._ending = event
        elif event is not None and event["event"] == "combat":
            self.combats.append(event)
        return event

    def _keep(self, event: dict[str, Any]) -> None:
        if event["event"] != "reply":
            self._events.append(event)
