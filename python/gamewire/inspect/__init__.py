"""Captures of game traffic: packets with their fields, tables, and bytes without a capture.

    import gamewire

    for packet in gamewire.open("capture.pcapng", filter="teeworlds.chat"):
        print(packet.time, packet.messages)
"""

from gamewire.inspect._capture import Capture, open
from gamewire.inspect._explain import Explanation, explain
from gamewire.inspect._packet import Packet, byte_range
from gamewire.inspect._tables import Table, Tables, tables

__all__ = ["Capture", "Explanation", "Packet", "Table", "Tables", "byte_range", "explain", "open", "tables"]
