"""UDP for servers."""

from gamewire.riptide.transports.ipeer import IServer
from gamewire.riptide.transports.udp.udp_peer import UDPPeer


class UDPServer(UDPPeer, IServer):
    """A server over UDP."""
