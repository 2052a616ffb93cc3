"""Events of `AsyncServer` and `AsyncClient`."""

from __future__ import annotations

from dataclasses import dataclass

from gamewire.riptide.message import Message


@dataclass(frozen=True)
class Connected:
    """The client is connected."""

    client: int
    """Its id."""


@dataclass(frozen=True)
class Refused:
    """The client was not accepted."""

    reason: str
    """The reason, as in the C# library, such as `NoConnection` or `Custom`."""
    data: Message | None
    """The data of the server, with the reason `Custom`."""


@dataclass(frozen=True)
class Received:
    """A message arrived."""

    client: int | None
    """The id of the client that sent it; `None` from the server."""
    message: Message
    """The message."""

    @property
    def id(self) -> int | None:
        """The id of the message; `None` for a notify message."""
        return self.message.msgID if self.message.hasMessageID else None


@dataclass(frozen=True)
class Disconnected:
    """The connection to the server is closed."""

    reason: str
    """The reason, as in the C# library, such as `Kicked`."""
    data: Message | None
    """The data of the server, with the reason `Kicked`."""


@dataclass(frozen=True)
class ClientConnected:
    """A client connected to the server."""

    client: int
    """Its id."""


@dataclass(frozen=True)
class ClientDisconnected:
    """A client disconnected from the server."""

    client: int
    """Its id."""
    reason: str | None
    """The reason, as in the C# library; `None` where a client is notified of another one."""


@dataclass(frozen=True)
class Delivery:
    """The delivery of a message is decided."""

    client: int | None
    """The id of the receiver; `None` for the server."""
    seq_id: int
    """The number that the call of `send` returned."""
    outcome: str
    """`reliable_delivered`, `notify_delivered`, `notify_lost` or `notify_unknown`."""


Event = Connected | Refused | Received | Disconnected | ClientConnected | ClientDisconnected | Delivery
"""An event."""


def event_of(native: dict) -> Event | None:
    """Returns an event of the native module; `None` for others."""

    def message(of: str) -> Message | None:
        return None if native[of] is None else Message(native[of])

    match native["event"]:
        case "connected":
            return Connected(native["client"])
        case "refused" if "data" in native:
            return Refused(native["reason"], message("data"))
        case "message":
            return Received(native.get("client"), Message(native["message"]))
        case "disconnected":
            return Disconnected(native["reason"], message("data"))
        case "client_connected":
            return ClientConnected(native["client"])
        case "client_disconnected":
            return ClientDisconnected(native["client"], native.get("reason"))
        case "delivery":
            return Delivery(native.get("client"), native["seq_id"], native["outcome"])
        case _:
            return None
