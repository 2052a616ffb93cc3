"""A player for programs without an event loop."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from gamewire import _address
from gamewire._native import ClosedError
from gamewire.teeworlds._commands import Commands, World, connect

JOIN_TIMEOUT = 60.0
"""Maximum seconds until a player is in the game."""


class Player(Commands):
    """A player on a server of Teeworlds 0.6 or 0.7, or of DDNet.

        with Player.join("127.0.0.1:8303", "bot") as player:
            for event in player.events():
                if event["event"] == "chat":
                    player.say(event["text"])

    The connection lives while the program takes events, or calls `update()` often: a server ends it after some seconds
    without. Events are dicts with the name of the event in `event`: those of `gamewire join`, and `snapshot` for each new
    state of the world.
    """

    def __init__(self, server: _address.Address, name: str, **options: Any):
        """Begins to join: see `join`. The player is in the game after the event `entered`."""
        super().__init__()
        self._events: deque[dict[str, Any]] = deque()
        self._is_closed = False
        self._native = connect(server, name, options)
        self.world = World(self._native)
        """The game, as of the last snapshot."""

    @classmethod
    def join(
        cls,
        server: _address.Address,
        name: str,
        *,
        clan: str = "",
        password: str = "",
        skin: str | None = None,
        dialect: str | None = None,
        reconnects: bool = False,
        maps: str | None = None,
        timeout: float = JOIN_TIMEOUT,
    ) -> Player:
        """Joins a server, and waits until the player is in the game.

        `dialect`: `tw-0.6`, `tw-0.6.5`, `tw-0.6-tken` or `tw-0.7`; by default, that of the server. `reconnects`: whether
        the player connects again when the connection is lost, or the server asks for it. `maps`: the folder of
        downloaded maps; by default, that of the user's cache.

        Raises `ConnectionError` if there is no server, `ClosedError` if it rejects the player, and `TimeoutError`.
        """
        options = {"clan": clan, "password": password, "skin": skin, "dialect": dialect, "reconnects": reconnects, "maps": maps}
        player = cls(server, name, **options)
        try:
            player._wait_until_entered(timeout)
        except BaseException:
            player.close()
            raise
        return player

    @property
    def is_open(self) -> bool:
        """True if the connection is open, or opened again."""
        return not self._is_closed

    def next_event(self, timeout: float | None = None) -> dict[str, Any] | None:
        """Returns the next event; `None` after `timeout` seconds, and after the last event."""
        if self._events:
            return self._events.popleft()
        if self._is_closed:
            return None
        try:
            return self._native.next_event(timeout)
        except ClosedError:
            self._is_closed = True
            return None

    def events(self) -> Iterator[dict[str, Any]]:
        """Iterates over the events until the connection closes."""
        while (event := self.next_event()) is not None:
            yield event

    def update(self) -> None:
        """Receives and sends, without waiting. Events wait to be read; snapshots do not."""
        while not self._is_closed:
            try:
                event = self._native.next_event(0.0)
            except ClosedError:
                self._is_closed = True
                return
            if event is None:
                return
            if event["event"] != "snapshot":
                self._events.append(event)

    def close(self, reason: str = "") -> None:
        """Leaves the server. A second call does nothing. A player of Teeworlds 0.7 stays for a second at least, because the
        server bans those that leave earlier. Events of this second are dropped.
        """
        if self._is_closed:
            return
        self._is_closed = True
        try:
            while (left := self._stay()) > 0:
                self._native.next_event(left)
        except ClosedError:
            return
        except BaseException:
            self._native.close(reason)
            raise
        self._native.close(reason)

    def __enter__(self) -> Player:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wait_until_entered(self, timeout: float) -> None:
        end = time.monotonic() + timeout
        kept: list[dict[str, Any]] = []
        while True:
            event = self._native.next_event(max(0.0, end - time.monotonic()))
            # Snapshots do not extend the wait.
            if event is None or time.monotonic() >= end and event["event"] != "entered":
                raise TimeoutError(f"timed out after {timeout:g} s waiting to enter the game")
            if event["event"] == "entered":
                self._note_joined()
                self._events.extend(kept)
                return
            if event["event"] == "closed":
                raise ClosedError(event["reason"])
            if event["event"] != "snapshot":
                kept.append(event)
