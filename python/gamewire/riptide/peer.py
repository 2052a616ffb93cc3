"""Reasons, and what clients and servers have in common."""

from __future__ import annotations

from enum import IntEnum


class RejectReason(IntEnum):
    """Why a connection failed. The numbers are those of Riptide 2.0."""

    NoConnection = 0
    AlreadyConnected = 1
    Pending = 2
    ServerFull = 3
    Rejected = 4
    Custom = 5


class DisconnectReason(IntEnum):
    """Why a connection ended."""

    NeverConnected = 0
    ConnectionRejected = 1
    TransportError = 2
    TimedOut = 3
    Kicked = 4
    ServerStopped = 5
    Disconected = 6
    """The client left. The port spells it like this; `Disconnected` is the same."""
    Disconnected = 6
    PoorConnection = 7


_REJECT_TEXTS: dict[int, str] = {
    RejectReason.NoConnection: "No connection",
    RejectReason.ServerFull: "Server is full",
    RejectReason.Rejected: "Rejected",
    RejectReason.Custom: "Rejected with custom reason",
}
_DISCONNECT_TEXTS: dict[int, str] = {
    DisconnectReason.NeverConnected: "Never connected",
    DisconnectReason.TransportError: "Transport error",
    DisconnectReason.TimedOut: "Timed out",
    DisconnectReason.Kicked: "Kicked",
    DisconnectReason.ServerStopped: "Server stopped",
    DisconnectReason.Disconnected: "Disconnected",
    DisconnectReason.PoorConnection: "Poor Connection",
}


def rejectReasonToString(rejectReason: RejectReason | int) -> str:
    """Returns a reason as text."""
    return _REJECT_TEXTS.get(rejectReason, "Unknown reason")


def disconnectReasonToString(disconnectReason: DisconnectReason | int) -> str:
    """Returns a reason as text."""
    return _DISCONNECT_TEXTS.get(disconnectReason, "Unknown reason")


def disconnect_reason(number: int | None) -> DisconnectReason | int:
    """Returns the reason with a number, or the number of an unknown one."""
    if number is None:
        return -1
    try:
        return DisconnectReason(number)
    except ValueError:
        return number


class Peer:
    """A client or a server."""

    def update(self) -> None:
        """Receives, calls handlers in the order of arrival, and sends. Never waits."""
        raise NotImplementedError
