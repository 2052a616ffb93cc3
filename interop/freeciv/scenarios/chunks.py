"""Compressed chunks, in both directions or in none."""

from puppet import Puppet
from server import Server

from .games import is_the_same_again

LINES = 40


def of_ours_are_taken() -> None:
    """A client that compresses: the server reads all that is in its chunk, in order."""
    for level in ("-1", "1", "9"):
        with Server() as server, Puppet(server.address, "alice", f"compress={level}") as alice:
            said_at_once(server, alice)
            again = alice.does("again")
            assert again["sent"]["chunks"] >= 1, again


def of_a_server_that_sends_none() -> None:
    """A server of compression level 0 and one of the default: the same packets, with and without chunks."""
    for level, has_chunks in ((0, False), (None, True)):
        with Server(level=level) as server, Puppet(server.address, "alice") as alice:
            alice.does("start")
            alice.does("until 1")
            for _ in range(3):
                alice.does("turn")
            said_at_once(server, alice)
            again = alice.does("again")
            assert (again["received"]["chunks"] > 0) == has_chunks, again
            assert again["sent"]["chunks"] == 0, again
            is_the_same_again(alice)


def of_ours_at_a_server_that_sends_none() -> None:
    """Chunks go one way only."""
    with Server(level=0) as server, Puppet(server.address, "alice", "compress=6") as alice:
        said_at_once(server, alice)
        again = alice.does("again")
        assert again["sent"]["chunks"] >= 1 and again["received"]["chunks"] == 0, again


def said_at_once(server: Server, puppet: Puppet) -> None:
    """Many lines without waiting: each is answered, in order."""
    answers = puppet.does(f"burst {LINES}")
    heard = [message for answer in answers for message in answer["messages"]]
    for number in range(LINES):
        assert f"line {number} of {LINES}," in heard[number], heard
    assert server.process is not None and server.process.poll() is None, server.log()
