"""Events with handlers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class EventHandler:
    """An event: `+=` adds a handler, `-=` removes one, and a call calls all of them in the order of their addition."""

    def __init__(self) -> None:
        self.eventHandlers: list[Callable[..., Any]] = []

    def addEventHandler(self, handler: Callable[..., Any]) -> None:
        """Adds a handler."""
        self.eventHandlers.append(handler)

    def removeEventHandler(self, handler: Callable[..., Any]) -> None:
        """Removes a handler, if it is there."""
        if handler in self.eventHandlers:
            self.eventHandlers.remove(handler)

    def __iadd__(self, handler: Callable[..., Any]) -> EventHandler:
        self.addEventHandler(handler)
        return self

    def __isub__(self, handler: Callable[..., Any]) -> EventHandler:
        self.removeEventHandler(handler)
        return self

    def __len__(self) -> int:
        return len(self.eventHandlers)

    def __bool__(self) -> bool:
        return True

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        # A handler may add or remove handlers.
        for handler in list(self.eventHandlers):
            handler(*args, **kwargs)
