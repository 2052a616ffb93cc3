"""Datagrams of a classic pcap file: the parts of the format that the committed captures use."""

import struct
from pathlib import Path
from typing import Iterator

ETHERNET = 1
ETHERNET_HEADER = 14
UDP = 17


def datagrams(path: Path) -> Iterator[bytes]:
    """Yields the UDP payload of every frame, in order."""
    data = path.read_bytes()
    magic, = struct.unpack_from("<I", data)
    link, = struct.unpack_from("<I", data, 20)
    if (magic, link) != (0xA1B2C3D4, ETHERNET):
        raise ValueError(f"{path.name}: not a little-endian pcap of Ethernet frames")
    at = 24
    while at < len(data):
        captured, original = struct.unpack_from("<8xII", data, at)
        at += 16
        if captured != original:
            raise ValueError(f"{path.name}: a frame is truncated")
        yield udp_payload(data[at:at + captured])
        at += captured


def udp_payload(frame: bytes) -> bytes:
    """Returns the payload of a UDP datagram over IPv4 over Ethernet."""
    packet = frame[ETHERNET_HEADER:]
    header = (packet[0] & 0x0F) * 4
    if packet[0] >> 4 != 4 or packet[9] != UDP:
        raise ValueError("not UDP over IPv4")
    length, = struct.unpack_from(">H", packet, header + 4)
    return packet[header + 8:header + length]
