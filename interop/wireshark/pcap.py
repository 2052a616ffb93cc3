"""Capture files: reading those in vectors, and writing others."""

import random
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

RAW_IP = 101
# Bytes of the link layer before the IP header, by link type.
LINK_BYTES = {0: 4, 1: 14, RAW_IP: 0, 113: 16, 276: 20}
UDP, TCP = 17, 6
PUSH_ACK = 0x18
# Bytes of a stream in one segment.
SEGMENT = 4096


def _blocks(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields the link type and the bytes of every frame."""
    if data[:4] != b"\x0a\x0d\x0d\x0a":
        link, = struct.unpack_from("<I", data, 20)
        at = 24
        while at < len(data):
            captured, = struct.unpack_from("<I", data, at + 8)
            yield link, data[at + 16:at + 16 + captured]
            at += 16 + captured
        return
    at, link = 0, 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 1:
            link, = struct.unpack_from("<H", data, at + 8)
        elif kind == 6:
            captured, = struct.unpack_from("<I", data, at + 20)
            yield link, data[at + 28:at + 28 + captured]
        at += length


def packets(path: Path) -> list[bytes]:
    """Returns the IPv4 packets of a capture, from their IP header on."""
    found = [frame[LINK_BYTES[link]:] for link, frame in _blocks(path.read_bytes())]
    return [packet for packet in found if len(packet) >= 28 and packet[0] == 0x45 and packet[9] in (UDP, TCP)]


def payload(packet: bytes) -> tuple[int, int, bytes]:
    """Returns the ports of a packet and its payload."""
    source, target = struct.unpack_from(">HH", packet, 20)
    length, = struct.unpack_from(">H", packet, 2)
    start = 28 if packet[9] == UDP else 20 + (packet[32] >> 4) * 4
    return source, target, packet[start:length]


def write(path: Path, written: Iterable[bytes]) -> int:
    """Writes IP packets, one each millisecond, and returns their number."""
    count = 0
    with path.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, RAW_IP))
        for count, packet in enumerate(written, 1):
            file.write(struct.pack("<IIII", count // 1000, count % 1000 * 1000, len(packet), len(packet)) + packet)
    return count


def _ip(protocol: int, payload: bytes, is_from_client: bool) -> bytes:
    addresses = (b"\x0a\0\0\1", b"\x0a\0\0\2")
    source, target = addresses if is_from_client else reversed(addresses)
    return struct.pack(">BBHIBBH", 0x45, 0, 20 + len(payload), 0, 64, protocol, 0) + source + target + payload


def datagram(client: int, server: int, payload: bytes, is_from_client: bool) -> bytes:
    """Returns an IP packet with a datagram between two ports."""
    source, target = (client, server) if is_from_client else (server, client)
    return _ip(UDP, struct.pack(">HHHH", source, target, 8 + len(payload), 0) + payload, is_from_client)


class Connection:
    """Writes the segments of a TCP connection."""

    def __init__(self, client: int, server: int) -> None:
        self.ports = (client, server)
        self.sent = {True: 1, False: 1}

    def segments(self, data: bytes, is_from_client: bool, size: int = SEGMENT) -> Iterator[bytes]:
        """Yields IP packets with the next bytes of one direction."""
        source, target = self.ports if is_from_client else reversed(self.ports)
        for at in range(0, len(data), size):
            part = data[at:at + size]
            header = struct.pack(">HHIIBBHHH", source, target, self.sent[is_from_client], self.sent[not is_from_client],
                                 0x50, PUSH_ACK, 65535, 0, 0)
            self.sent[is_from_client] += len(part)
            yield _ip(TCP, header + part, is_from_client)


def _damaged(packet: bytes, dice: random.Random) -> bytes:
    """Returns a packet with a few changed, missing or additional bytes of payload."""
    is_udp = packet[9] == UDP
    start = len(packet) - len(payload(packet)[2])
    changed = bytearray(packet)
    for _ in range(dice.choice([1, 1, 2, 5, 20])):
        if len(changed) <= start:
            break
        at = dice.randrange(start, len(changed))
        kind = dice.randrange(4 if is_udp else 2)
        if kind == 0:
            changed[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            changed[at] = dice.choice([0, 1, 0x3F, 0x40, 0x7F, 0x80, 0xFF])
        elif kind == 2:
            del changed[at:at + dice.randrange(1, 30)]
        else:
            changed[at:at] = dice.randbytes(dice.randrange(1, 9))
    struct.pack_into(">H", changed, 2, len(changed))
    if is_udp:
        struct.pack_into(">H", changed, 24, len(changed) - 20)
    return bytes(changed)


def mutated(captures: Iterable[Path], count: int, seed: int) -> Iterator[bytes]:
    """Yields stretches of captures with at least `count` damaged packets, each between other addresses."""
    dice = random.Random(seed)
    known = [found for found in map(packets, captures) if found]
    while count > 0:
        conversation = dice.choice(known)
        start = dice.choice([0, dice.randrange(len(conversation))])
        address = struct.pack(">H", dice.randrange(1, 60000))
        for packet in conversation[start:start + dice.randrange(20, 400)]:
            moved = packet[:12] + address + packet[14:16] + address + packet[18:]
            if dice.random() < 0.5:
                moved = _damaged(moved, dice)
                count -= 1
            yield moved
