"""Our rules and paths, compared with the behavior of the server."""

from collections import Counter
from typing import Any, Optional

from puppet import Puppet
from runner import long
from server import Server

TURNS = 15
TRAVEL_TURNS = 50
# Many units and advances from the start, so that many rules apply.
SETTINGS = {"startunits": "cccwwxxkd", "techlevel": "25", "gold": "5000", "dispersion": "3"}
# A city at the coast can build it. Its paths keep to the coast.
SHIP, SHIP_TURNS = "Trireme", (2, 3, 4)


def legal_productions_research_and_paths_agree_with_3_0() -> None:
    """For 15 turns the server accepts exactly what our rules allow, and units arrive in the turn that their paths say."""
    agrees("3.0")


def legal_productions_research_and_paths_agree_with_3_1() -> None:
    """The same on 3.1."""
    agrees("3.1")


def legal_productions_research_and_paths_agree_with_3_2() -> None:
    """The same on 3.2."""
    agrees("3.2")


@long
def paths_of_fifty_turns_agree_with_3_0() -> None:
    """For 50 turns units arrive in the turn that their paths say, also where they change to boats and back."""
    travels("3.0")


@long
def paths_of_fifty_turns_agree_with_3_1() -> None:
    """The same on 3.1."""
    travels("3.1")


@long
def paths_of_fifty_turns_agree_with_3_2() -> None:
    """The same on 3.2."""
    travels("3.2")


def travels(version: str) -> None:
    """Lets all units travel for 50 turns."""
    settings = SETTINGS | {"mapseed": "7", "gameseed": "7"}
    counts: Counter[str] = Counter()
    journeys: dict[int, Any] = {}
    with Server(version=version, **settings) as server, Puppet(server.address, "alice") as alice:
        assert alice.does("start")["outcome"] == "done"
        alice.does("until 1")
        for turn in range(1, TRAVEL_TURNS + 1):
            alice.does("colonize Gamewire")
            if turn in SHIP_TURNS:
                for city in alice.does("cities"):
                    alice.does(f"build {city['id']} {SHIP}")
            depart(turn, alice, journeys)
            arrived(turn, alice, journeys, counts)
            alice.does("turn")
            arrived(turn + 1, alice, journeys, counts)
    print(f"Freeciv {version}: {counts}")
    assert counts["path late"] == 0 and counts["path in time"] >= 80, counts


def depart(turn: int, puppet: Puppet, journeys: dict[int, Any]) -> None:
    """Sends all idle units on their ways."""
    for journey in puppet.does(f"wander {turn}"):
        journeys[journey["unit"]] = journey | {"ground": ground(puppet, journey), "is_damaged": False}


def agrees(version: str) -> None:
    """Plays on a server of a version and checks what was counted."""
    with Server(version=version, **SETTINGS) as server, Puppet(server.address, "alice") as alice:
        assert alice.does("start")["outcome"] == "done"
        alice.does("until 1")
        check(play(alice))


def play(puppet: Puppet) -> Counter[str]:
    """Plays the turns and returns the number of each kind of observation."""
    counts: Counter[str] = Counter()
    journeys: dict[int, Any] = {}
    for turn in range(1, TURNS + 1):
        puppet.does("colonize Gamewire")
        counts.update(tallied("production", puppet.does("productions")))
        research = puppet.does("researches")
        counts.update(tallied("research", research["tallies"]))
        counts.update(f"cost {cost['expected'] == cost['actual']}" for cost in research["costs"])
        if turn in SHIP_TURNS:
            bought = [puppet.does(f"build {city['id']} {SHIP}")["is_set"] for city in puppet.does("cities")]
            counts["ships bought"] += sum(bought)
        before = {city["id"]: city for city in puppet.does("cities")}
        depart(turn, puppet, journeys)
        arrived(turn, puppet, journeys, counts)
        puppet.does("turn")
        arrived(turn + 1, puppet, journeys, counts)
        for city in puppet.does("cities"):
            if city["id"] in before:
                forecast(turn, before[city["id"]], city, counts)
        counts["abort: units in the way"] += sum("units in the way" in text for text in puppet.does("aborts"))
    return counts


