"""Records vectors/riptide/captures: sessions of pytide-networking 2.1.0a0 with itself on loopback.

    pip install pytide-networking==2.1.0a0
    python3 interop/riptide/record.py vectors/riptide/captures

It needs dumpcap and the right to capture on lo. Times and ports differ from run to run.
"""

import logging
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytidenetworking.message as message
import pytidenetworking.pending_message as pending
from pytidenetworking.client import Client
from pytidenetworking.message_base import MessageSendMode
from pytidenetworking.server import Server
from pytidenetworking.transports.tcp.tcp_client import TCPClient
from pytidenetworking.transports.tcp.tcp_server import TCPServer
from pytidenetworking.transports.udp.udp_client import UDPClient
from pytidenetworking.transports.udp.udp_peer import SocketMode
from pytidenetworking.transports.udp.udp_server import UDPServer

PORT = 17777
RELIABLE, UNRELIABLE = MessageSendMode.Reliable, MessageSendMode.Unreliable

# Pooled messages keep their count of attempts, which ends a connection after 15 of them.
pending.PENDING_MESSAGE_POOL.size = 0
pending.MAX_SEND_ATTEMPTS = 10**9
logging.disable(logging.CRITICAL)


class Session:
    """A server that sends everything back, and its clients."""

    def __init__(self, transport):
        self.is_udp = transport == "udp"
        if self.is_udp:
            self.server = Server(UDPServer(SocketMode.IPv4Only, listenAddress="127.0.0.1"))
        else:
            self.server = Server(TCPServer(listenAddress="127.0.0.1"))
        self.server.MessageReceived += self.echo
        self.server.start(PORT, 4)
        self.clients = []

    def echo(self, connection, number, received):
        reply = message.create(received.sendMode, number)
        reply.putInt32(received.getInt32())
        self.server.send(reply, connection)

    def connect(self, name):
        client = Client(UDPClient(SocketMode.IPv4Only) if self.is_udp else TCPClient())
        data = message.createInternal()
        data.putString(name)
        client.connect(("127.0.0.1", PORT), message=data)
        self.clients.append(client)
        self.run(0.4)
        return client

    def say(self, client, mode, number, value):
        words = message.create(mode, number)
        words.putInt32(value)
        client.send(words)
        self.run(0.05)

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for peer in [self.server, *self.clients]:
                try:
                    peer.update()
                except (ValueError, TypeError, AttributeError, OSError):
                    pass  # It stumbles over acks and over the end of connections.
            time.sleep(0.002)

    def play(self):
        first = self.connect("first")
        for number in range(6):
            self.say(first, RELIABLE, 10, 1000 + number)
            self.say(first, UNRELIABLE, 11, 2000 + number)
        second = self.connect("second")
        self.say(second, RELIABLE, 300, -1)
        self.run(1.2)
        second.disconnect()
        self.clients.remove(second)
        self.run(0.4)
        third = self.connect("third")
        farewell = message.createInternal()
        farewell.putString("bye")
        self.server.disconnectClient(third.id, farewell)
        self.run(0.4)
        try:
            self.server.stop()
        except (ValueError, TypeError, AttributeError, OSError):
            pass  # On UDP it fails to say that it stops.
        self.run(0.2)


def without_host(capture):
    """The capture without what dumpcap tells of the machine: packets, and what they need to be read."""
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
    file = folder / f"pytide-2.1.0a0-{transport}.pcapng"
    command = ["dumpcap", "-q", "-i", "lo", "-f", f"{transport} port {PORT}", "-w", str(file)]
    dumpcap = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        for line in dumpcap.stderr:
            if line.startswith("File:"):
                break
        time.sleep(0.5)
        Session(transport).play()
        time.sleep(0.5)
    finally:
        dumpcap.terminate()
        dumpcap.wait(10)
    file.write_bytes(without_host(file.read_bytes()))
    print(file, file.stat().st_size, "bytes")


if __name__ == "__main__":
    for transport in ["udp", "tcp"]:
        record(transport, Path(sys.argv[1]))
