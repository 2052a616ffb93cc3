"""TCP for servers."""

from gamewire.riptide.transports.ipeer import IServer


class TCPServer(IServer):
    """A server over TCP. Without a listen address, it listens on all addresses."""

    transport = "tcp"
