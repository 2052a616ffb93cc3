"""Capture files."""

from __future__ import annotations

import os
from types import TracebackType

from gamewire import _native
from gamewire.inspect._packet import Packet


class Capture:
    """The packets of known games in a capture: an iterator, and a context manager that closes the file."""

    def __init__(self, native: _native.Capture):
        """Use `gamewire.open`."""
        self._native = native

    @property
    def damage(self) -> list[str]:
        """Descriptions of the damage of the file that was found so far. The packets after it are read."""
        return self._native.damage()

    def close(self) -> None:
        """Closes the file. There are no more packets."""
        self._native.close()

    def __iter__(self) -> Capture:
        return self

    def __next__(self) -> Packet:
        packet = next(self._native, None)
        if packet is None:
            raise StopIteration
        return Packet(packet)

    def __enter__(self) -> Capture:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open(
    source: str | os.PathLike[str] | bytes,
    *,
    filter: str | None = None,
    messages: str | os.PathLike[str] | None = None,
) -> Capture:
    """Opens a capture, which is a pcap or pcapng file or its content.

    `filter`: only packets that match it, such as `protocol == "riptide" and length > 100`. `messages`: a file that
    describes an application's own Riptide messages.

    Raises `OSError` if the file cannot be read, `Error` if it is not a capture, and `ValueError` for an invalid filter.
    """
    return Capture(_native.Capture(source, filter, messages))
