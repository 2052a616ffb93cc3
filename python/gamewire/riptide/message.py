"""Messages: a method for each value, as in the Python port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamewire import _native
from gamewire.riptide.message_base import MODES, MessageBase, MessageHeader, MessageSendMode
from gamewire.riptide.utils.exceptions import InsufficientCapacityException, NotEnoughBytesError

__all__ = ["Message", "MessageHeader", "MessageSendMode", "create", "createFromBytes", "createInternal"]

MAX_ID = (1 << 16) - 1


class Message(MessageBase):
    """A message to send or a received one: a sequence of values.

    `put...` appends a value and returns its number of bits; `get...` reads the next one. Arrays have their length in
    front, unless `includeLength` is false; then `get...Array` takes their length. The methods of one value also take a
    position in bits as `pos`, where they replace or read a value without moving on.
    """

    def init(self, header: MessageHeader | MessageSendMode | int | None = None) -> None:
        """Removes all values, the id and the mode. `header` has no effect; `create` returns messages with an id."""
        self._native = _native.RiptideMessage("data")

    def putBits(self, bits: int | bytes | bytearray | Sequence[int], amount: int, pos: int = -1) -> None:
        """Appends or replaces `amount` bits, of a number or of bytes in little-endian order."""
        value = bits if isinstance(bits, int) else int.from_bytes(bytes(bits), "little")
        for start in range(0, amount, 64):
            count = min(64, amount - start)
            part = (value >> start) & ((1 << count) - 1)
            if pos < 0:
                self._write(lambda part=part, count=count: self._native.add_bits(part, count))
            else:
                self._native.set_bits(part, count, pos + start)

    def peekBits(self, amount: int, startBit: int = -1) -> bytearray:
        """Returns `amount` bits as bytes in little-endian order, without moving on."""
        start = self.readBit if startBit < 0 else startBit
        value = 0
        for offset in range(0, amount, 64):
            part = self._read(lambda at=offset: self._native.peek_bits(min(64, amount - at), start + at))
            value |= part << offset
        return bytearray(value.to_bytes(-(-amount // 8), "little"))

    def getBits(self, amount: int, startBit: int = -1) -> bytearray:
        """Reads `amount` bits as bytes in little-endian order."""
        bits = self.peekBits(amount, startBit)
        if startBit < 0:
            for start in range(0, amount, 64):
                self._native.get_bits(min(64, amount - start))
        return bits

    def putVarULong(self, value: int, pos: int = -1) -> int:
        """Appends a number of variable length."""
        if pos >= 0:
            raise ValueError("a number of variable length cannot replace another")
        return self._append(lambda: self._native.add_var_ulong(value))

    def getVarULong(self, pos: int = -1) -> tuple[int, int]:
        """Reads a number of variable length. Returns it and its number of bits."""
        if pos >= 0:
            raise ValueError("a number of variable length is read at the current position only")
        start = self.readBit
        value = self._read(self._native.get_var_ulong)
        return value, self.readBit - start

    def putBytes(self, value: bytes | bytearray | Sequence[int], pos: int = -1) -> int:
        """Appends or replaces bytes, without their length."""
        if value is None:
            return 0
        if pos >= 0:
            self.putBits(value, 8 * len(value), pos)
            return 8 * len(value)
        return self._append(lambda: self._native.add_array("byte", list(value), False))

    def getBytes(self, length: int, pos: int = -1) -> bytearray:
        """Reads bytes of a known length."""
        if pos >= 0:
            return self.peekBits(8 * length, pos)
        return bytearray(self._read(lambda: self._native.get_array("byte", length)))

    def appendMessage(self, message: Message, amount: int | None = None, startBit: int | None = None) -> None:
        """Appends the unread values of another message, or `amount` of its bits."""
        if amount is None and startBit is None:
            self._write(lambda: self._native.add_message(message._native))
            return
        amount = message.unreadBits if amount is None else amount
        self.putBits(message.peekBits(amount, -1 if startBit is None else startBit), amount)

    def _append(self, write: Any) -> int:
        """Writes a value, and returns its number of bits."""
        before = self.writeBit
        self._write(write)
        return self.writeBit - before

    def _write(self, write: Any) -> None:
        if self.unwrittenBits == 0:
            raise InsufficientCapacityException("the message is full")
        try:
            write()
        except ValueError as error:
            raise InsufficientCapacityException(f"the value does not fit in the message: {error}") from error

    def _read(self, read: Any) -> Any:
        try:
            return read()
        except EOFError as error:
            raise NotEnoughBytesError("the message has no such value left") from error

    def __str__(self) -> str:
        return f"{MODES[self.sendMode]} message {self.msgID}: {self.data.hex()}"


def _value_methods(kind: str, size: int | None) -> tuple[Any, Any, Any, Any]:
    """Returns the methods that put and get one value and an array. `size`: bits of a value, if it has a fixed number."""
    is_signed = kind in ("sbyte", "short", "int", "long")

    def put(self: Message, value: Any, pos: int = -1) -> int:
        value = {"string": "", "bool": False}.get(kind, 0) if value is None else value
        if pos < 0:
            return self._append(lambda: self._native.add(kind, value))
        scratch = createInternal()
        scratch._native.add(kind, value)
        bits = scratch.writeBit
        self.putBits(scratch.peekBits(bits), bits, pos)
        return bits

    def get(self: Message, pos: int = -1) -> Any:
        if pos < 0:
            return self._read(lambda: self._native.get(kind))
        if size is None:
            raise ValueError("a text is read at the current position only")
        scratch = createInternal()
        scratch.putBits(self.peekBits(size, pos), size)
        return scratch._native.get(kind)

    def put_array(self: Message, value: Sequence[Any], includeLength: bool = True, pos: int = -1) -> int:
        if pos >= 0:
            raise ValueError("an array cannot replace another")
        return self._append(lambda: self._native.add_array(kind, list(value), includeLength))

    def get_array(self: Message, length: int = -1, pos: int = -1) -> list[Any]:
        if pos >= 0:
            raise ValueError("an array is read at the current position only")
        return self._read(lambda: self._native.get_array(kind, None if length < 0 else length))

    sort = "a signed number" if is_signed else f"a {kind}"
    put.__doc__ = f"Appends or replaces {sort}."
    get.__doc__ = f"Reads {sort}."
    put_array.__doc__ = f"Appends an array: each value is {sort}."
    get_array.__doc__ = f"Reads an array: each value is {sort}."
    return put, get, put_array, get_array


# The name in the port, the kind in the C# library, its bits, and the other name in the port.
for _name, _kind, _size, _alias in [
    ("Bool", "bool", 1, None),
    ("Int8", "sbyte", 8, "SByte"),
    ("UInt8", "byte", 8, "Byte"),
    ("Int16", "short", 16, "Short"),
    ("UInt16", "ushort", 16, "UShort"),
    ("Int32", "int", 32, "Int"),
    ("UInt32", "uint", 32, "UInt"),
    ("Int64", "long", 64, "Long"),
    ("UInt64", "ulong", 64, "ULong"),
    ("Float", "float", 32, "Float"),
    ("Double", "double", 64, "Double"),
    ("String", "string", None, "String"),
]:
    _methods = _value_methods(_kind, _size)
    for _pattern, _other, _method in zip(
        ("put{}", "get{}", "put{}Array", "get{}Array"),
        ("add{}", "get{}", "add{}Array", "get{}Array"),
        _methods,
        strict=True,
    ):
        setattr(Message, _pattern.format(_name), _method)
        if _alias is not None:
            setattr(Message, _other.format(_alias), _method)


def create(sendMode: MessageSendMode | int, id: int) -> Message:
    """Returns an empty message. `id` is ignored for notify messages, which have none."""
    mode = MODES[MessageSendMode(sendMode)]
    if not 0 <= id <= MAX_ID:
        raise ValueError(f"invalid id {id}: use 0 to {MAX_ID}")
    return Message(_native.RiptideMessage(mode, None if mode == "notify" else id))


def createInternal(header: MessageHeader | int | None = None) -> Message:
    """Returns an empty message without an id, for the data of a request, a rejection or a disconnect."""
    return Message(_native.RiptideMessage("data"))


def createFromBytes(data: bytes | bytearray | Sequence[int], amount: int = -1) -> Message:
    """Returns a message with these bytes as its values."""
    message = createInternal()
    message.putBytes(bytes(data) if amount < 0 else bytes(data)[:amount])
    return message
