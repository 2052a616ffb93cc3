"""Twelve small tasks. The server makes each of them at run time, by its own commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gamewire._native import Error
from gamewire.freeciv._observation import Observation
from gamewire.freeciv._player import Player
from gamewire.freeciv._world import World
from gamewire.freeciv.env._game import Game
from gamewire.freeciv.env._layout import Layout
from gamewire.freeciv.env._setup import PREPARE, SHORES, give, lua, units

FIGHT = ("move", "attack", "attack_2", "conquer_city", "conquer_city_2", "conquer_city_3", "conquer_city_4", "fortify")

TREATY = ("meet", "cancel_meeting", "accept_treaty", "add_clause", "remove_clause")


@dataclass
class Facts:
    """The data for the score of a task: the world, the world as it was at the start, and the fights since then."""

    world: World
    first: dict[str, int]
    fights_won: int
    turns: int

    @property
    def cities(self) -> list[dict[str, Any]]:
        """The own cities."""
        return self.world.my_cities

    def since_start(self) -> dict[str, int]:
        """Returns how much the numbers of `count` have grown since the start."""
        return {name: value - self.first[name] for name, value in count(self.world).items()}


def count(world: World) -> dict[str, int]:
    """Returns the numbers of known tiles, own cities and units, advances, and tiles with work of units."""
    layers, me = world.map, world.me or {}
    extras = [number for number, name in enumerate(world.rules["extras"]) if name in ("Road", "Irrigation", "Mine")]
    number = me.get("player", -1)
    return {
        "known": int((layers["known"] > 0).sum()),
        "work": int(layers["extras"][extras].sum()),
        "cities": int((world.city_table["owner"] == number).sum()),
        "foreign_cities": int((world.city_table["owner"] != number).sum()),
        "units": int((world.unit_table["owner"] == number).sum()),
        "advances": len(me.get("advances", ())),
    }


@dataclass(frozen=True)
class Task:
    """A small game with a score from 0 to 1. The task is solved at 1."""

    description: str
    score: Callable[[Facts], float]
    """Returns the score. Computed after each step."""
    max_turns: int
    layout: Layout
    setup: tuple[str, ...] = ()
    """Commands of the server that set up the start, after `PREPARE`."""
    settings: dict[str, object] = field(default_factory=dict)
    opponents: int = 0
    ruleset: str = "classic"
    turn_actions: int | None = 24
    """Number of actions after which the environment ends the turn."""
    has_failed: Callable[[Facts], bool] = lambda facts: False
    units: int = 1
    """Number of own units that the start must have; if the map has no place for them, another map is made."""
    observation: Observation = Observation(64, 48, units=32, cities=8, players=6)

    @property
    def config(self) -> dict[str, Any]:
        """The fields of `GameConfig`."""
        return {
            "ruleset": self.ruleset,
            "opponents": self.opponents,
            "ai_level": "hard" if self.opponents else "novice",
            "settings": {"landmass": 60, **self.settings},
            "commands": (*PREPARE, *self.setup) if self.setup else (),
        }

    def begin(self, game: Game) -> Goal:
        """Begins the task. Raises `Error` if the map has no place for it."""
        (player,) = game.players[:1]
        first = count(player.world)
        if first["units"] < self.units:
            raise Error("the map has no place for the start of the task")
        return Goal(self, player, first)


class Goal:
    """A task in a game."""

    def __init__(self, task: Task, player: Player, first: dict[str, int]):
        self.task, self._player, self._first = task, player, first
        self._begin = player.world.turn
        self.last = 0.0
        """The last score."""
        player.combats.clear()

    def _facts(self) -> Facts:
        world = self._player.world
        own = np.int32((world.me or {}).get("player", -1))
        won = 0
        for combat in self._player.combats:
            sides = {side["unit"]: side["owner"] for side in (combat["attacker"], combat["defender"])}
            won += sides.get(combat["winner"]) == own
        return Facts(world, self._first, won, world.turn - self._begin)

    def score(self, world: World) -> float:
        """Returns the score of the task, from 0 to 1."""
        self.last = min(1.0, max(0.0, float(self.task.score(self._facts()))))
        return self.last

    def result(self, player: Player) -> dict[str, Any]:
        """Returns whether the task has ended: solved or failed."""
        self.score(player.world)
        return {"is_over": self.last >= 1.0 or self.task.has_failed(self._facts())}


def _layout(*kinds: str, units: int = 8, cities: int = 2) -> Layout:
    return Layout(units=units, cities=cities, players=2, kinds=kinds)


def _has_no_unit(facts: Facts) -> bool:
    return not len(facts.world.unit_table["id"]) or facts.since_start()["units"] == -facts.first["units"]


def _building(name: str) -> Callable[[Facts], float]:
    """Returns the score of a city that makes a building: the share of its cost, and 1 with the building."""

    def score(facts: Facts) -> float:
        for city in facts.cities:
            if name in (city.get("buildings") or ()):
                return 1.0
            if city["production"] == name:
                return 0.9 * min(1.0, city["shield_stock"] / max(1, city.get("production_cost") or 200))
        return 0.0

    return score


def _captured(facts: Facts) -> float:
    # A city of size 1 is razed when it is captured.
    is_gone = facts.since_start()["foreign_cities"] < 0
    return 1.0 if facts.cities or is_gone else min(0.9, facts.fights_won * 0.3)


def _held(facts: Facts) -> float:
    return facts.turns / 12 if facts.cities else min(0.9, facts.turns / 12)


def _carried(facts: Facts) -> float:
    """Returns the score of settlers on the continent of the oldest own city, and of further cities there."""
    cities = sorted(facts.cities, key=lambda city: city["id"])
    if not cities:
        return 0.0
    continents = facts.world.map["continent"].ravel()
    goal = continents[cities[0]["tile"]]
    founded = sum(continents[city["tile"]] == goal for city in cities[1:])
    landed = sum(unit["type"] == "Settlers" and continents[unit["tile"]] == goal for unit in facts.world.my_units)
    return 0.3 * min(2, landed + founded) + 0.4 * (founded > 0)


TASKS: dict[str, Task] = {
    "found_city": Task(
        "Found two cities with two settlers.",
        lambda facts: len(facts.cities) / 2,
        10,
        _layout("move", "found_city", units=2, cities=1),
        settings={"startunits": "cc"},
        units=2,
    ),
    "explore": Task(
        "See 120 tiles that were unknown.",
        lambda facts: facts.since_start()["known"] / 120,
        15,
        _layout("move", units=2, cities=1),
        settings={"startunits": "xx"},
        units=2,
    ),
    "research": Task(
        "Learn three advances.",
        lambda facts: facts.since_start()["advances"] / 3,
        20,
        _layout("research", "research_goal", "tax_rates", units=1, cities=1),
        setup=(lua("edit.create_city(me, home, 'Capital')"), *units("me", "home", "Warriors"), give("me", "Alphabet")),
        settings={"sciencebox": 20},
    ),
    "build_temple": Task(
        "Build a temple in a new city.",
        _building("Temple"),
        30,
        _layout("produce", "buy", "tax_rates", "make_worker", "make_specialist", units=1, cities=1),
        setup=(
            give("me", "Alphabet", "Ceremonial Burial"),
            lua("edit.create_city(me, home, 'Capital') edit.change_gold(me, 60)"),
            *units("me", "home", "Warriors"),
        ),
    ),
    "build_wonder": Task(
        "Build a wonder with four caravans.",
        _building("Colossus"),
        20,
        _layout("move", "produce", "help_wonder", "buy", units=5, cities=1),
        setup=(
            give("me", "Alphabet", "Bronze Working"),
            lua("edit.create_city(me, home, 'Capital')"),
            *units("me", "land(home, 2, 9)", *["Caravan"] * 4),
        ),
        units=4,
    ),
    "improve_land": Task(
        "Build roads, irrigation or mines on four tiles with three workers.",
        lambda facts: facts.since_start()["work"] / 4,
        20,
        _layout("move", "build", units=4, cities=1),
        setup=(lua("edit.create_city(me, home, 'Capital')"), *units("me", "land(home, 1, 4)", *["Workers"] * 3)),
        units=3,
    ),
    "win_battle": Task(
        "Win three fights against five warriors with four catapults.",
        lambda facts: facts.fights_won / 3,
        15,
        _layout(*FIGHT, units=5, cities=1),
        setup=(
            *units("me", "land(home, 0, 2)", *["Catapult"] * 4),
            *(command for _ in range(5) for command in units("foe", "land(home, 4, 16)", "Warriors")),
        ),
        # Otherwise one fight destroys all units on a tile, and fewer fights are left than warriors.
        settings={"killstack": "disabled"},
        opponents=1,
        has_failed=_has_no_unit,
        units=4,
    ),
    "attack_city": Task(
        "Capture or raze a city that warriors defend, with four catapults and three horsemen.",
        _captured,
        20,
        _layout(*FIGHT, units=8, cities=1),
        setup=(
            lua("goal = land(home, 4, 16) edit.create_city(foe, goal, 'Fort') edit.change_gold(foe, -40)"),
            *units("foe", "goal", "Warriors"),
            *units("me", "land(goal, 1, 4)", *["Catapult"] * 4, *["Horsemen"] * 3),
        ),
        opponents=1,
        has_failed=_has_no_unit,
        units=7,
    ),
    "defend_city": Task(
        "Hold a city for twelve turns.",
        _held,
        20,
        _layout("move", "fortify", "produce", "buy", "attack", units=8, cities=1),
        setup=(
            give("me", "Alphabet", "Bronze Working"),
            lua("edit.create_city(me, home, 'Capital') edit.change_gold(me, 100)"),
            *units("me", "home", "Phalanx", "Phalanx", "Archers"),
            *units("foe", "land(home, 4, 20)", "Legion", "Horsemen", "Horsemen"),
            *units("foe", "land(home, 4, 20)", "Legion", "Horsemen"),
        ),
        opponents=1,
        has_failed=lambda facts: not facts.cities,
        units=3,
    ),
    "naval_battle": Task(
        "Win two fights at sea with three frigates.",
        lambda facts: facts.fights_won / 2,
        15,
        _layout(*FIGHT, units=4, cities=1),
        setup=(
            lua("port = sea()"),
            *units("me", "port", *["Frigate"] * 3),
            *units("foe", "water(port, 2, 8)", "Caravel"),
            *units("foe", "water(port, 2, 12)", "Caravel"),
            *units("foe", "water(port, 4, 16)", "Caravel"),
        ),
        settings={"landmass": 40},
        opponents=1,
        has_failed=_has_no_unit,
        units=3,
    ),
    "transport": Task(
        "Carry two settlers over the sea in a galleon, to the continent of the own city, and found a city there.",
        _carried,
        20,
        _layout("move", "load", "unload", "found_city", units=4, cities=1),
        setup=(
            *SHORES,
            lua("edit.create_city(me, goal, 'Colony')"),
            *units("me", "goal and port", "Settlers", "Settlers"),
            *units("me", "goal and dock", "Galleon"),
        ),
        settings={"landmass": 30},
        has_failed=lambda facts: not facts.cities,
        units=3,
    ),
    "trade_advances": Task(
        "Establish an embassy with a diplomat, and learn two advances by treaties.",
        lambda facts: facts.since_start()["advances"] / 2,
        15,
        _layout("establish_embassy", "establish_embassy_stay", *TREATY, units=4, cities=1),
        setup=(
            give("me", "Masonry", "Pottery", "Ceremonial Burial"),
            give("foe", "Bronze Working", "Alphabet", "Horseback Riding"),
            lua("goal = land(home, 16, 60) edit.create_city(foe, goal, 'Market') edit.create_city(me, home, 'Capital')"),
            *units("me", "home", "Phalanx", "Phalanx"),
            *units("me", "land(goal, 1, 2)", "Diplomat"),
        ),
        # Research takes longer than the task.
        settings={"sciencebox": 2000},
        opponents=1,
        units=3,
    ),
}
"""The tasks by name. The id of each is such as `gamewire/FreecivFoundCity-v0`."""
