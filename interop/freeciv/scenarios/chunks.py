"""Compressed chunks in both directions, one or none."""

from puppet import Puppet
from server import Server

from .games import encodes_to_the_same_bytes

LINES = 40


def of_ours_are_accepted() -> None:
    """A client compresses; the server reads every packet of its chunk, in order."""
    for level in ("-1", "1", "9"):
        with Server() as server, Puppet(server.address, "alice", f"compress={level}") as alice:
            send_burst(server, alice)
            again = alice.does("again")
            assert again["sent"]["chunks"] >= 1, again


def of_a_server_that_sends_none() -> None:
    """Compression level 0 and the default: the same packets, without and with chunks."""
    for level, has_chunks in ((0, False), (None, True)):
        with Server(level=level) as server, Puppet(server.address, "alice") as alice:
            alice.does("start")
            alice.does("until 1")
            for _ in range(3):
                alice.does("turn")
            send_burst(server, alice)
            again = alice.does("again")
            assert (again["received"]["chunks"] > 0) == has_chunks, again
            assert again["sent"]["chunks"] == 0, again
            encodes_to_the_same_bytes(alice)


def of_ours_at_a_server_that_sends_none() -> None:
    """Only the client sends chunks."""
    with Server(level=0) as server, Puppet(server.address, "alice", "compress=6") as alice:
        send_burst(server, alice)
        again = alice.does("again")
        assert again["sent"]["chunks"] >= 1 and again["received"]["chunks"] == 0, again


def send_burst(server: Server, puppet: Puppet) -> None:
    """Sends many chat lines without waiting; the server answers each, in order."""
    answers = puppet.does(f"burst {LINES}")
    received = [message for answer in answers for message in answer["messages"]]
    for number in range(LINES):
        assert f"line {number} of {LINES}," in received[number], received
    assert server.process is not None and server.process.poll() is None, server.log()
