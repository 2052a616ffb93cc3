"""Connections."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Protocol

from gamewire.riptide.message import Message
from gamewire.riptide.utils.connection_metrics import ConnectionMetrics
from gamewire.riptide.utils.eventhandler import EventHandler


class ConnectionState(IntEnum):
    """The state of a connection."""

    NotConnected = 0
    Connecting = 1
    Pending = 2
    """The server has not decided yet, or waits for the client's confirmation."""
    Connected = 3


def _setting(name: str, default: Any, doc: str, scale: float = 1) -> Any:
    """Returns a property for a setting of the native module."""

    def get(self: Connection) -> Any:
        return self._values.get(name, default)

    def change(self: Connection, value: Any) -> None:
        self._values[name] = value
        self._set({name: value * scale if scale != 1 else value})

    return property(get, change, doc=doc)


class Link(Protocol):
    """The methods that a connection needs from its client or server."""

    address: tuple[str, int] | None

    def id(self) -> int | None: ...

    def round_trip(self) -> tuple[int, int]: ...

    def state(self) -> int: ...

    def metrics(self) -> dict[str, int]: ...

    def send(self, message: Message) -> int: ...

    def set_settings(self, changes: dict[str, Any]) -> None: ...


class Connection:
    """A connection of a client or server."""

    def __init__(self, link: Any):
        """`link`: the `Link` of a client or server."""
        self._link = link
        self._values: dict[str, Any] = {}
        self.notifyDelivered = EventHandler()
        """Called with the sequence id of a notify message that arrived."""
        self.notifyLost = EventHandler()
        """Called with the sequence id of a notify message that was lost."""
        self.notifyReceived = EventHandler()
        """Called with each notify message that arrives."""
        self.reliableDelivered = EventHandler()
        """Called with the sequence id of a reliable message that arrived."""

    timeoutTime = _setting("timeout", 5000, "Milliseconds without a heartbeat until the connection ends.", 0.001)
    canTimeout = _setting("can_timeout", True, "Whether the connection ends without heartbeats.")
    canQualityDisconnect = _setting("can_quality_disconnect", False, "Whether the limits below end the connection.")
    maxAvgSendAttempts = _setting("max_avg_send_attempts", 5, "Maximum average attempts of reliable messages.")
    avgSendAttemptsResilience = _setting("avg_send_attempts_resilience", 64, "Acks at which the average is too high.")
    maxSendAttempts = _setting("max_send_attempts", None, "Maximum attempts of a reliable message; `None`: no limit.")
    maxNotifyLoss = _setting("max_notify_loss", 0.05, "Maximum share of notify messages that are lost.")
    notifyLossResilience = _setting("notify_loss_resilience", 64, "Results at which the share is too high.")

    @property
    def id(self) -> int:
        """The id of the client; 0 before the server has accepted it."""
        return self._link.id() or 0

    @property
    def remoteEndpoint(self) -> tuple[str, int] | None:
        """The host and port of the other end."""
        return self._link.address

    @property
    def rtt(self) -> int:
        """The round trip in milliseconds; -1 before the first one."""
        return self._link.round_trip()[0]

    @property
    def smoothRTT(self) -> int:
        """The smoothed round trip in milliseconds; -1 before the first one."""
        return self._link.round_trip()[1]

    @property
    def state(self) -> ConnectionState:
        """The state."""
        return ConnectionState(self._link.state())

    @property
    def isNotConnected(self) -> bool:
        """True if it is closed."""
        return self.state == ConnectionState.NotConnected

    @property
    def isConnecting(self) -> bool:
        """True if the server has not answered yet."""
        return self.state == ConnectionState.Connecting

    @property
    def isPending(self) -> bool:
        """True if the server has not decided yet."""
        return self.state == ConnectionState.Pending

    @property
    def isConnected(self) -> bool:
        """True if messages can be sent."""
        return self.state == ConnectionState.Connected

    @property
    def metrics(self) -> ConnectionMetrics:
        """The counters at this moment."""
        return ConnectionMetrics(self._link.metrics())

    def sendMessage(self, message: Message, shouldRelease: bool = True) -> int:
        """Sends a message to the other end, and returns its sequence id; 0 for an unreliable one."""
        return self._link.send(message)

    def _set(self, changes: dict[str, Any]) -> None:
        self._link.set_settings(changes)

    def _on_delivery(self, event: dict[str, Any]) -> None:
        handlers = {
            "reliable_delivered": self.reliableDelivered,
            "notify_delivered": self.notifyDelivered,
            "notify_lost": self.notifyLost,
        }
        if (handler := handlers.get(event["outcome"])) is not None:
            handler(event["seq_id"])

    def __str__(self) -> str:
        return "{}:{}".format(*self.remoteEndpoint) if self.remoteEndpoint else f"client {self.id}"
