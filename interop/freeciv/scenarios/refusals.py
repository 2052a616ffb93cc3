"""Every failure is one error line and exit code 1."""

import gamewire
from program import held_port
from puppet import Puppet
from server import Server

CAPABILITIES = "+Freeciv-3.0-network year32 plrculture32 pingfix researchclr cityculture32"


def no_server_listens() -> None:
    """No server listens on the port."""
    join_fails(f"freeciv://127.0.0.1:{held_port()}", words=["127.0.0.1"])


def the_name_is_taken() -> None:
    """Another player has the name; case is ignored."""
    with Server() as server, Puppet(server.address, "alice"):
        join_fails(server.url, "--name", "Alice", words=["'Alice' already connected"])


def the_name_is_invalid() -> None:
    """A name that no server allows is not sent; one that only this server disallows is refused."""
    with Server() as server:
        ended = gamewire.run("join", server.url, "--json", "--name", "1st")
        assert ended.returncode == 2 and "starts with a digit" in ended.stderr, ended
        puppet_fails(Puppet(server.address, "1st"), "server")


def a_capability_is_missing() -> None:
    """The server requires a capability that we do not have, and the reverse."""
    with Server() as server:
        for ours, word in (
            (CAPABILITIES.replace("3.0", "3.1"), "Freeciv-3"),
            (f"{CAPABILITIES} +moonlight", "moonlight"),
            ("year32", "Freeciv-3.0-network"),
        ):
            puppet_fails(Puppet(server.address, "alice", f"caps={ours}"), word)
        with Puppet(server.address, "alice", "caps=+Freeciv-3.0-network") as alice:
            alice.world()


def the_password_is_wrong() -> None:
    """A server with accounts: a new user, then the same user with another password."""
    with Server(has_accounts=True) as server:
        with Puppet(server.address, "alice", "password=correct1") as alice:
            alice.world()
        with Puppet(server.address, "alice", "password=correct1") as alice:
            alice.world()
        join_fails(server.url, "--name", "alice", "--password", "not it", words=["password"])


def the_server_ends_in_mid_game() -> None:
    """The server is terminated, and killed."""
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
                puppet_fails(alice)


def the_game_runs_already() -> None:
    """A player without a nation can neither start a running game nor take turns in it; an unknown player cannot be observed."""
    with Server() as server, Puppet(server.address, "alice") as alice:
        alice.does("start")
        alice.does("until 1")
        (me,) = [player for player in alice.world()["players"] if player["username"] == "alice"]
        join_fails(server.url, "--name", "bob", "--start", words=["has started", "--observe", "/take NAME", me["name"]])
        join_fails(server.url, "--name", "bob", "--observe=Nobody", words=["cannot observe", "'Nobody'", me["name"]])
        # Long enough to join on a busy machine; no turn ends meanwhile.
        join_fails(server.url, "--name", "bob", "--observe", "--turns", "9", "--for", "20s", words=["0 of 9 turns"])
        ended = gamewire.run("join", server.url, "--json", "--name", "bob", f"--observe={me['name']}", "--for", "20s")
        assert ended.returncode == 0 and len(gamewire.events(ended, "watching")) == 1, ended


def puppet_fails(puppet: Puppet, *words: str) -> None:
    """Checks that a puppet ends with nothing but one error line that contains all the words."""
    code, errors = puppet.ended()
    gamewire.failed(code, errors, *words)
    assert errors.count("\n") == 1, errors


def join_fails(url: str, *arguments: str, words: list[str]) -> None:
    """Checks that `gamewire join` fails with one error line that contains all the words."""
    ended = gamewire.run("join", url, "--json", *arguments)
    gamewire.failed(ended.returncode, ended.stderr, *words)
