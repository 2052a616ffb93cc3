"""Tests of the dissector that `gamewire wireshark` writes."""

import json
import random
import resource
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import decoded
import pcap

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "vectors"
CAPTURES = sorted(VECTORS.glob("*/captures/*.pcap*"))
RIPTIDE_MESSAGES = VECTORS / "riptide" / "captures" / "messages.toml"
STAND_IN = Path(__file__).with_name("stand_in.lua")
# The versions of Wireshark 4.0 and of 4.4.
LUA = ("lua5.2", "lua5.4")
MUTATED = 20_000
SEED = 7
FREECIV_PORT, RIPTIDE_PORT, TEEWORLDS_PORT = 5556, 7777, 8303
# Repetitions of a capture whose time is measured.
REPEATED = 20


def freeciv_streams() -> Iterator[bytes]:
    """Yields what servers sent in connections, as segments of different sizes."""
    for number, stream in enumerate(sorted((VECTORS / "freeciv" / "streams").glob("*.bin"))):
        connection = pcap.Connection(50_000 + number, FREECIV_PORT)
        yield from connection.segments(stream.read_bytes(), False, size=1000 + 700 * number)


def teeworlds_refusals() -> Iterator[bytes]:
    """Yields refusals of clients with and without tokens and zero bytes, and the challenge of a master server."""
    for client, reason in enumerate((b"", b"full\0", b"The server is full", b"bye\0abcd", b"abcd", b"\0\x01\2\3\4"), 52_000):
        for connect in (b"", b"TKEN\xff\xff\xff\xff"):
            yield pcap.datagram(client, TEEWORLDS_PORT, b"\x10\0\0\1" + connect, True)
            yield pcap.datagram(client, TEEWORLDS_PORT, b"\x10\0\0\4" + reason, False)
    yield pcap.datagram(53_000, TEEWORLDS_PORT, b"\xff" * 10 + b"chal0123:tw0.6/ipv4\0secret\0", True)


def riptide_messages() -> Iterator[bytes]:
    """Yields the golden packets of Riptide: a conversation for each program, version and transport."""
    connections: dict[tuple[str, str, str], tuple[int, pcap.Connection]] = {}
    for line in (VECTORS / "riptide" / "vectors.jsonl").read_text().splitlines():
        vector = json.loads(line)
        key = (vector["implementation"], vector["version"], vector["transport"])
        if vector["transport"] == "none":
            continue
        client, connection = connections.setdefault(
            key, (50_000 + len(connections), pcap.Connection(50_000 + len(connections), RIPTIDE_PORT)))
        is_from_client = vector["direction"] == "c2s"
        if vector["transport"] == "udp":
            yield pcap.datagram(client, RIPTIDE_PORT, bytes.fromhex(vector["hex"]), is_from_client)
        else:
            yield from connection.segments(bytes.fromhex(vector["frame_hex"]), is_from_client)


def random_messages(seed: int) -> Iterator[bytes]:
    """Yields messages with random values of an application, in both formats of Riptide."""
    dice = random.Random(seed)
    # Connect and Welcome, by which the format is detected; then the start of reliable messages 10 and 11.
    formats = [
        (["03"], ["0801000100"], lambda sequence, kind: struct.pack("<BHH", 7, sequence, kind)),
        (["02"], ["1800100000"], lambda sequence, kind: (7 | sequence << 4 | kind << 20).to_bytes(4, "little")[:3]),
    ]
    for client, (connect, welcome, head) in enumerate(formats, 51_000):
        for packet in connect:
            yield pcap.datagram(client, RIPTIDE_PORT, bytes.fromhex(packet), True)
        for packet in welcome:
            yield pcap.datagram(client, RIPTIDE_PORT, bytes.fromhex(packet), False)
        for sequence in range(2, 302):
            start = head(sequence, 10 + sequence % 2)
            yield pcap.datagram(client, RIPTIDE_PORT, start + dice.randbytes(dice.randrange(1, 200)), False)


