"""UDP for clients."""

from gamewire.riptide.transports.ipeer import IClient
from gamewire.riptide.transports.udp.udp_peer import UDPPeer


class UDPClient(UDPPeer, IClient):
    """A client over UDP."""
