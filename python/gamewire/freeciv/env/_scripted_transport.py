"""A player by rules that carries settlers over the sea."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np

from gamewire.freeciv.env._env import Env


def carry(env: Env, legal: dict[int, dict[str, Any]]) -> int | None:
    """Lets settlers board the ship, sails to the continent of the own city, and founds a city there."""
    world = env.world
    continents = world.map["continent"].ravel()
    goal = continents[min(world.my_cities, key=lambda city: city["id"])["tile"]]
    ship = next((unit for unit in world.my_units if unit["type"] == "Galleon"), None)
    settlers = [unit for unit in world.my_units if unit["type"] == "Settlers"]
    landed = {unit["id"] for unit in settlers if continents[unit["tile"]] == goal}
    waiting = [unit["id"] for unit in settlers if ship and unit["tile"] != ship["tile"] and unit["id"] not in landed]
    aboard = {unit["id"] for unit in settlers} - landed - set(waiting)
    sites = [tile for tile in np.flatnonzero(continents == goal).tolist() if _can_settle(env, tile)]
    coast = _next_to(env, np.flatnonzero(continents == goal))
    ways = {unit: _distances(env, [ship["tile"]], is_water=False) for unit in waiting} if ship else {}
    ways |= dict.fromkeys(landed, _distances(env, sites, is_water=False))
    if ship:
        ways[ship["id"]] = _distances(env, coast, is_water=True) if not waiting else {}
    tiles = {unit["id"]: unit["tile"] for unit in world.my_units}
    for index, action in legal.items():
        if action["kind"] == "found_city" and action["actor"]["unit"] in landed:
            return index
    for index, action in legal.items():
        if action["kind"] != "move":
            continue
        unit, to = action["actor"]["unit"], action["target"]["tile"]
        way = ways.get(unit)
        if way is not None and way.get(to, len(continents)) < way.get(tiles[unit], len(continents)):
            return index
        if unit in aboard and continents[to] == goal:
            return index
    return None


def _can_settle(env: Env, tile: int) -> bool:
    """Returns whether a city can be founded on a tile: not next to another one, and not on ice."""
    cities = {city["tile"] for city in env.world.cities}
    terrain = env.world.rules["terrains"][env.world.map["terrain"].ravel()[tile]]
    return terrain != "Glacier" and cities.isdisjoint({tile, *env.world.neighbors(tile).values()})


def _is_water(env: Env) -> np.ndarray:
    terrains = env.world.rules["terrains"]
    water = [number for number, name in enumerate(terrains) if name in ("Lake", "Ocean", "Deep Ocean")]
    return np.isin(env.world.map["terrain"].ravel(), water)


def _next_to(env: Env, tiles: Iterable[int]) -> set[int]:
    """Returns the tiles of water next to some tiles."""
    water = _is_water(env)
    near = {to for tile in tiles for to in env.world.neighbors(int(tile)).values()}
    return {tile for tile in near if water[tile]}


def _distances(env: Env, goals: Iterable[int], is_water: bool) -> dict[int, int]:
    """Returns the number of steps to the nearest of some tiles, over tiles of water or land, and unknown ones."""
    fits = (_is_water(env) == is_water) | (env.world.map["known"].ravel() == 0)
    distances = dict.fromkeys(goals, 0)
    queue = deque(distances)
    while queue:
        tile = queue.popleft()
        for near in env.world.neighbors(tile).values():
            if near not in distances and fits[near]:
                distances[near] = distances[tile] + 1
                queue.append(near)
    return distances
