"""A server or client of ours that is stopped for a while, as a game that loads a scene, with messages in flight."""

import signal
import time

from ours import Ours
from program import until


def stalls(seconds: float, who: str, version: str) -> tuple[Ours, Ours, list[int]]:
    """Stops one end while the other sends ten messages a second. Returns both and the values that were sent."""
    server = Ours("serve", "riptide", "--bind", "127.0.0.1:0", "--relay", "none")
    client = Ours("join", f"riptide-{version}+udp://127.0.0.1:{server.port()}")
    until(lambda: client.all("connected"), lambda: f"the client is connected: {client}")
    number = client.all("connected")[0]["client"]
    frozen = server if who == "server" else client
    sender, prefix = (client, "reliable") if who == "server" else (server, f"send {number} reliable")
    values = list(range(int(seconds * 10) + 20))
    begin = time.monotonic()
    for value in values:
        if value == 5:
            frozen.process.send_signal(signal.SIGSTOP)
        if value == 5 + int(seconds * 10):
            frozen.process.send_signal(signal.SIGCONT)
        # A client ends with its connection.
        if sender.has_ended():
            break
        sender.type(f"{prefix} 10 int:{value}")
        time.sleep(max(0.0, begin + value * 0.1 - time.monotonic()))
    frozen.process.send_signal(signal.SIGCONT)
    return server, client, values


def survives(seconds: float) -> None:
    """Both ends, both formats: every message arrives, and the connection stays open."""
    for version in ("2.1", "2.0"):
        for who in ("server", "client"):
            server, client, values = stalls(seconds, who, version)
            with server, client:
                receiver = server if who == "server" else client
                until(
                    lambda: len(receiver.values()) >= len(values),
                    lambda: f"every message arrives: {server} {client}",
                )
                assert sorted(value for _, value in receiver.values()) == values, (version, who)
                assert not server.all("client_disconnected") and not client.all("disconnected"), (version, who)


def a_stall_of_one_second_loses_nothing() -> None:
    """A second is more than 15 attempts on a fast network."""
    survives(1)


def a_stall_of_three_seconds_loses_nothing() -> None:
    """Less than the timeout."""
    survives(3)


def a_stall_of_six_and_a_half_seconds_is_a_timeout() -> None:
    """More than the timeout: the end that waits says that no heartbeat arrived, and for how long."""
    for who in ("server", "client"):
        server, client, _ = stalls(6.5, who, "2.1")
        with server, client:
            waiting, kind = (client, "disconnected") if who == "server" else (server, "client_disconnected")
            until(lambda: waiting.all(kind), lambda: f"the connection ends: {server} {client}")
            end = waiting.all(kind)[0]
            assert (end["reason"], end["limit"]) == ("TimedOut", "silence"), end
            # Milliseconds are rounded down.
            assert 5_000 <= end["silence_ms"] < 8_000, end


def with_the_limit_of_csharp_it_ends_and_says_why() -> None:
    """--max-attempts 15, as the C# library has it."""
    with Ours("serve", "riptide", "--bind", "127.0.0.1:0", "--relay", "none", "--max-attempts", "15") as server:
        with Ours("join", f"riptide://127.0.0.1:{server.port()}") as client:
            until(lambda: client.all("connected"), lambda: f"the client is connected: {client}")
            client.process.send_signal(signal.SIGSTOP)
            server.type("all reliable 10 int:1")
            until(lambda: server.all("client_disconnected"), lambda: f"the connection ends: {server}")
            client.process.send_signal(signal.SIGCONT)
            end = server.all("client_disconnected")[0]
            assert (end["reason"], end["limit"], end["attempts"]) == ("PoorConnection", "send_attempts", 15), end
            assert end["seq_id"] > 0 and end["silence_ms"] < 5_000, end
