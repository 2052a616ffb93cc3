"""`gamewire proxy` between our player and the real servers."""

import json
import subprocess
import tempfile
from pathlib import Path

import gamewire
import savegame
from facts import Facts
from program import LIMIT, Watchdog
from proxy import Proxy
from puppet import Puppet
from server import Server

from scenarios.games import report

# In every run, and with --long.
TURNS, MANY_TURNS = 6, 20
RULED_TURNS, MANY_RULED_TURNS = 15, 40
# Turns of a game that is replayed.
REPLAYED = 6


def games_of_every_version_pass_and_read_back() -> None:
    """Ten turns through the proxy on each version: nothing is refused, and the recording has all packets."""
    for version in ("3.0", "3.1", "3.2"):
        with Server(version=version, aifill="2") as server, Proxy("freeciv", server.port) as proxy:
            ended = gamewire.run("join", proxy.url("freeciv"), "--json", "--name", "alice", "--start", "--turns", "10")
            assert ended.returncode == 0, ended
            assert len(gamewire.events(ended, "turn")) == 10, ended
            summary = proxy.stop()
            assert summary["clients"] == 1, summary
            (closed,) = proxy.all("client_closed")
            assert closed["reason"] == "closed by the client", closed
            replays(proxy.recording)


def each_file_of_a_rotation_shows_alone_what_was_seen_live() -> None:
    """A game on each version in files of 40 kB; each file is decoded without the others."""
    for version in ("3.0", "3.1", "3.2"):
        with Server(version=version, aifill="2") as server, Proxy("freeciv", server.port, "--rotate-size", "40K") as proxy:
            ended = gamewire.run("join", proxy.url("freeciv"), "--json", "--name", "alice", "--start", "--turns", "10")
            assert ended.returncode == 0, ended
            proxy.stop()
            assert len(proxy.files()) >= 3, proxy.files()


def games_of_every_version_are_terminated(is_long: bool) -> None:
    """Games on each version, with own baselines and compression on each side: each turn our world equals the saved game."""
    for version in ("3.0", "3.1", "3.2"):
        facts = Facts()
        with Server(version=version) as server, Proxy("freeciv", server.port, "--terminate") as proxy:
            with Puppet(f"127.0.0.1:{proxy.port}", "alice") as alice:
                assert alice.does("start")["outcome"] == "done"
                alice.does("until 1")
                facts.game(alice.world(), savegame.parse(server.saved(1)))
                founded = alice.does("found Gamewire City")
                assert founded["outcome"] == "done", founded
                alice.does("settle")
                for turn in range(2, (MANY_TURNS if is_long else TURNS) + 2):
                    alice.does("turn")
                    world = alice.world()
                    assert world["turn"] == turn, world["turn"]
                    facts.game(world, savegame.parse(server.saved(turn)))
                report(version, alice, facts)
            proxy.stop()


def a_recorded_client_plays_again_on_another_server() -> None:
    """A recorded player of each version, replayed to a new server with the same map and seed, founds the same cities."""
    for version in ("3.0", "3.1", "3.2"):
        with tempfile.TemporaryDirectory() as folder:
            recording = Path(folder, "game.pcapng")
            with Server(version=version, aifill="2") as server, Proxy("freeciv", server.port) as proxy:
                with Puppet(f"127.0.0.1:{proxy.port}", "alice") as alice:
                    assert alice.does("start")["outcome"] == "done"
                    alice.does("until 1")
                    me = alice.world()["me"]
                    assert alice.does("found Gamewire City")["outcome"] == "done"
                    alice.does("settle")
                    for _ in range(2, REPLAYED + 1):
                        alice.does("turn")
                    alice.does("say once said")
                proxy.stop()
                recording.write_bytes(proxy.recording.read_bytes())
                founded = cities(server, me)
            with Server(version=version, aifill="2") as server:
                arguments = ["replay", str(recording), "--to", server.url, "--json", "--speed", "4", "--duration", f"{LIMIT}s"]
                ended = gamewire.run(*arguments)
                assert ended.returncode == 0, (ended, server.log())
                assert server.logs("alice has connected") and server.logs("once said"), (ended, server.log())
                assert cities(server, me) == founded and founded, (cities(server, me), founded)


def cities(server: Server, player: int) -> list[tuple[str, str, str]]:
    """Returns names and places of a player's cities in the last saved game that is compared."""
    saved = savegame.parse(server.saved(REPLAYED))[f"player{player}"]
    return sorted((city["name"], city["x"], city["y"]) for city in saved.tables.get("c", []))


RULES = """
[[rule]]
match = 'freeciv.chat_msg_req.message contains "spam"'
action = "drop"

[[rule]]
match = 'freeciv.chat_msg_req.message == "rude"'
action = "set"
field = "message"
value = "polite"

[[rule]]
match = 'freeciv.chat_msg_req.message == "twice"'
action = "duplicate"

[[rule]]
match = 'freeciv.chat_msg_req.message == "late"'
action = "delay"
milliseconds = 200

[[rule]]
match = 'freeciv.chat_msg.message contains "secret"'
action = "drop"
"""


def rules_edit_block_repeat_and_delay_packets(is_long: bool) -> None:
    """The server gets what the rules leave, and the game continues: every packet of the client has its answer."""
    for version in ("3.0", "3.2"):
        with Server(version=version, aifill="2") as server, tempfile.TemporaryDirectory() as folder:
            rules = Path(folder, "rules.toml")
            rules.write_text(RULES)
            turns = MANY_RULED_TURNS if is_long else RULED_TURNS
            with Proxy("freeciv", server.port, "--rules", str(rules)) as proxy:
                lines = ("late", "spam spam", "rude", "twice", "a secret", "the end")
                says = [option for line in lines for option in ("--say", line)]
                fixed = ["--json", "--name", "alice", *says, "--start", "--turns", str(turns)]
                ended = gamewire.run("join", proxy.url("freeciv"), *fixed)
                assert ended.returncode == 0 and len(gamewire.events(ended, "turn")) == turns, ended
                chat = [event["text"] for kind in ("message", "chat") for event in gamewire.events(ended, kind)]
                said = [word for text in chat for word in ("late", "spam", "polite", "twice", "secret", "the end") if word in text]
                assert said[:4] == ["polite", "twice", "twice", "the end"] and "late" in said, chat
                assert not {"spam", "secret"} & set(said), chat
                assert server.logs("a secret") and not server.count("spam"), server.log()
                proxy.stop()


def replays(recording: Path) -> None:
    """Serves a recording to our client, which sees the game again."""
    arguments = ["replay", str(recording), "--listen", "freeciv://127.0.0.1:0", "--turn-time", "50ms"]
    server = subprocess.Popen([gamewire.GAMEWIRE, *arguments, "--json"], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        with Watchdog(server):
            listening = json.loads(server.stdout.readline())
        assert listening["turns"] >= 10, listening
        url = f"freeciv://127.0.0.1:{listening['port']}"
        ended = gamewire.run("join", url, "--json", "--name", "bob", "--manual", "--turns", "10")
        turns = [event["turn"] for event in gamewire.events(ended, "turn")]
        assert turns and turns[-1] >= 10, ended
    finally:
        server.terminate()
        server.communicate(timeout=LIMIT)
