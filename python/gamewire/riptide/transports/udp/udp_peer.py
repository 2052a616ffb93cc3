"""The parts that both transports over UDP share."""

from __future__ import annotations

from enum import IntEnum

from gamewire.riptide.transports.ipeer import DEFAULT_SOCKET_BUFFER_SIZE, IPeer


class SocketMode(IntEnum):
    """The families of addresses of a socket."""

    Both = 0
    """IPv6 and IPv4. In the Python port, it is IPv4 only."""
    IPv4Only = 1
    IPv6Only = 2


class UDPPeer(IPeer):
    """UDP."""

    transport = "udp"

    def __init__(
        self,
        mode: SocketMode = SocketMode.Both,
        socketBufferSize: int = DEFAULT_SOCKET_BUFFER_SIZE,
        listenAddress: str = "",
    ):
        any_address = {SocketMode.IPv4Only: "0.0.0.0", SocketMode.IPv6Only: "::"}.get(mode, "")
        super().__init__(socketBufferSize, listenAddress or any_address)
        self.mode = mode
