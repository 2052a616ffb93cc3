"""Snapshots: both sides apply the deltas of a whole session and are compared item by item."""

from typing import Any, Iterator

import twnet_parser.snapshot
from twnet_parser.packer import Unpacker
from twnet_parser.snapshot import Snapshot

import compare
from faults import Fault, Faults

# The tick that a delta against the empty snapshot refers to.
NO_BASE = -1
IDENTITY = ("item_type", "item_id", "uuid")
TEXT_FIELDS = {"client_info": ("name", "clan", "skin")}


def repair_item_deltas() -> None:
    """Makes twnet_parser skip the size that it packs before DDNet's items (see `faults`)."""

    def payload(item: Any) -> list[int]:
        unpacker = Unpacker(item.pack())
        if not item.size_known:
            unpacker.get_int()
        return [unpacker.get_int() for _ in range(item.size)]

    twnet_parser.snapshot.get_item_payload = payload


class Session:
    """The snapshots of one session as twnet_parser decodes them."""

    def __init__(self, is_07: bool, faults: Faults) -> None:
        self.version = "0.7" if is_07 else "0.6"
        self.faults = faults
        self.bases: dict[int, Snapshot] = {}
        self.items = 0
        self.checksums = 0

    def follow(self, name: str, ours: dict[str, Any], content: dict[str, Any], removed: list[int]) -> Iterator[str]:
        """Compares a snapshot message; `content` is its content as we decode it."""
        tick, base_tick = ours["tick"], ours["tick"] - ours["delta"]
        if base_tick == NO_BASE:
            base = Snapshot(self.version)
        elif base_tick in self.bases:
            base = self.bases[base_tick]
        else:
            yield f"base {base_tick} of tick {tick} is missing"
            return
        if name == "snap_empty":
            self.bases[tick] = base
            return
        snapshot = base.unpack_delta(Unpacker(bytes.fromhex(ours["data"])))
        self.bases[tick] = snapshot
        if snapshot.crc != ours["crc"] & 0xFFFFFFFF:
            yield f"twnet_parser's snapshot {tick} has the checksum {snapshot.crc}, not {ours['crc']}"
        self.checksums += 1
        if snapshot.num_item_deltas != len(content.get("items", [])):
            yield f"items: ours {len(content.get('items', []))}, theirs {snapshot.num_item_deltas}"
        if [int(key, 16) for key in content.get("deleted", [])] != removed:
            yield f"deleted: ours {content.get('deleted')}, theirs {removed}"
        for entry in content.get("items", []):
            (item_name, item), = entry.items()
            self.items += 1
            yield from self.item(item_name, item, snapshot, base)

    def item(self, name: str, ours: dict[str, Any], snapshot: Snapshot, base: Snapshot) -> Iterator[str]:
        """Yields every difference between our item and theirs of the same type and id."""
        key = ours["item_type"] << 16 | ours["item_id"]
        other = snapshot.get_item_at_key(key)
        if other is None:
            yield f"{name} {ours['item_id']}: only ours"
            return
        if not other.size_known and base.get_item_at_key(key) is not None:
            self.faults.meet(Fault.ITEM_DELTA)
        other_name = other.item_name.removeprefix("obj.").removeprefix("event.")
        fields = {
            compare.FIELD_NAMES.get(field, field): value
            for field, value in dict(other).items()
            if field not in ("item_name", "type_id", "id", "size")
        }
        if name == "type_declaration":
            other_name, fields = "type_declaration", {}
            if ours["uuid"] != str(other.uuid()):
                yield f"declared type: ours {ours['uuid']}, theirs {other.uuid()}"
        elif name == "unknown_item":
            other_name = other_name.replace("unknown", "unknown_item")
            fields = {"ints": fields["fields"]}
        if name != other_name:
            yield f"we call the item {name}, twnet_parser {other_name}"
        mine = {field: value for field, value in ours.items() if field not in IDENTITY}
        for field in fields.keys() & TEXT_FIELDS.get(name, ()):
            fields[field] = text(fields[field])
        for field in fields.keys() - mine.keys():
            # A DDNet later than the sender's added the field.
            if "uuid" in ours and fields[field] == 0 and other.size < len(flat(fields)):
                self.faults.meet(Fault.FIELDS_NOT_SENT)
                del fields[field]
        yield from compare.all_fields(name, mine, fields, self.faults)


def flat(fields: dict[str, Any]) -> list[int]:
    """Returns all integers of an item."""
    return [
        value for field in fields.values() for value in (field if isinstance(field, list) else [field])
    ]


def text(ints: list[int]) -> str:
    """Returns the text that an item stores in integers: four bytes each, 128 added to every byte."""
    shifted = b"".join((value & 0xFFFFFFFF).to_bytes(4, "big") for value in ints)
    return bytes((byte - 128) % 256 for byte in shifted).split(b"\0")[0].decode("utf-8")
