"""Compares twnet_parser with `gamewire inspect` on every message of the captures."""

from collections import Counter
from pathlib import Path
from typing import Any, Iterator

import captures
import compare
import ours
import snapshots
import theirs
from faults import Fault, Faults

CAPTURES = ("tw-0.6-ddnet-tken", "tw-0.7-two-clients", "tw-0.6.5-tokens")
# twnet_parser's error for game message 26.
UNKNOWN_GAME_MESSAGE_26 = "Error: unknown game message id=26 "
SNAPSHOTS = ("snap_single", "snap_empty")
SHOWN = 20


class Comparison:
    """A comparison of captures, with counts."""

    def __init__(self, gamewire: Path, folder: Path) -> None:
        self.gamewire = gamewire
        self.folder = folder
        self.faults = Faults()
        self.agreed: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()
        self.differing: Counter[str] = Counter()
        self.differences: list[str] = []
        self.datagrams = 0
        self.chunks = 0
        self.items = 0
        self.checksums = 0
        self.undetected: set[str] = set()
        self.altered: set[str] = set()

    def run(self) -> bool:
        """Compares everything, prints the result and returns whether everything agrees."""
        snapshots.repair_item_deltas()
        for name in CAPTURES:
            self.capture(name)
        self.add("comparison", [f"a changed {field} is not detected" for field in sorted(self.undetected)])
        self.add("faults.py", [f"{fault.name} no longer occurs" for fault in self.faults.not_met()])
        for difference in self.differences[:SHOWN]:
            print(f"  differs: {difference}")
        self.report()
        return not self.differences

    def report(self) -> None:
        """Prints the counts."""
        agreed, unknown = sum(self.agreed.values()), sum(self.unknown.values())
        names = ", ".join(f"{name} ({count})" for name, count in self.unknown.items())
        differing = sum(self.differing.values())
        messages = f"{agreed + unknown + differing} messages, {self.chunks} of them in chunks"
        print(f"twnet_parser: {self.datagrams} datagrams, {messages}")
        print(f"  {agreed} messages of {len(self.agreed)} kinds agree in every field that both know")
        print(f"  including {self.items} items and {self.checksums} snapshot checksums")
        print(f"  {len(self.altered)} kinds of field, each change of which is detected")
        print(f"  {unknown} unknown to twnet_parser: {names}")
        print(f"  {differing} differ, {len(self.differences)} faults in all")
        print("  known faults and gaps of twnet_parser, with their counts:")
        for fault in Fault:
            print(f"    {self.faults.met[fault]:6} {fault.name}: {fault.value}")

    def capture(self, name: str) -> None:
        """Compares one capture."""
        path = self.folder / f"{name}.pcap"
        datagrams = ours.datagrams(self.gamewire, path)
        readers = {is_07: theirs.Reader(is_07, self.faults) for is_07 in (False, True)}
        sessions: dict[Any, snapshots.Session] = {}
        for number, (datagram, mine) in enumerate(zip(captures.datagrams(path), datagrams, strict=True), 1):
            self.datagrams += 1
            place = f"{name} frame {number}"
            if mine["frame"] != number or mine["length"] != len(datagram):
                raise ValueError(f"{place}: not the same datagram on both sides")
            is_07 = mine["dialect"] == "tw-0.7"
            reader = readers[is_07]
            # A new map starts a new session, whose ticks start again.
            if any("map_change" in entry for entry in mine["messages"]):
                sessions.pop(mine["conversation"], None)
            session = sessions.setdefault(mine["conversation"], snapshots.Session(is_07, self.faults))
            self.datagram(place, reader, session, datagram, mine)
            self.items, self.checksums = self.items + session.items, self.checksums + session.checksums
            session.items = session.checksums = 0

    def datagram(
        self, place: str, reader: theirs.Reader, session: snapshots.Session, datagram: bytes, mine: dict[str, Any]
    ) -> None:
        """Compares one datagram as a whole, then message by message."""
        from_client = mine["direction"] == "client"
        self.add(place, self.whole(reader, datagram, mine))
        has_tken = "tken_token" in mine["packet"]
        other = reader.messages(datagram, from_client, has_tken)
        if len(other) != len(mine["messages"]):
            self.add(place, [f"{len(mine['messages'])} messages for us, {len(other)} for twnet_parser"])
        for entry, message in zip(mine["messages"], other):
            name, fields, chunk = ours.message(entry)
            self.chunks += "chunk" in entry
            if isinstance(message, theirs.Unknown):
                self.add(place, compare.chunk(chunk, message.chunk, self.faults))
                if name != "is_ddnet" or not message.reason.startswith(UNKNOWN_GAME_MESSAGE_26):
                    self.add(place, [message.reason])
                self.unknown[name] += 1
                continue
            differences = list(compare.message(name, fields, message, self.faults))
            differences += compare.chunk(chunk, message.chunk, self.faults)
            if name in SNAPSHOTS:
                differences += session.follow(name, fields, chunk.get("snapshot", {}), message.removed)
            if name not in self.agreed:
                self.alter(name, fields, message)
            self.add(place, differences)
            (self.differing if differences else self.agreed)[name] += 1

    def whole(self, reader: theirs.Reader, datagram: bytes, mine: dict[str, Any]) -> Iterator[str]:
        """Compares the headers, and the number and order of the messages."""
        try:
            packet = reader.packet(datagram, mine["direction"] == "client")
        except ValueError as error:
            if not str(error).startswith(UNKNOWN_GAME_MESSAGE_26):
                yield str(error)
            self.faults.meet(Fault.REJECTED_BY_ID)
            return
        names = [ours.message(entry)[0] for entry in mine["messages"]]
        yield from compare.packet(mine["packet"], names, packet.header, self.faults)
        if len(names) != len(packet.messages):
            yield f"{len(names)} messages for us, {len(packet.messages)} for twnet_parser"
        for name, message in zip(names, packet.messages):
            other = theirs.without_prefix(message.message_name)
            if other == "ddnet_uuid":
                if len(message.payload) + 1 > message.header.size:
                    self.faults.meet(Fault.READS_ON)
            elif name != compare.MESSAGE_NAMES.get(other, other):
                yield f"order: {name} for us, {other} for twnet_parser"

    def alter(self, name: str, fields: dict[str, Any], message: theirs.Message) -> None:
        """Changes every compared field to check that the comparison detects it."""
        compared = compare.their_fields(fields, message).keys() | set(compare.IDENTITY)
        for field in fields.keys() & compared:
            altered = {**fields, field: another(fields[field])}
            is_detected = any(compare.message(name, altered, message, Faults()))
            (self.altered if is_detected else self.undetected).add(f"{name}.{field}")

    def add(self, place: str, differences: Any) -> None:
        """Records the differences of a datagram."""
        self.differences += [f"{place}: {difference}" for difference in differences]


def another(value: Any) -> Any:
    """Returns a different value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return f"{value}?"
    if isinstance(value, list):
        return value[:-1] + [another(value[-1])] if value else [0]
    return {field: another(inner) for field, inner in value.items()}
