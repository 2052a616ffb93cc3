"""Programs that play by `gamewire play`, legal actions, and games that end."""

import json
import subprocess
import sys
from typing import Any

import gamewire
import savegame
from play import Play
from program import LIMIT
from server import Server

AGENT = gamewire.SCHEMAS.parent / "agent.py"
AGENT_TURNS = 8
# Of random actions, and of the opponent; in every run, and with --long.
TURNS, MANY_TURNS = 10, 30
OPPONENT_TURNS, OPPONENT_MANY_TURNS = 40, 60


def the_agent_of_the_docs_founds_a_city() -> None:
    """The example in Python plays; the saved game has its city."""
    with Server() as server:
        words = [sys.executable, AGENT, server.url, str(AGENT_TURNS), gamewire.GAMEWIRE, "play", "--start", "--json"]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, check=True)
        assert "1 Settlers done" in ended.stdout, ended
        saved = savegame.parse(server.saved(AGENT_TURNS))["player0"]
        assert len(saved.tables["c"]) == 1, saved.tables


def orders_and_questions_get_one_reply_each() -> None:
    """Orders are done, refused, illegal or not orders at all; the game continues."""
    with Server() as server:
        play = Play(server, "--name", "agent")
        play.until("turn")
        world = play.do("world", parts=["me", "units", "rules", "game"])["answer"]
        mine = [unit for unit in world["units"] if unit["owner"] == world["me"]["player"]]
        settlers = next(unit for unit in mine if unit["type"] == "Settlers")
        explorer = next(unit for unit in mine if unit["type"] == "Explorer")
        around = play.do("legal_actions", unit=settlers["id"])["answer"]["actions"]
        found = next(action for action in around if action["action"] == "found city")
        assert found["target"] == {"tile": settlers["tile"]} and found["percent"] == [100.0, 100.0], found
        illegal = play.do("act", unit=explorer["id"], action="found city", name="Roma")
        assert illegal["outcome"] == "illegal", illegal
        done = play.do("act", unit=settlers["id"], action="found city", name="Roma")
        assert done["outcome"] == "done", done
        (city,) = [city for city in play.do("world", parts=["cities"])["answer"]["cities"] if city["name"] == "Roma"]
        assert play.do("produce", city=city["id"], item="Settlers")["outcome"] == "done"
        assert play.do("produce", city=city["id"], item="Nonsense")["outcome"] == "error"
        assert play.do("tax_rates", tax=90, luxury=0, science=10)["outcome"] == "refused"
        unknown = play.do("fortify", unit=9)
        assert unknown["outcome"] == "error" and unknown["text"] == "unknown unit 9", unknown
        play.do("end_turn")
        assert play.until("turn")["turn"] == 2
        changed = play.do("world")["answer"]["cities"]
        assert any(city["production"] == "Settlers" for city in changed), changed
        assert play.ended() == 0, play.lines[-5:]


def the_list_of_legal_actions_is_performed_by_its_keys() -> None:
    """A city is founded, its production chosen and a unit moved by entries of the list; what changed is listed alone."""
    for version in ("3.0", "3.1", "3.2"):
        with Server(version=version) as server:
            play = Play(server, "--name", "lister")
            play.until("turn")
            listed = play.do("legal_actions")["answer"]["actions"]
            founding = next(entry for entry in listed if entry["kind"] == "found_city")
            reply = play.do("perform", **key(founding), name="Roma")
            assert reply["outcome"] == "done", (version, reply)
            (city,) = play.world("own_cities")["cities"]
            changed = play.do("legal_actions", changed=True)["answer"]
            assert {"city": city["id"]} in changed["changed"], (version, changed["changed"])
            entries = changed["actions"]
            settlers = {"unit_type": "Settlers"}
            production = next(it for it in entries if it["kind"] == "produce" and it["part"] == settlers)
            assert play.do("perform", **key(production))["outcome"] == "done", version
            assert play.world("own_cities")["cities"][0]["production"] == "Settlers", version
            listed = play.do("legal_actions")["answer"]["actions"]
            move = next(entry for entry in listed if entry["kind"] == "move" and entry["is_certain"])
            assert move["cost"] > 0, (version, move)
            assert play.do("perform", **key(move))["outcome"] == "done", version
            (unit,) = [unit for unit in play.world("own_units")["units"] if unit["id"] == move["actor"]["unit"]]
            assert {"tile": unit["tile"]} == move["target"], (version, unit, move)
            gone = play.do("perform", **key(founding), name="Ostia")
            assert gone["outcome"] in ("error", "illegal"), (version, gone)
            assert play.ended() == 0, play.lines[-5:]


