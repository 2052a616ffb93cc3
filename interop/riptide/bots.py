"""The examples that the README shows."""

import subprocess

import gamewire
from program import Watchdog
from theirs import TheirClient, until

COUNT = 40


def the_echo_server() -> None:
    """The echo server and a client of the Python port."""
    for transport in ("udp", "tcp"):
        server = subprocess.Popen([gamewire.EXAMPLES / "riptide_echo", "0"], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            with Watchdog(server):
                port = int(server.stdout.readline().removeprefix("listening on port "))
            client = TheirClient(transport, port, "hello")
            until([client], lambda: client.is_connected, "the client is accepted")
            for value in range(COUNT):
                client.send("reliable", 1, value)
                client.send("unreliable", 2, value)
                until([client], lambda: len(client.values) == 2 * (value + 1), "both echoes arrive")
            expected = [(number, value) for number in (1, 2) for value in range(COUNT)]
            assert sorted(client.values) == expected, client.values
        finally:
            server.kill()
            server.communicate()
