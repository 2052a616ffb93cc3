"""The world that a player knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gamewire._native import FreecivPlayer

DIRECTIONS = ("northwest", "north", "northeast", "west", "east", "southwest", "south", "southeast")
"""The names of the directions, in the order of their numbers."""
PARTS = ("game", "me", "players", "cities", "units")
"""The parts of a world that `World.parts` returns if none are named."""


class World:
    """The world that a player knows, as it is when it is read.

    Ids and positions are numbers, rules are the untranslated names of the ruleset. What the server has not sent is
    `None`; in arrays it is -1. Every call returns new objects, so that a program may change and keep them.
    """

    def __init__(self, native: FreecivPlayer):
        self._native = native

    def parts(self, names: Iterable[str] | str = PARTS) -> dict[str, Any]:
        """Returns parts of the world by name, of one moment: `game`, `me`, `players`, `cities`, `units`, `own_cities`,
        `own_units`, `tiles`, `rules`, `catalog`, `meetings`, `votes`, `spaceships`.
        """
        return self._native.world([names] if isinstance(names, str) else list(names))

    def _part(self, name: str) -> Any:
        return self._native.world([name])[name.removeprefix("own_")]

    @property
    def game(self) -> dict[str, Any]:
        """The state, turn, phase and size of the game."""
        return self._part("game")

    @property
    def me(self) -> dict[str, Any] | None:
        """The own player; `None` if the connection has none."""
        return self._part("me")

    @property
    def turn(self) -> int:
        """Number of the turn, counted from 1; 0 before the first turn."""
        return self.game["turn"]

    @property
    def players(self) -> list[dict[str, Any]]:
        """All players, by number."""
        return self._part("players")

    @property
    def units(self) -> list[dict[str, Any]]:
        """All known units, by id."""
        return self._part("units")

    @property
    def my_units(self) -> list[dict[str, Any]]:
        """The own units, by id."""
        return self._part("own_units")

    @property
    def cities(self) -> list[dict[str, Any]]:
        """All known cities, by id."""
        return self._part("cities")

    @property
    def my_cities(self) -> list[dict[str, Any]]:
        """The own cities, by id."""
        return self._part("own_cities")

    @property
    def tiles(self) -> list[dict[str, Any]]:
        """All known tiles, by number. `map` is faster."""
        return self._part("tiles")

    @property
    def rules(self) -> dict[str, Any]:
        """The rules in short. The names of terrains and extras are in the order of their ids in `map`."""
        return self._part("rules")

    @property
    def catalog(self) -> dict[str, Any]:
        """The rules one by one, with requirements and effects."""
        return self._part("catalog")

    @property
    def map(self) -> dict[str, np.ndarray] | None:
        """The layers of the map, each an array of the shape (rows, columns) and the type int32, so that the tile in
        column x and row y is at [y, x], and the tile of the number n at `.flat[n]`; `None` before the game.

        `known`: 0 unknown, 1 seen before, 2 seen now. `terrain`: id, the index in `rules["terrains"]`. `owner`: number
        of the player. `resource`: id of the extra. `continent`: -1 and below for oceans, 0 if unknown. `worked_by`: id of
        the city that works the tile, or is on it. `city`: id of the city on it. `units`: number of visible units, and
        `units_owner` their player. -1 for nothing.

        `extras` has the shape (extras, rows, columns) and the type uint8: 1 where the extra of this id is on the tile.
        """
        return self._native.map()

    @property
    def unit_table(self) -> dict[str, np.ndarray]:
        """All known units by column, each an array of the shape (units,) and the type int32: `id`, `type`, `owner`,
        `tile`, `x`, `y`, `hp`, `veteran`, `transported_by`, `moves_left` (in fragments), `activity`, `home_city` and
        `is_idle`. -1 for nothing, and where only the owner knows it.
        """
        return self._native.table("units")

    @property
    def city_table(self) -> dict[str, np.ndarray]:
        """All known cities by column, each an array of the shape (cities,) and the type int32: `id`, `owner`, `tile`,
        `x`, `y`, `size`, `production_kind`, `production`, `food_stock`, `shield_stock`, `buy_cost`, and the surplus of
        `food`, `shield`, `trade`, `gold`, `luxury` and `science`.
        """
        return self._native.table("cities")

    @property
    def player_table(self) -> dict[str, np.ndarray]:
        """All players by column, each an array of the shape (players,) and the type int32: `player`, `nation`,
        `government`, `team`, `is_alive`, `is_ai`, `score`, `gold`, `tax`, `luxury` and `science`.
        """
        return self._native.table("players")

    def neighbors(self, tile: int) -> dict[int, int]:
        """Returns the neighbors of a tile: the number of each by the number of its direction, an index in `DIRECTIONS`.
        Empty before the game.
        """
        return dict(self._native.neighbors(tile))
