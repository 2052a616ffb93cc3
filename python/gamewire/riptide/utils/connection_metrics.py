"""Counters of a connection."""

from __future__ import annotations


class ConnectionMetrics:
    """The counters of a connection at one moment, by the names of the port."""

    def __init__(self, counters: dict[str, int]):
        self._counters = counters

    def __getattr__(self, name: str) -> int:
        # `reliableBytesIn` is the counter `reliable_bytes_in`.
        snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
        try:
            return self._counters[snake]
        except KeyError:
            raise AttributeError(f"no counter {name!r}") from None

    @property
    def bytesIn(self) -> int:
        """Bytes of all packets received."""
        return self.unreliableBytesIn + self.notifyBytesIn + self.reliableBytesIn

    @property
    def bytesOut(self) -> int:
        """Bytes of all packets sent."""
        return self.unreliableBytesOut + self.notifyBytesOut + self.reliableBytesOut

    @property
    def messagesIn(self) -> int:
        """Number of packets received."""
        return self.unreliableIn + self.notifyIn + self.reliableIn

    @property
    def messagesOut(self) -> int:
        """Number of packets sent."""
        return self.unreliableOut + self.notifyOut + self.reliableOut
