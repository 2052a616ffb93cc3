"""TCP for clients."""

from gamewire.riptide.transports.ipeer import DEFAULT_SOCKET_BUFFER_SIZE, IClient


class TCPClient(IClient):
    """A client over TCP."""

    transport = "tcp"

    def __init__(self, socketBufferSize: int = DEFAULT_SOCKET_BUFFER_SIZE):
        super().__init__(socketBufferSize)
