"""A decoded packet."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from gamewire import _native


class Packet:
    """A decoded datagram, or consecutive bytes of a TCP connection."""

    def __init__(self, native: _native.Packet):
        """Use `gamewire.open`."""
        self._native = native

    @property
    def frame(self) -> int:
        """Number of the frame in the capture, from 1."""
        return self._native.frame

    @property
    def time(self) -> float:
        """Seconds since the first frame of the capture."""
        return self._native.time

    @property
    def timestamp(self) -> int:
        """Nanoseconds since 1970-01-01 00:00 UTC."""
        return self._native.timestamp

    @property
    def conversation(self) -> int:
        """Number of the conversation, from 1."""
        return self._native.conversation

    @property
    def protocol(self) -> str:
        """`teeworlds`, `riptide` or `freeciv`."""
        return self._native.protocol

    @property
    def dialect(self) -> str | None:
        """The dialect, such as `tw-0.7`; `None` if it is not known."""
        return self._native.dialect

    @property
    def sender(self) -> str:
        """The role of the sender: `client` or `server`."""
        return self._native.sender

    @property
    def source(self) -> str:
        """Address and port of the sender."""
        return self._native.source

    @property
    def destination(self) -> str:
        """Address and port of the receiver."""
        return self._native.destination

    @property
    def length(self) -> int:
        """Bytes on the wire, without the headers of UDP and below."""
        return self._native.length

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The packet as `gamewire inspect --json` prints it: its metadata, its fields by name, and its `messages`.

        Numbers with a name are given by name, flags as a list of names, and bytes as hexadecimal digits.
        """
        return self._native.fields()

    @cached_property
    def spans(self) -> dict[str, Any]:
        """The same shape as `fields`, in which every field is a dict with its `value`, the index of its bytes in
        `sources`, and its `bits`: the first, and the one after the last. `byte_range` returns its bytes.
        """
        return self._native.fields(True)

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages, each a dict with the fields by the name of the message, and those of its headers."""
        return self.fields["messages"]

    @property
    def warnings(self) -> list[str]:
        """The names of oddities that peers accept."""
        return self.fields.get("warnings", [])

    @property
    def errors(self) -> list[str]:
        """The errors of decoding, with their offsets."""
        return self.fields.get("errors", [])

    @property
    def line(self) -> str:
        """A summary in one line."""
        return self._native.line()

    @property
    def tree(self) -> str:
        """All fields as a tree of text."""
        return self._native.tree()

    @property
    def hex(self) -> str:
        """The bytes in hexadecimal digits, with a letter under each that identifies its field."""
        return self._native.hex()

    def __repr__(self) -> str:
        return repr(self._native)


def byte_range(field: dict[str, Any]) -> range:
    """Returns the bytes of a field of `Packet.spans`, as indices in its source."""
    first, end = field["bits"]
    return range(first // 8, -(-end // 8))
