"""Datagrams as twnet_parser decodes them, in one form for packets, messages and items."""

import copy
import importlib
from dataclasses import dataclass, field
from typing import Any, Optional
from uuid import UUID

from twnet_parser import huffman, msg_ddnet
from twnet_parser.ddnet_uuid_manager import get_ddnet_uuid_manager
from twnet_parser.packet import ChunkHeaderParser, PacketParser

from faults import Fault, Faults

# Names that identify a message and are not its content.
METADATA = ("message_type", "message_name", "system_message", "message_id", "header", "snapshot")
TEAM_PREFIXES = ("sv_", "cl_", "de_", "connless.")


@dataclass
class Message:
    """A message: its name without the sender's prefix, its fields, and the chunk around it."""

    name: str
    number: Any
    is_system: Optional[bool]
    fields: dict[str, Any]
    chunk: Optional[dict[str, Any]] = None
    uuid: Optional[UUID] = None
    removed: list[int] = field(default_factory=list)


@dataclass
class Unknown:
    """A chunk that twnet_parser does not know."""

    reason: str
    chunk: dict[str, Any]


class Reader:
    """Reads datagrams of one version with twnet_parser."""

    def __init__(self, is_07: bool, faults: Faults) -> None:
        self.is_07 = is_07
        self.faults = faults
        self.lists: dict[int, list[Any]] = {}

    def packet(self, datagram: bytes, from_client: bool) -> Any:
        """Parses the whole datagram; raises twnet_parser's exceptions."""
        parser = PacketParser()
        # The second argument is true if the client receives the datagram.
        parse = parser.parse7 if self.is_07 else parser.parse6
        return parse(datagram, not from_client)

    def messages(self, datagram: bytes, from_client: bool, has_tken: bool) -> list[Message | Unknown]:
        """Returns every message of the datagram; each chunk is parsed in its own datagram."""
        flags = self.header_flags(datagram)
        if flags.control or flags.connless:
            return [self.plain(message) for message in self.packet(datagram, from_client).messages]
        chunks = self.chunks(datagram, flags, has_tken)
        return [self.chunk(header, chunk, from_client) for header, chunk in chunks]

    def header_flags(self, datagram: bytes) -> Any:
        """Returns the flags of the packet header."""
        from twnet_parser.packet6 import PacketHeaderParser6
        from twnet_parser.packet7 import PacketHeaderParser7

        parser = PacketHeaderParser7() if self.is_07 else PacketHeaderParser6()
        return parser.parse_header(datagram).flags

    def chunks(self, datagram: bytes, flags: Any, has_tken: bool) -> list[tuple[Any, bytes]]:
        """Returns the chunk headers, and the chunks including their headers."""
        start = 7 if self.is_07 or flags.token else 3
        payload = datagram[start:]
        if flags.compression:
            payload = huffman.decompress(payload)
        if has_tken:
            payload = payload[:-4]
        read_header = ChunkHeaderParser().parse_header7 if self.is_07 else ChunkHeaderParser().parse_header6
        chunks = []
        while payload:
            header = read_header(payload)
            end = (3 if header.flags.vital else 2) + header.size
            chunks.append((header, payload[:end]))
            payload = payload[end:]
        return chunks

    def chunk(self, header: Any, chunk: bytes, from_client: bool) -> Message | Unknown:
        """Returns the message of one chunk."""
        packet_header = bytes([0, 0, 1]) + (bytes(4) if self.is_07 else b"")
        try:
            packet = self.packet(packet_header + chunk, from_client)
        except ValueError as error:
            return Unknown(str(error), chunk_fields(header))
        return self.plain(packet.messages[0])

    def plain(self, message: Any) -> Message:
        """Returns a message in the common form."""
        if message.message_name == "ddnet_uuid":
            return self.extended(message)
        content = dict(message)
        fields = {name: value for name, value in content.items() if name not in METADATA}
        # The player's input is a structure for twnet_parser and the rest of the message for us.
        fields |= fields.pop("input", {})
        self.note_shared_lists(fields)
        chunk = chunk_fields(message.header) if hasattr(message, "header") else None
        is_system = getattr(message, "system_message", None)
        name = without_prefix(message.message_name)
        plain = Message(name, content["message_id"], is_system, copy.deepcopy(fields), chunk)
        if hasattr(message, "snapshot"):
            plain.removed = message.snapshot.removed_item_keys
        return plain

    def note_shared_lists(self, fields: dict[str, Any]) -> None:
        """Counts messages whose list is the list of an earlier message."""
        for value in fields.values():
            if isinstance(value, list) and value:
                if id(value) in self.lists:
                    self.faults.meet(Fault.SHARED_LISTS)
                # Keeps the list alive, so that no other list gets its id.
                self.lists[id(value)] = value

    def extended(self, message: Any) -> Message:
        """Returns a message with a UUID, which the packet parser does not decode."""
        self.faults.meet(Fault.UUID_IS_SYSTEM)
        identity = get_ddnet_uuid_manager().find_uuid(UUID(bytes=message.payload[:16]))
        kind = class_of(identity.type_id)
        inner = kind(message.header)
        try:
            inner.unpack(message.payload[16:])
        except IndexError:
            if inner.message_name != "sv_teams_state":
                raise
            self.faults.meet(Fault.TEAMS_AT_THE_END)
            # Each integer ends with a byte whose highest bit is clear.
            inner.teams = inner.teams[:sum(byte < 0x80 for byte in message.payload[16:])]
        plain = self.plain(inner)
        plain.uuid = identity.uuid
        return plain


def class_of(type_id: int) -> Any:
    """Returns twnet_parser's class for a message with a UUID."""
    constant = next(name for name, value in vars(msg_ddnet).items() if value == type_id)
    for kind in ("system", "game"):
        try:
            module = importlib.import_module(f"twnet_parser.messages_ddnet.{kind}.{constant.lower()}")
        except ModuleNotFoundError:
            continue
        return next(value for name, value in vars(module).items() if name.startswith("Msg"))
    raise LookupError(f"twnet_parser has no class for {constant}")


def chunk_fields(header: Any) -> dict[str, Any]:
    """Returns a chunk header with our field names."""
    fields = {"chunk_resend": header.flags.resend, "vital": header.flags.vital, "size": header.size}
    if header.flags.vital:
        fields["sequence"] = header.seq
    return fields


def without_prefix(name: str) -> str:
    """Returns the name without the prefix for its sender."""
    for prefix in TEAM_PREFIXES:
        name = name.removeprefix(prefix)
    return name
