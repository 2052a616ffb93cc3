"""A router between a client and a server, which can give the client a new address."""

import select
import socket
import threading
from types import TracebackType

LOOPBACK = "127.0.0.1"


class Router:
    """Forwards the datagrams of one client to a server on this machine."""

    def __init__(self, port: int) -> None:
        self.server = (LOOPBACK, port)
        self.inside = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.inside.bind((LOOPBACK, 0))
        self.port = self.inside.getsockname()[1]
        self.outside = self.open()
        # All datagrams of the client so far.
        self.seen: list[bytes] = []
        self.is_over = False
        self.thread = threading.Thread(target=self.forward)

    def open(self) -> socket.socket:
        outside = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        outside.bind((LOOPBACK, 0))
        return outside

    def change_address(self) -> None:
        """Datagrams to the old address are lost from now on."""
        self.outside = self.open()

    def forward(self) -> None:
        client = None
        while not self.is_over:
            outside = self.outside
            ready, _, _ = select.select([self.inside, outside], [], [], 0.05)
            if self.inside in ready:
                data, client = self.inside.recvfrom(65536)
                self.seen.append(data)
                self.outside.sendto(data, self.server)
            if outside in ready and outside is self.outside and client:
                self.inside.sendto(outside.recv(65536), client)

    def __enter__(self) -> "Router":
        self.thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.is_over = True
        self.thread.join()
