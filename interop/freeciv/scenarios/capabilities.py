"""Capabilities of our choice on the real servers: the reply decides the version, both sides the active capabilities."""

import itertools
import json
import subprocess
from collections.abc import Iterator

import gamewire
from program import LIMIT, Watchdog
from server import Server

# The capability string of each version: its mandatory capability and the optional ones.
OFFERED = {
    "3.0": "+Freeciv-3.0-network year32 plrculture32 pingfix researchclr cityculture32",
    "3.1": "+Freeciv-3.1-network city-original rsdesc32 obsinv ids32",
    "3.2": "+Freeciv-3.2-network ownernull16 unignoresync tu32 hap2clnt",
}


def every_subset_joins_every_version() -> None:
    """`join --capabilities` with each subset of the optional capabilities receives the rules and the first state of the game."""
    for version, offered in OFFERED.items():
        mandatory, *optional = offered.split()
        with Server(version=version) as server:
            for chosen in subsets(optional):
                joins(server, " ".join([mandatory, *chosen]))


def games_with_none_and_all_of_the_capabilities() -> None:
    """Five turns on each version: with all optional capabilities, each of them alone, and none."""
    for version, offered in OFFERED.items():
        mandatory, *optional = offered.split()
        for chosen in [[], optional, *([word] for word in optional)]:
            with Server(version=version, aifill="2") as server:
                capabilities = " ".join([mandatory, *chosen])
                arguments = ["--json", "--name", "alice", "--capabilities", capabilities, "--start", "--turns", "5"]
                ended = gamewire.run("join", server.url, *arguments)
                assert ended.returncode == 0, (version, capabilities, ended)
                assert len(gamewire.events(ended, "turn")) == 5, (version, capabilities, ended)


def a_version_that_the_server_does_not_have_is_refused() -> None:
    """The mandatory capability of another version: one line says which capability is missing."""
    with Server(version="3.2") as server:
        ended = gamewire.run("join", server.url, "--capabilities", OFFERED["3.1"], "--name", "alice")
        gamewire.failed(ended.returncode, ended.stderr, "Freeciv-3.")


def subsets(words: list[str]) -> Iterator[tuple[str, ...]]:
    """All subsets, the empty one first."""
    return itertools.chain.from_iterable(itertools.combinations(words, count) for count in range(len(words) + 1))


def joins(server: Server, capabilities: str) -> None:
    """Joins with a capability string until the server has assigned a player, which it does after the rules, and leaves."""
    arguments = ["join", server.url, "--json", "--name", "alice", "--manual", "--capabilities", capabilities]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    player = subprocess.Popen([gamewire.GAMEWIRE, *arguments], text=True, **pipes)
    assert player.stdin is not None and player.stdout is not None and player.stderr is not None
    lines: list[str] = []
    with Watchdog(player):
        for line in player.stdout:
            lines.append(line)
            if json.loads(line)["event"] == "playing":
                player.stdin.write(json.dumps({"command": "leave"}) + "\n")
                player.stdin.flush()
    assert player.wait(LIMIT) == 0, (capabilities, player.stderr.read())
    gamewire.check_output(arguments, lines)