class Dissector:
    """The dissector of a command, and captures for it, in a folder."""

    def __init__(self, command: Path, folder: Path) -> None:
        self.command, self.folder = command, folder
        self.script = self._script("gamewire.lua")
        self.with_messages = self._script("messages.lua", "--messages", str(RIPTIDE_MESSAGES))

    def _script(self, name: str, *options: str) -> Path:
        script = self.folder / name
        subprocess.run([self.command, "wireshark", "--output", script, *options], check=True)
        return script

    def decodes_what_inspect_decodes(self) -> list[str]:
        """Compares every field of every message, and prints how many there were."""
        streams, messages = self.folder / "freeciv-streams.pcap", self.folder / "riptide-vectors.pcap"
        pcap.write(streams, freeciv_streams())
        pcap.write(messages, riptide_messages())
        refusals = self.folder / "teeworlds-refusals.pcap"
        pcap.write(refusals, teeworlds_refusals())
        sample = ROOT / "crates" / "gamewire-cli" / "src" / "sample.pcap"
        runs = [(capture, self.script, []) for capture in [*CAPTURES, sample, streams, messages, refusals]]
        riptide = [capture for capture in CAPTURES if "riptide" in str(capture)]
        applied, layouts = self.folder / "riptide-random.pcap", Path(__file__).with_name("messages.toml")
        pcap.write(applied, random_messages(SEED))
        runs.append((applied, self._script("random.lua", "--messages", str(layouts)), ["--messages", str(layouts)]))
        runs += [(capture, self.with_messages, ["--messages", str(RIPTIDE_MESSAGES)]) for capture in riptide]
        faults, total = [], 0
        for capture, script, options in runs:
            ours = decoded.by_inspect(self.command, capture, options)
            count, found = decoded.differences(ours, decoded.by_tshark(script, capture))
            total += count
            print(f"{capture.name}: {len(ours)} packets, {count} fields, {len(found)} differing")
            faults += [f"{capture.name}: {fault}" for fault in found]
            if count == 0:
                faults.append(f"{capture.name}: no fields")
        print(f"{total} fields compared, {len(faults)} differing")
        return faults

    def survives_mutated_packets(self) -> list[str]:
        """Dissects damaged conversations and returns the errors of Lua."""
        capture = self.folder / "mutated.pcap"
        count = pcap.write(capture, pcap.mutated(CAPTURES, MUTATED, SEED))
        errors = [f"-e{protocol}.error" for protocol in decoded.PROTOCOLS]
        output, = decoded.tshark(self.script, capture, "-T", "fields", *errors)
        lines = output.decode().splitlines()
        assert len(lines) == count, (len(lines), count)
        damaged = sum(bool(line.strip()) for line in lines)
        print(f"{count} packets, at least {MUTATED} of them mutated: {damaged} have errors of decoding")
        return [line for line in lines if "gamewire.lua" in line]

    def runs_in_other_versions_of_lua(self) -> list[str]:
        """Runs the dissector in Lua 5.2 and 5.4 with a stand-in for Wireshark, and compares what it adds to the tree."""
        known = [packet for capture in CAPTURES for packet in pcap.packets(capture)]
        lines = []
        for packet in [*known, *riptide_messages(), *freeciv_streams()]:
            source, target, payload = pcap.payload(packet)
            transport = "udp" if packet[9] == pcap.UDP else "tcp"
            if payload:
                lines.append(f"{transport} {source} {target} {payload.hex()}\n")
        outputs = [
            subprocess.run([lua, STAND_IN, self.script], input="".join(lines).encode(), capture_output=True, check=True).stdout
            for lua in LUA
        ]
        before, after = (output.splitlines() for output in outputs)
        print(f"{len(lines)} packets, {len(after)} lines in {LUA[1]}")
        faults = [f"{LUA[0]}: {left!r}, {LUA[1]}: {right!r}" for left, right in zip(before, after) if left != right]
        return faults if len(before) == len(after) > len(lines) else [*faults, f"{len(before)} and {len(after)} lines"]

    def print_speed(self) -> None:
        """Prints how fast tshark is with and without the dissector on a repeated capture, in processor time."""
        capture = self.folder / "repeated.pcap"
        repeated = pcap.packets(VECTORS / "teeworlds" / "captures" / "tw-0.7-two-clients.pcap") * REPEATED
        count = pcap.write(capture, repeated)
        megabytes = capture.stat().st_size / 1e6
        for mode in ([], ["-V"]):
            for name, script in (("tshark", []), ("tshark with gamewire.lua", ["-X", f"lua_script:{self.script}"])):
                began = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run(["tshark", "-2", "-n", "-r", capture, *mode, *script], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, check=True)
                ended = resource.getrusage(resource.RUSAGE_CHILDREN)
                took = ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime
                print(f"{' '.join([name, *mode])}: {count / took:.0f} packets/s, {megabytes / took:.1f} MB/s")


def faults(command: Path, is_measured: bool) -> dict[str, list[str]]:
    """Returns the faults of each test, and measures the dissector if asked."""
    with tempfile.TemporaryDirectory() as folder:
        dissector = Dissector(command, Path(folder))
        found = {
            "the_dissector_decodes_what_inspect_decodes": dissector.decodes_what_inspect_decodes(),
            "the_dissector_survives_mutated_packets": dissector.survives_mutated_packets(),
        }
        if all(shutil.which(lua) for lua in LUA):
            found["the_dissector_runs_in_lua_5_4"] = dissector.runs_in_other_versions_of_lua()
        else:
            print(f"test the_dissector_runs_in_lua_5_4 ... ignored, needs {' and '.join(LUA)}")
        if is_measured:
            dissector.print_speed()
    return found
