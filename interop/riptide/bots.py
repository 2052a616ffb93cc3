"""The examples of the README, as it runs them."""

import subprocess
from pathlib import Path

from program import free_port
from theirs import TheirClient, until

# The folder of the built examples; set once, before anything runs.
EXAMPLES = Path("target/debug/examples")
COUNT = 40


def the_echo_server() -> None:
    """Thirty lines of Rust, and a client of the Python port."""
    for transport in ("udp", "tcp"):
        port = free_port()
        server = subprocess.Popen([EXAMPLES / "riptide_echo", str(port)], stdout=subprocess.DEVNULL)
        try:
            client = connected(transport, port)
            for value in range(COUNT):
                client.say("reliable", 1, value)
                client.say("unreliable", 2, value)
                until([client], lambda: len(client.values) == 2 * (value + 1), "both echoes come")
            expected = [(number, value) for number in (1, 2) for value in range(COUNT)]
            assert sorted(client.values) == expected, client.values
        finally:
            server.kill()
            server.wait(20)


def connected(transport: str, port: int) -> TheirClient:
    """A client that is in; a stream is refused until the server listens."""
    while True:
        try:
            client = TheirClient(transport, port, "hello")
        except OSError:
            continue
        until([client], lambda: client.is_connected, "it is let in")
        return client
