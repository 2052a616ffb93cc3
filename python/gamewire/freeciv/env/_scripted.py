"""A player by rules for each task: a baseline for learners."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from gamewire.freeciv.env._env import Env
from gamewire.freeciv.env._layout import END_TURN
from gamewire.freeciv.env._scripted_transport import carry
from gamewire.freeciv.env._scripted_treaty import trade

Legal = dict[int, dict[str, Any]]
PRODUCTS = {"build_temple": "Temple", "build_wonder": "Colossus", "defend_city": "Phalanx"}
"""The production of the city of a task."""
AMBUSH_TURNS = 6
"""Number of turns in which catapults wait for the enemies."""


def scripted(env: Env) -> int:
    """Returns the index of the next action of a simple player of the task of an environment."""
    legal = {int(index): env.action(int(index)) for index in np.flatnonzero(env.action_masks())}
    legal = {index: action for index, action in legal.items() if action is not None}
    for rule in RULES[env.task_name]:
        if (index := rule(env, legal)) is not None:
            return index
    return END_TURN


def _of_kind(*kinds: str) -> Callable[[Env, Legal], int | None]:
    """Returns a rule: the first legal action of the first of some kinds."""

    def rule(_: Env, legal: Legal) -> int | None:
        for kind in kinds:
            for index, action in legal.items():
                if action["kind"] == kind:
                    return index
        return None

    return rule


def _produce(env: Env, legal: Legal) -> int | None:
    product = PRODUCTS[env.task_name]
    for index, action in legal.items():
        if action["kind"] == "produce" and product in action["part"].values():
            return index
    return None


def _work(env: Env, legal: Legal) -> int | None:
    """Lets a unit begin to work where it does not work yet."""
    idle = {unit["id"] for unit in env.world.my_units if unit["is_idle"]}
    for index, action in legal.items():
        if action["kind"] == "build" and action["actor"]["unit"] in idle:
            return index
    return None


def _science(env: Env, legal: Legal) -> int | None:
    """Raises the rate for science to its maximum, and researches something."""
    me = env.world.me
    best = max((it["part"]["rates"]["science"] for it in legal.values() if it["kind"] == "tax_rates"), default=0)
    if best > me["science"]:
        return next(
            index for index, it in legal.items() if it["kind"] == "tax_rates" and it["part"]["rates"]["science"] == best
        )
    return _of_kind("research")(env, legal) if me["researching"] is None else None


def _spread(env: Env, legal: Legal) -> int | None:
    """Moves a unit to a tile with many unknown tiles around."""
    known = env.world.map["known"].ravel()

    def unknown(tile: int) -> int:
        near = {tile, *env.world.neighbors(tile).values()}
        wide = near.union(*(env.world.neighbors(it).values() for it in near))
        return sum(known[it] == 0 for it in wide)

    moves = {index: unknown(it["target"]["tile"]) for index, it in legal.items() if it["kind"] == "move"}
    best = max(moves.values(), default=0)
    if best:
        return min(index for index, count in moves.items() if count == best)
    # Without unknown tiles near, go to the nearest one that is next to them.
    edge = [
        tile
        for tile in np.flatnonzero(known).tolist()
        if any(known[it] == 0 for it in env.world.neighbors(tile).values())
    ]
    return _approach(env, legal, edge)


def _to_enemies(env: Env, legal: Legal) -> int | None:
    """Moves a unit towards the nearest city or unit of others."""
    me = env.world.me["player"]
    things = [*env.world.cities, *env.world.units]
    return _approach(env, legal, [it["tile"] for it in things if it["owner"] != me])


def _ambush(env: Env, _: Legal) -> int | None:
    """Waits for enemies in the first turns. Units that see one tile far and have one move are attacked first if they go to
    the enemies, and attack first if the enemies come.
    """
    return END_TURN if env.world.turn <= AMBUSH_TURNS else None


def _apart(*rules: Callable[[Env, Legal], int | None]) -> Callable[[Env, Legal], int | None]:
    """Returns a rule that tries others in which no unit moves to a tile with own units, so that the units see more tiles."""

    def rule(env: Env, legal: Legal) -> int | None:
        mine = {unit["tile"] for unit in env.world.my_units}
        apart = {
            index: it for index, it in legal.items() if it["kind"] != "move" or it["target"]["tile"] not in mine
        }
        found = (each(env, apart) for each in rules)
        return next((index for index in found if index is not None), None)

    return rule


def _to_cities(env: Env, legal: Legal) -> int | None:
    return _approach(env, legal, [city["tile"] for city in env.world.my_cities])


def _to_free_land(env: Env, legal: Legal) -> int | None:
    """Moves an idle unit to a tile without work and units."""
    layers = env.world.map
    rules = env.world.rules["extras"]
    work = layers["extras"][[rules.index(name) for name in ("Road", "Irrigation", "Mine") if name in rules]].sum(axis=0)
    free = np.flatnonzero(((work == 0) & (layers["units"] == 0) & (layers["known"] == 2)).ravel()).tolist()
    idle = {unit["id"] for unit in env.world.my_units if unit["is_idle"]}
    moves = {index: it for index, it in legal.items() if it["kind"] == "move" and it["actor"]["unit"] in idle}
    return _approach(env, moves, free) if moves else None


def _approach(env: Env, legal: Legal, goals: Iterable[int]) -> int | None:
    """Moves a unit to a tile that is nearer to one of some tiles."""
    distances = _distances(env, goals)
    tiles = {unit["id"]: unit["tile"] for unit in env.world.my_units}
    for index, action in legal.items():
        if action["kind"] == "move":
            here = distances.get(tiles[action["actor"]["unit"]], len(distances) + 1)
            if distances.get(action["target"]["tile"], here) < here:
                return index
    return None


def _distances(env: Env, goals: Iterable[int]) -> dict[int, int]:
    """Returns the number of steps from each tile to the nearest of some tiles, over tiles of the kind of the units."""
    world = env.world
    layers, terrains = world.map, world.rules["terrains"]
    water = [number for number, name in enumerate(terrains) if name in ("Lake", "Ocean", "Deep Ocean")]
    is_water = np.isin(layers["terrain"].ravel(), water)
    at_sea = any(is_water[unit["tile"]] for unit in world.my_units)
    distances = dict.fromkeys(goals, 0)
    queue = deque(distances)
    while queue:
        tile = queue.popleft()
        for near in world.neighbors(tile).values():
            if near not in distances and is_water[near] == at_sea:
                distances[near] = distances[tile] + 1
                queue.append(near)
    return distances


ATTACK = _of_kind("conquer_city", "conquer_city_2", "conquer_city_3", "conquer_city_4", "attack", "attack_2")
FIGHT = (ATTACK, _to_enemies, _spread)
RULES: dict[str, tuple[Callable[[Env, Legal], int | None], ...]] = {
    "found_city": (_of_kind("found_city", "move"),),
    "explore": (_spread,),
    "research": (_science,),
    "build_temple": (_produce, _of_kind("buy")),
    "build_wonder": (_produce, _of_kind("help_wonder"), _to_cities),
    "improve_land": (_work, _to_free_land),
    "win_battle": (ATTACK, _ambush, _apart(_to_enemies, _spread)),
    "attack_city": FIGHT,
    "defend_city": (_produce, _of_kind("buy", "fortify")),
    "naval_battle": FIGHT,
    "transport": (carry,),
    "trade_advances": (_of_kind("establish_embassy_stay", "establish_embassy"), trade),
}
"""The rules of each task. The first rule that applies decides."""
