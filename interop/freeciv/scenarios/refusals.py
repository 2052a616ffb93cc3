"""What goes wrong gets one sentence and exit 1."""

import command
from program import free_port
from puppet import Puppet
from server import Server

CAPABILITIES = "+Freeciv-3.0-network year32 plrculture32 pingfix researchclr cityculture32"


def nobody_listens() -> None:
    """A port where no server is."""
    command.refused(command.run("join", f"freeciv://127.0.0.1:{free_port()}", "--json"), "127.0.0.1")


def the_name_is_taken() -> None:
    """Somebody of that name plays already; the case of letters does not matter."""
    with Server() as server, Puppet(server.address, "alice"):
        command.refused(command.run("join", server.url, "--json", "--name", "Alice"), "'Alice' already connected")


def the_name_is_none() -> None:
    """A name that no server allows is not even sent; one that only this server does not allow is refused."""
    with Server() as server:
        ended = command.run("join", server.url, "--json", "--name", "1st")
        assert ended.returncode == 2 and "does not begin with a digit" in ended.stderr, ended
        code, words = Puppet(server.address, "1st").last_words()
        assert code == 1 and words.startswith("error: the server refuses: ") and words.count("\n") == 1, (code, words)


def a_capability_is_lacked() -> None:
    """The server requires what we do not have, and we what it does not have."""
    with Server() as server:
        for ours, word in (
            (CAPABILITIES.replace("3.0", "3.1"), "Freeciv-3"),
            (f"{CAPABILITIES} +moonlight", "moonlight"),
            ("year32", "Freeciv-3.0-network"),
        ):
            code, words = Puppet(server.address, "alice", f"caps={ours}").last_words()
            assert code == 1 and word in words and words.count("\n") == 1, (code, words)
        with Puppet(server.address, "alice", "caps=+Freeciv-3.0-network") as alice:
            alice.world()


def the_password_is_wrong() -> None:
    """A server with accounts: a new user, then the same with another password."""
    with Server(has_accounts=True) as server:
        with Puppet(server.address, "alice", "password=correct1") as alice:
            alice.world()
        with Puppet(server.address, "alice", "password=correct1") as alice:
            alice.world()
        ended = command.run("join", server.url, "--json", "--name", "alice", "--password", "not it")
        command.refused(ended, "password")


def the_server_is_ended_in_mid_game() -> None:
    """By its user, and by force."""
    for end in (Server.end, Server.kill):
        with Server() as server:
            alice = Puppet(server.address, "alice")
            with alice:
                alice.does("start")
                alice.does("until 1")
                alice.does("turn")
                end(server)
                assert alice.process.stdin is not None
                alice.process.stdin.write("turn\n")
                alice.process.stdin.flush()
                code, words = alice.last_words()
                assert code == 1 and words.startswith("error: ") and words.count("\n") == 1, (code, words)
