"""What our rules and paths say, compared with what the server does."""

from collections import Counter
from typing import Any

from puppet import Puppet
from server import Server

TURNS = 15
# Many units and advances from the start, so that many rules apply.
SETTINGS = {"startunits": "cccwwxxkd", "techlevel": "25", "gold": "5000", "dispersion": "3"}


def legal_productions_research_and_paths_agree_with_the_server() -> None:
    """For 15 turns the server accepts exactly what our rules allow, and units arrive in the turn that their paths say."""
    with Server(**SETTINGS) as server, Puppet(server.address, "alice", limit=240) as alice:
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
        before = {city["id"]: city for city in puppet.does("cities")}
        for journey in puppet.does(f"wander {turn}"):
            journeys[journey["unit"]] = journey
        arrived(turn, puppet, journeys, counts)
        puppet.does("turn")
        arrived(turn + 1, puppet, journeys, counts)
        for city in puppet.does("cities"):
            if city["id"] in before:
                forecast(turn, before[city["id"]], city, counts)
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
        if unit is None:
            counts["path unit lost"] += 1
        elif unit["tile"] == journey["to"]:
            late = turn - journey["turn"]
            counts[f"path {'in time' if late == 0 else f'late by {late}'}"] += 1
            counts[f"path of {turn_count(journey)} turns"] += 1
        elif not unit["has_orders"]:
            counts["path interrupted"] += 1
            counts[f"interrupted {journey['type']} {journey['outcome']}"] += 1
        else:
            continue
        del journeys[number]


def turn_count(journey: Any) -> int:
    """Returns the number of turns that a path takes."""
    return int(journey["steps"][-1][1])


def forecast(turn: int, before: Any, after: Any, counts: Counter[str]) -> None:
    """Counts forecasts for the next turn that came true."""
    if before["growth"] == {"grows": 1}:
        counts[f"growth {after['size'] > before['size']}"] += 1
    if before["turns"] == 1:
        counts[f"completion {after['last_built'] > turn}"] += 1
    for expected, actual in zip(before["worked"]["expected"], before["worked"]["actual"]):
        counts[f"output {'unknown' if expected is None else expected == actual}"] += 1


def check(counts: Counter[str]) -> None:
    """Asserts that nothing was wrong, and that enough was observed."""
    wrong = {key: count for key, count in counts.items() if key.startswith("wrong")}
    assert not wrong, (wrong, counts)
    print(counts)
