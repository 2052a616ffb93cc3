"""A whole game start, compared with the games that the server saved."""

import json
import tempfile
from collections.abc import Iterable

import gamewire
import savegame
from puppet import Puppet, World
from server import Server

TURNS = 20


def twenty_turns_agree_with_the_saved_games() -> None:
    """Five AI players and our city for twenty turns: each turn our world equals the saved game."""
    with Server() as server, Puppet(server.address, "alice") as alice:
        assert alice.does("start")["outcome"] == "done"
        alice.does("until 1")
        assert_agrees(alice.world(), savegame.parse(server.saved(1)))
        founded = alice.does("found Gamewire City")
        assert founded["outcome"] == "done", founded
        alice.does("settle")
        for turn in range(2, TURNS + 2):
            alice.does("turn")
            world = alice.world()
            assert world["turn"] == turn, world["turn"]
            assert_agrees(world, savegame.parse(server.saved(turn)))
        mine = [city["fields"] for city in world["cities"] if city["fields"]["owner"] == world["me"]]
        assert [city["name"] for city in mine] == ["Gamewire City"], mine
        ais = [player for player in world["players"] if player["playerno"] != world["me"]]
        assert len([player for player in ais if player["is_alive"]]) >= 5, ais
        (me,) = [player for player in world["players"] if player["playerno"] == world["me"]]
        width, height = world["size"]
        for words in ("alice has connected", f"{me['name']} rules the ", f"map of size {width} x {height} "):
            assert server.logs(words), (words, server.log())
        encodes_to_the_same_bytes(alice)


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


def assert_agrees(world: World, saved: dict[str, savegame.Section]) -> None:
    """Checks that our player, cities and units equal the saved ones."""
    assert world["turn"] == int(saved["game"].values["turn"])
    assert world["year"] == int(saved["game"].values["year"])
    (me,) = [player for player in world["players"] if player["playerno"] == world["me"]]
    section = saved[f"player{world['me']}"]
    known = {name: str(me[name]) for name in ("name", "username", "gold")}
    assert known == {name: section.values[name] for name in known}, (known, section.values)
    width = world["size"][0]
    assert cities(world, width) == saved_cities(section), (cities(world, width), saved_cities(section))
    assert units(world, width) == saved_units(section), (units(world, width), saved_units(section))
    assert len(units(world, width)) == int(section.values["nunits"])


def mine(world: World, what: str) -> Iterable[World]:
    """Returns our own cities or units; all their fields are known."""
    own = [thing["fields"] for thing in world[what] if thing["fields"]["owner"] == world["me"]]
    assert all(thing["is_full"] for thing in world[what] if thing["fields"]["owner"] == world["me"])
    return own


def cities(world: World, width: int) -> set[tuple[object, ...]]:
    """Returns id, name, column, row and size of each of our cities."""
    return {
        (city["id"], city["name"], city["tile"] % width, city["tile"] // width, city["size"])
        for city in mine(world, "cities")
    }


def saved_cities(section: savegame.Section) -> set[tuple[object, ...]]:
    """Returns id, name, column, row and size of each saved city."""
    return {
        (int(city["id"]), city["name"], int(city["x"]), int(city["y"]), int(city["size"]))
        for city in section.tables.get("c", [])
    }


def units(world: World, width: int) -> set[tuple[object, ...]]:
    """Returns id, type, column, row, hit points, moves and home of each of our units."""
    kinds = world["unit_types"]
    return {
        (
            unit["id"],
            kinds[unit["type"]],
            unit["tile"] % width,
            unit["tile"] // width,
            unit["hp"],
            unit["movesleft"],
            unit["homecity"],
        )
        for unit in mine(world, "units")
    }


def saved_units(section: savegame.Section) -> set[tuple[object, ...]]:
    """Returns id, type, column, row, hit points, moves and home of each saved unit."""
    numbers = ("x", "y", "hp", "moves", "homecity")
    return {
        (int(unit["id"]), unit["type_by_name"], *(int(unit[name]) for name in numbers))
        for unit in section.tables.get("u", [])
    }


def encodes_to_the_same_bytes(puppet: Puppet) -> None:
    """Checks that every packet of the server was decoded and encoded again to the same bytes."""
    again = puppet.does("again")
    assert again["errors"] == [] and again["different"] == {}, again
    assert again["packets"] > 3000, again