def key(entry: dict[str, Any]) -> dict[str, Any]:
    """Returns the key of an entry of the list of legal actions."""
    return {name: entry[name] for name in ("actor", "kind", "target", "part")}


def every_legal_action_is_accepted_on_3_0(is_long: bool) -> None:
    """A player performs random legal actions on 3.0; the server refuses none."""
    performs_legal_actions("3.0", MANY_TURNS if is_long else TURNS)


def every_legal_action_is_accepted_on_3_1(is_long: bool) -> None:
    """A player performs random legal actions on 3.1; the server refuses none."""
    performs_legal_actions("3.1", MANY_TURNS if is_long else TURNS)


def every_legal_action_is_accepted_on_3_2(is_long: bool) -> None:
    """A player performs random legal actions on 3.2; the server refuses none."""
    performs_legal_actions("3.2", MANY_TURNS if is_long else TURNS)


def performs_legal_actions(version: str, turns: int) -> None:
    """Plays turns of random legal actions."""
    with Server(version=version, size="2") as server:
        words = [gamewire.EXAMPLES / "freeciv_random_play", server.address, str(turns), "7"]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, check=True)
        counts = json.loads(ended.stdout)
        print(json.dumps(counts))
        assert counts["version"] == version, counts
        assert counts["offered"] > 20 and counts["performed"] > 0 and counts["refused"] + counts["ignored"] == 0, counts


def the_opponent_expands_on_3_0(is_long: bool) -> None:
    """The scripted opponent plays on 3.0."""
    plays_as_opponent("3.0", OPPONENT_MANY_TURNS if is_long else OPPONENT_TURNS)


def the_opponent_expands_on_3_2(is_long: bool) -> None:
    """The scripted opponent plays on 3.2."""
    plays_as_opponent("3.2", OPPONENT_MANY_TURNS if is_long else OPPONENT_TURNS)


def plays_as_opponent(version: str, count: int) -> None:
    """Plays to the end of the game; the server has the cities and the scores."""
    with Server(version=version, aifill="2", size="2", endturn=str(count)) as server:
        words = [gamewire.EXAMPLES / "freeciv_opponent", server.address]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, check=True)
        *turns, end = map(json.loads, ended.stdout.splitlines())
        print(json.dumps(end))
        assert end["ending"] == "the game is over" and len(end["scores"]) >= 2, end
        assert turns[-1]["cities"] >= 2 and turns[-1]["advances"] >= 4, turns[-1]
        saved = savegame.parse(server.saved(count))["player0"]
        assert len(saved.tables["c"]) == turns[-1]["cities"], (saved.tables["c"], turns[-1])


def a_game_that_is_over_ends_the_client() -> None:
    """The client leaves after the last turn, and says how many of those it was asked for were played."""
    with Server() as server:
        ended = join(server, "--turns", "100", "--say", "/set endturn 5")
        assert ended.returncode == 0, ended
        (over,) = gamewire.events(ended, "game_ended")
        assert len(over["players"]) >= 5, over
        assert "the game is over: 5 of 100 turns were played" in ended.stderr, ended.stderr


def join(server: Server, *options: str) -> gamewire.Ended:
    """Joins, starts the game and plays."""
    return gamewire.run("join", server.url, "--json", "--name", "alice", "--start", *options)
