"""The messages that a server relays."""

from __future__ import annotations

from collections.abc import Iterable


class MessageRelayFilter:
    """The ids of messages that a server relays to all other clients. A relayed message reaches no handler."""

    def __init__(self, idsToEnable: Iterable[int] | None = None):
        self._ids: set[int] = set(idsToEnable or ())

    def enableIDs(self, idsToEnable: Iterable[int]) -> None:
        """Relays messages with these ids."""
        self._ids.update(idsToEnable)

    def clearFilter(self) -> None:
        """Relays nothing."""
        self._ids.clear()

    def enableRelay(self, forMessageId: int) -> None:
        """Relays messages with this id."""
        self._ids.add(forMessageId)

    def disableRelay(self, forMessageId: int) -> None:
        """Relays messages with this id no longer."""
        self._ids.discard(forMessageId)

    def shouldRelay(self, forMessageId: int) -> bool:
        """Returns whether messages with this id are relayed."""
        return forMessageId in self._ids

    def __iadd__(self, other: int) -> MessageRelayFilter:
        self.enableRelay(other)
        return self

    def __isub__(self, other: int) -> MessageRelayFilter:
        self.disableRelay(other)
        return self
