"""Replies to commands, and the errors of players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gamewire._native import ClosedError, Error


@dataclass(frozen=True)
class Reply:
    """The reply to a command."""

    outcome: str
    """`done`; `answered`: the server answered by text alone, which does not say whether it succeeded, or put a line that
    starts with / to the vote; `refused`: the server refused it; `silent`: the server did not react, so nothing changed;
    `illegal`: the server does not offer the action, or it is not the phase of the player; `error`: nothing was sent;
    `unanswered`: the connection closed before the reply."""
    text: str | None
    """The messages of the server, a line each, or the error."""
    answer: Any
    """The answer to a question."""

    @property
    def is_done(self) -> bool:
        """True if the server executed the command, or answered it by text alone."""
        return self.outcome in ("done", "answered")

    def checked(self) -> Reply:
        """Returns the reply. Raises `CommandError` if the command was not executed, and `ClosedError` if the connection
        closed before the reply.
        """
        if self.outcome == "unanswered":
            raise ClosedError(self.text or "closed")
        if not self.is_done:
            raise CommandError(self)
        return self

    @classmethod
    def of(cls, event: dict[str, Any]) -> Reply:
        """Returns the reply in an event `reply`."""
        return cls(event["outcome"], event["text"], event["answer"])


class CommandError(Error):
    """A command was not executed. `reply` has the reason."""

    def __init__(self, reply: Reply):
        text = reply.text or (
            "the server did not react, so nothing changed" if reply.outcome == "silent" else "the server gave no reason"
        )
        super().__init__(f"{reply.outcome}: {text}")
        self.reply = reply


class GameEnded(Error):
    """The game has ended for the player. `event` is the event `game_ended` or `nation_destroyed`."""

    def __init__(self, event: dict[str, Any]):
        super().__init__(event["event"].replace("_", " "))
        self.event = event


def command(name: str, fields: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns a command as the native module takes it."""
    return {name: {key: value for key, value in fields.items() if value is not None}}
