"""Datagrams out of a classic pcap file: as much of the format as the committed captures use."""

import struct
from pathlib import Path
from typing import Iterator

ETHERNET = 1
ETHERNET_HEADER = 14
UDP = 17


def datagrams(path: Path) -> Iterator[bytes]:
    """The UDP payload of every frame, in order."""
    data = path.read_bytes()
    magic, = struct.unpack_from("<I", data)
    link, = struct.unpack_from("<I", data, 20)
    if (magic, link) != (0xA1B2C3D4, ETHERNET):
        raise ValueError(f"{path.name}: not a little-endian pcap of Ethernet frames")
    at = 24
    while at < len(data):
        held, original = struct.unpack_from("<8xII", data, at)
        at += 16
        if held != original:
            raise ValueError(f"{path.name}: a frame was cut off")
        yield udp_payload(data[at:at + held])
        at += held


def udp_payload(frame: bytes) -> bytes:
    """The payload of a UDP datagram over IPv4 over Ethernet."""
    packet = frame[ETHERNET_HEADER:]
    header = (packet[0] & 0x0F) * 4
    if packet[0] >> 4 != 4 or packet[9] != UDP:
        raise ValueError("not UDP over IPv4")
    length, = struct.unpack_from(">H", packet, header + 4)
    return packet[header + 8:header + length]
