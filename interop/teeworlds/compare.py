"""Compares the messages of both sides field by field."""

from typing import Any, Iterator, Optional

import theirs
from faults import Fault, Faults

# Their names on the left, ours on the right.
MESSAGE_NAMES = {"ack_accept_connect": "accept", "info_extended": "info_reply_extended"}
FIELD_NAMES = {"message": "text", "delta_tick": "delta", "description": "descriptions", "type": "kind"}

# Our fields that identify the message; compared with their identification.
IDENTITY = ("system", "message_id", "control_id", "letters", "uuid")

# Our fields that twnet_parser does not have; None means every message.
OURS_ALONE = {
    ("input", "ping_correction"): Fault.PING_CORRECTION,
    ("map_details", "size"): Fault.MAP_DETAILS,
    ("map_details", "url"): Fault.MAP_DETAILS,
    ("connect", "magic"): Fault.MAGIC,
    (None, "padding"): Fault.PADDING,
    ("tune_params", None): Fault.TUNE_PARAMS,
}


def message(name: str, ours: dict[str, Any], other: theirs.Message, faults: Faults) -> Iterator[str]:
    """Yields every difference between our message and theirs."""
    their_name = MESSAGE_NAMES.get(other.name, other.name)
    if name != their_name:
        yield f"we call it {name}, twnet_parser {their_name}"
    yield from identity(name, ours, other, faults)
    mine = {field: value for field, value in ours.items() if field not in IDENTITY}
    yield from all_fields(name, mine, their_fields(ours, other), faults)


def their_fields(ours: dict[str, Any], other: theirs.Message) -> dict[str, Any]:
    """Returns their fields by our names, without absent ones."""
    return {our_field(field, ours): value for field, value in other.fields.items() if value is not None}


def our_field(field: str, ours: dict[str, Any]) -> str:
    """Returns our name for their field."""
    if field == "response_token":
        # In a CONNECTACCEPT the field is the mark of the token dialect or a token.
        return "magic" if "magic" in ours else "token"
    return FIELD_NAMES.get(field, field)


def identity(name: str, ours: dict[str, Any], other: theirs.Message, faults: Faults) -> Iterator[str]:
    """Yields every difference in the identification: a number, four letters or a UUID."""
    number = ours.get("message_id", ours.get("control_id"))
    if other.uuid is not None:
        if ours.get("uuid") != str(other.uuid):
            yield f"uuid: ours {ours.get('uuid')}, theirs {other.uuid}"
    elif "letters" in ours:
        if list(b"\xff\xff\xff\xff" + ours["letters"].encode()) != other.number:
            yield f"letters: ours {ours['letters']}, theirs {other.number}"
    elif (name, number, other.number) in (("ping", 22, 20), ("ping_reply", 23, 21)):
        faults.meet(Fault.PING_NUMBER)
    elif number != other.number:
        yield f"number: ours {number}, theirs {other.number}"
    if ours.get("system") != other.is_system:
        yield f"system message: ours {ours.get('system')}, theirs {other.is_system}"


def all_fields(
    name: str, ours: dict[str, Any], fields: dict[str, Any], faults: Faults
) -> Iterator[str]:
    """Yields every difference between two sets of fields."""
    for field, value in fields.items():
        if field not in ours:
            # A CONNECTACCEPT with nothing after its id.
            if value != b"":
                yield f"{name}.{field}: only theirs, {value!r}"
        elif not same(ours[field], value):
            yield f"{name}.{field}: ours {ours[field]!r}, theirs {value!r}"
    for field in ours.keys() - fields.keys():
        known = [(name, field), (None, field), (name, None)]
        fault = next((OURS_ALONE[key] for key in known if key in OURS_ALONE), None)
        if fault is None:
            yield f"{name}.{field}: only ours, {ours[field]!r}"
        else:
            faults.meet(fault)


def same(ours: Any, other: Any) -> bool:
    """Returns whether two values are equal; bytes are digits for us, or text if they are letters."""
    if isinstance(other, bytes):
        return ours in (other.hex(), other.decode("latin-1")) or str(ours).replace("-", "") == other.hex()
    if isinstance(other, list):
        is_list = isinstance(ours, list) and len(ours) == len(other)
        return is_list and all(same(mine, its) for mine, its in zip(ours, other))
    if isinstance(other, dict):
        return isinstance(ours, dict) and ours.keys() == other.keys() and all(
            same(ours[field], value) for field, value in other.items()
        )
    return ours == other


def packet(ours: dict[str, Any], names: list[str], header: Any, faults: Faults) -> Iterator[str]:
    """Yields every difference between our packet header and theirs; `names` are those of its messages."""
    flags = header.flags
    expected = {"connless": flags.connless}
    if not flags.connless:
        expected |= {name: getattr(flags, name) for name in ("compression", "resend", "control")}
        expected |= {"ack": header.ack, "chunks": header.num_chunks}
        mine = ours.get("tken_token", ours.get("token", ""))
        if names == ["connect"] and "tken_token" in ours and not header.token:
            faults.meet(Fault.MAGIC)
        elif mine != header.token.hex():
            yield f"token: ours {mine}, theirs {header.token.hex()}"
    for field, value in expected.items():
        if ours.get(field) != value:
            yield f"packet.{field}: ours {ours.get(field)}, theirs {value}"


def chunk(ours: dict[str, Any], other: Optional[dict[str, Any]], faults: Faults) -> Iterator[str]:
    """Yields every difference between the chunk headers."""
    ours = {field: value for field, value in ours.items() if field != "snapshot"}
    if ours.pop("repeated", False):
        faults.meet(Fault.REPEATED)
    if ours != (other or {}):
        yield f"chunk: ours {ours}, theirs {other}"