def tallied(what: str, tallies: Any) -> Counter[str]:
    """Counts the answers of our rules by what the server did; a wrong one by its name."""
    counts: Counter[str] = Counter()
    for answer, tally in tallies.items():
        for outcome, names in tally.items():
            counts[f"{what} {answer} {outcome}"] += len(names)
            if (answer, outcome) in {("yes", "refused"), ("no", "accepted")}:
                counts.update(f"wrong {what} {answer} {name}" for name in names)
            if answer == "unknown":
                counts.update(f"unknown {what} {outcome} {name}" for name in names)
    return counts


def arrived(turn: int, puppet: Puppet, journeys: dict[int, Any], counts: Counter[str]) -> None:
    """Counts the units that arrived, and those whose orders ended elsewhere."""
    units = {unit["id"]: unit for unit in puppet.does("units")}
    for number, journey in list(journeys.items()):
        unit = units.get(number)
        # Attackers can damage a unit, which slows it.
        journey["is_damaged"] |= unit is not None and unit["hp"] < journey["hp"]
        if unit is None:
            counts["path unit lost"] += 1
        elif unit["tile"] == journey["to"]:
            late = turn - journey["turn"]
            is_changed = journey["is_damaged"] or ground(puppet, journey) != journey["ground"]
            counts[f"path {'in time' if late == 0 else 'late after a change' if is_changed else 'late'}"] += 1
            counts[f"path of {turn_count(journey)} turns"] += 1
            counts["path of a ship"] += journey["type"] == SHIP
        elif not unit["has_orders"]:
            following = next_tile(journey, unit["tile"])
            obstacle = puppet.does(f"obstacle {number} {following}") if following is not None else "pushed away"
            counts[f"path stopped by {obstacle or 'nothing'}"] += 1
        else:
            continue
        del journeys[number]


def ground(puppet: Puppet, journey: Any) -> Any:
    """Returns the state of the tiles of a path."""
    return puppet.does(" ".join(["ground", str(journey["from"]), *(str(step[0]) for step in journey["steps"])]))


def next_tile(journey: Any, tile: int) -> Optional[int]:
    """Returns the tile after the one on which a unit stopped."""
    tiles = [journey["from"], *(step[0] for step in journey["steps"])]
    return tiles[tiles.index(tile) + 1] if tile in tiles else None


def turn_count(journey: Any) -> int:
    """Returns the number of turns that a path takes."""
    return int(journey["steps"][-1][1])


def forecast(turn: int, before: Any, after: Any, counts: Counter[str]) -> None:
    """Counts forecasts for the next turn that came true. Other players can take tiles of a city at the turn change."""
    for expected, actual in zip(before["worked"]["expected"], before["worked"]["actual"]):
        counts[f"output {'unknown' if expected is None else expected == actual}"] += 1
    if before["surplus"][:2] != after["surplus"][:2] and not after["size"] > before["size"]:
        counts["forecast after a change"] += 1
        return
    # A completed unit can take citizens.
    if before["growth"] == {"grows": 1} and before["turns"] != 1:
        counts[f"growth {after['size'] > before['size']}"] += 1
    if before["turns"] == 1:
        counts[f"completion {after['last_built'] >= turn}"] += 1


def check(counts: Counter[str]) -> None:
    """Asserts that nothing was wrong, and that enough was observed."""
    wrong = {key: count for key, count in counts.items() if key.startswith("wrong")}
    wrong |= {key: counts[key] for key in ("cost False", "growth False", "completion False", "output False", "output unknown") if counts[key]}
    wrong |= {"path late": counts["path late"]} if counts["path late"] else {}
    assert not wrong, (wrong, counts)
    # Units of others were there for a part of the turn change, which we do not see.
    assert counts["path stopped by nothing"] <= counts["abort: units in the way"], counts
    least = {"production yes accepted": 300, "production no refused": 1000, "research yes accepted": 30, "path in time": 15}
    assert all(counts[key] >= count for key, count in least.items()), counts
