"""Records vectors/riptide/captures: sessions of pytide-networking 2.1.0a0 with itself on loopback.

    pip install pytide-networking==2.1.0a0
    python3 interop/riptide/record.py vectors/riptide/captures

It needs dumpcap and the permission to capture on lo. Times and ports differ between runs.
"""

import struct
import subprocess
import sys
import time
from pathlib import Path

from theirs import TheirClient, TheirServer, for_a_while

PORT = 17777


def play(transport):
    """Runs an echo server and three clients."""
    server = TheirServer(transport, PORT, max_clients=4)
    peers = [server]

    def connect(name):
        client = TheirClient(transport, PORT, name)
        peers.append(client)
        for_a_while(peers, 0.4)
        return client

    def send(client, mode, number, value):
        client.send(mode, number, value)
        for_a_while(peers, 0.05)

    first = connect("first")
    for number in range(6):
        send(first, "reliable", 10, 1000 + number)
        send(first, "unreliable", 11, 2000 + number)
    second = connect("second")
    send(second, "reliable", 300, -1)
    for_a_while(peers, 1.2)
    second.peer.disconnect()
    peers.remove(second)
    for_a_while(peers, 0.4)
    server.kick(connect("third").peer.id, "bye")
    for_a_while(peers, 0.4)
    server.stop()
    for_a_while(peers, 0.2)


def without_host(capture):
    """Returns the capture without dumpcap's data about the machine: only the packets and their interface."""
    kept, at = b"", 0
    while at < len(capture):
        kind, length = struct.unpack_from("<II", capture, at)
        body = capture[at + 8 : at + length - 4]
        at += length
        if kind == 0x0A0D0D0A:
            body = body[:8] + b"\xff" * 8
        elif kind == 1:
            body = body[:8] + struct.pack("<HHB3xHH", 9, 1, 9, 0, 0)  # times are in nanoseconds
        elif kind != 6:
            continue
        kept += struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)
    return kept


def record(transport, folder):
    """Records a session over one transport."""
    file = folder / f"pytide-2.1.0a0-{transport}.pcapng"
    command = ["dumpcap", "-q", "-i", "lo", "-f", f"{transport} port {PORT}", "-w", str(file)]
    dumpcap = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        for line in dumpcap.stderr:
            if line.startswith("File:"):
                break
        time.sleep(0.5)
        play(transport)
        time.sleep(0.5)
    finally:
        dumpcap.terminate()
        dumpcap.wait(10)
    file.write_bytes(without_host(file.read_bytes()))
    print(file, file.stat().st_size, "bytes")


if __name__ == "__main__":
    for transport in ["udp", "tcp"]:
        record(transport, Path(sys.argv[1]))
