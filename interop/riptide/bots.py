"""The examples that the README shows."""

import subprocess

import gamewire
from program import free_port
from theirs import TheirClient, until

COUNT = 40


def the_echo_server() -> None:
    """The echo server and a client of the Python port."""
    for transport in ("udp", "tcp"):
        port = free_port()
        server = subprocess.Popen([gamewire.EXAMPLES / "riptide_echo", str(port)], stdout=subprocess.DEVNULL)
        try:
            client = connected(transport, port)
            for value in range(COUNT):
                client.send("reliable", 1, value)
                client.send("unreliable", 2, value)
                until([client], lambda: len(client.values) == 2 * (value + 1), "both echoes arrive")
            expected = [(number, value) for number in (1, 2) for value in range(COUNT)]
            assert sorted(client.values) == expected, client.values
        finally:
            server.kill()
            server.wait(20)


def connected(transport: str, port: int) -> TheirClient:
    """Returns a connected client. A TCP connection is refused until the server listens."""
    while True:
        try:
            client = TheirClient(transport, port, "hello")
        except OSError:
            continue
        until([client], lambda: client.is_connected, "the client is accepted")
        return client
