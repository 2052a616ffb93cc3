"""Send modes and headers of messages."""

from __future__ import annotations

from enum import IntEnum

from gamewire import _native


class MessageHeader(IntEnum):
    """The kind of a packet."""

    Unreliable = 0
    Ack = 1
    Connect = 2
    Reject = 3
    Heartbeat = 4
    Disconnect = 5
    Notify = 6
    Reliable = 7
    Welcome = 8
    ClientConnected = 9
    ClientDisconnected = 10


class MessageSendMode(IntEnum):
    """The mode in which a message is sent."""

    Unreliable = 0
    """It may be lost, doubled or late."""
    Notify = 6
    """It may be lost, but is never late. Events of the connection tell the sender which of both. It has no id."""
    Reliable = 7
    """It arrives exactly once, but not in order."""


MODES = {
    MessageSendMode.Unreliable: "unreliable",
    MessageSendMode.Notify: "notify",
    MessageSendMode.Reliable: "reliable",
}
NUMBERS = {name: mode for mode, name in MODES.items()}


class MessageBase:
    """The state of a message: its mode, its id and its size."""

    def __init__(self, native: _native.RiptideMessage | None = None):
        """Creates an empty message without an id. Programs create messages to send by `create`."""
        self._native = native if native is not None else _native.RiptideMessage("data")

    @property
    def sendMode(self) -> MessageSendMode:
        """The mode of the message."""
        return NUMBERS[self._native.mode]

    @property
    def header(self) -> int:
        """The number of the send mode."""
        return int(self.sendMode)

    @property
    def msgID(self) -> int:
        """The id; -1 for a message without one."""
        return -1 if self._native.id is None else self._native.id

    @property
    def hasMessageID(self) -> bool:
        """True if it has an id."""
        return self._native.id is not None

    @property
    def readBit(self) -> int:
        """Number of bits that were read."""
        return self._native.read_bits

    @property
    def writeBit(self) -> int:
        """Number of bits of its values."""
        return self._native.written_bits

    readBits = readBit
    writtenBits = writeBit

    @property
    def unreadBits(self) -> int:
        """Number of bits that were not read."""
        return self._native.unread_bits

    @property
    def unwrittenBits(self) -> int:
        """Number of bits that still fit."""
        return self._native.unwritten_bits

    @property
    def bytesInUse(self) -> int:
        """Number of bytes of its values."""
        return self._native.bytes_in_use

    @property
    def bytesAvailable(self) -> int:
        """Number of bytes that still fit."""
        return self._native.unwritten_bits // 8

    @property
    def data(self) -> bytearray:
        """A copy of the bytes of its values."""
        return bytearray(self._native.payload)

    def release(self) -> None:
        """Does nothing. The port returns messages to a pool; here Python frees them."""
