"""A whole game start, compared with the games that the server saved."""

import json
import tempfile

import gamewire
import savegame
from facts import Facts
from puppet import Puppet
from server import Server

# In every run, and with --long.
TURNS, MANY_TURNS = 12, 40
AI_TURNS, MANY_AI_TURNS = 40, 100


def turns_on_3_0_agree_with_the_saved_games(is_long: bool) -> None:
    """AI players and our city on 3.0: each turn our world equals the saved game."""
    plays_a_city("3.0", MANY_TURNS if is_long else TURNS)


def turns_on_3_1_agree_with_the_saved_games(is_long: bool) -> None:
    """AI players and our city on 3.1: each turn our world equals the saved game."""
    plays_a_city("3.1", MANY_TURNS if is_long else TURNS)


def turns_on_3_2_agree_with_the_saved_games(is_long: bool) -> None:
    """AI players and our city on 3.2: each turn our world equals the saved game."""
    plays_a_city("3.2", MANY_TURNS if is_long else TURNS)


def turns_of_an_ai_on_3_0_agree_with_the_saved_games(is_long: bool) -> None:
    """The server's AI plays our nation on 3.0."""
    watches_an_ai("3.0", is_long)


def turns_of_an_ai_on_3_1_agree_with_the_saved_games(is_long: bool) -> None:
    """The server's AI plays our nation on 3.1."""
    watches_an_ai("3.1", is_long)


def turns_of_an_ai_on_3_2_agree_with_the_saved_games(is_long: bool) -> None:
    """The server's AI plays our nation on 3.2."""
    watches_an_ai("3.2", is_long)


def plays_a_city(version: str, turns: int) -> None:
    """Founds a city and compares each turn."""
    facts = Facts()
    with Server(version=version) as server, Puppet(server.address, "alice") as alice:
        assert alice.does("start")["outcome"] == "done"
        alice.does("until 1")
        facts.game(alice.world(), savegame.parse(server.saved(1)))
        founded = alice.does("found Gamewire City")
        assert founded["outcome"] == "done", founded
        alice.does("settle")
        for turn in range(2, turns + 2):
            alice.does("turn")
            world = alice.world()
            assert world["turn"] == turn, world["turn"]
            facts.game(world, savegame.parse(server.saved(turn)))
        mine = [city["fields"]["name"] for city in world["cities"] if city["fields"]["owner"] == world["me"]]
        assert mine == ["Gamewire City"], mine
        ais = [player for player in world["players"] if player["playerno"] != world["me"]]
        assert len([player for player in ais if player["is_alive"]]) >= 5, ais
        (me,) = [player for player in world["players"] if player["playerno"] == world["me"]]
        width, height = world["size"]
        for words in ("alice has connected", f"{me['name']} rules the ", f"map of size {width} x {height} "):
            assert server.logs(words), (words, server.log())
        report(version, alice, facts)


def watches_an_ai(version: str, is_long: bool) -> None:
    """Lets the server's AI play our nation and compares each turn."""
    facts, turns = Facts(), MANY_AI_TURNS if is_long else AI_TURNS
    with Server(version=version, aifill="4") as server, Puppet(server.address, "alice") as alice:
        assert alice.does("start")["outcome"] == "done"
        alice.does("until 1")
        world = alice.world()
        (me,) = [player for player in world["players"] if player["playerno"] == world["me"]]
        toggled = alice.does(f"say /aitoggle \"{me['name']}\"")
        assert "under AI control" in toggled["messages"][0], toggled
        with Puppet(server.address, "observer") as observer:
            for turn in range(2, turns + 2):
                alice.does("turn")
                world = alice.world()
                assert world["turn"] == turn, (world["turn"], turn)
                facts.game(world, savegame.parse(server.saved(turn)))
                if facts.unsent:
                    observer.does("detach")
                    observer.does(f"observe {me['name']}")
                    facts.late(observer.world())
        assert facts.compared["city"] > 1000 and facts.compared["unit"] > 1000, facts.compared
        # Differences of this kind are rare, and there are some in a hundred turns.
        assert is_long <= facts.compared["late unit"] < turns, facts.compared
        report(version, alice, facts)


def report(version: str, puppet: Puppet, facts: Facts) -> None:
    """Prints what was compared, and checks that nothing differs."""
    again = puppet.does("again")
    total = sum(facts.compared.values())
    late = facts.compared["late unit"]
    print(f"Freeciv {version}: {again['packets']} packets, {total} facts compared, {late} of them late, {len(facts.differing)} differing")
    encodes_to_the_same_bytes(puppet)
    assert not facts.unsent and not facts.differing, "\n".join([*facts.differing[:40], f"{len(facts.differing)} differ", str(facts.compared)])


def a_recorded_game_is_explained_without_a_desync() -> None:
    """`gamewire join --record` plays; `inspect` reads every packet of the recording."""
    with Server() as server, tempfile.TemporaryDirectory(prefix="gamewire-freeciv-") as folder:
        path = f"{folder}/game.pcapng"
        ended = gamewire.run("join", server.url, "--json", "--name", "carol", "--start", "--turns", "5", "--record", path)
        assert ended.returncode == 0, ended
        assert len(gamewire.events(ended, "turn")) == 5, ended
        explained = gamewire.run("inspect", path, "-z", "--json")
        assert explained.returncode == 0 and explained.stderr == "", explained
        totals, (summary,) = json.loads(explained.stdout), gamewire.events(ended, "summary")
        assert totals["frames"]["damaged"] == 0, totals
        assert sum(message["server"] for message in totals["messages"]) >= summary["packets"] > 3000, (totals, summary)


def encodes_to_the_same_bytes(puppet: Puppet) -> None:
    """Checks that every packet of the server was decoded and encoded again to the same bytes."""
    again = puppet.does("again")
    assert again["errors"] == [] and again["different"] == {}, again
    assert again["packets"] > 3000, again
