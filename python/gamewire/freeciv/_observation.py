"""The world as arrays of fixed shapes, for programs that learn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gamewire.freeciv._world import World

LAYERS = ("known", "terrain", "owner", "resource", "worked_by", "city", "units", "units_owner")
"""The layers of the map, in the order of the first axis of `map`."""
UNIT_COLUMNS = ("id", "type", "owner", "x", "y", "hp", "veteran", "moves_left", "activity", "home_city", "is_idle")
"""The columns of `units`."""
CITY_COLUMNS = (
    "id", "owner", "x", "y", "size", "production_kind", "production", "food_stock", "shield_stock", "buy_cost",
    "food", "shield", "trade", "gold", "luxury", "science",
)  # fmt: skip
"""The columns of `cities`."""
PLAYER_COLUMNS = (
    "player", "nation", "government", "team", "is_alive", "is_ai", "score", "gold", "tax", "luxury", "science",
)  # fmt: skip
"""The columns of `players`."""


@dataclass(frozen=True)
class Observation:
    """The shapes of an observation. Two observations with equal shapes have arrays of equal shapes in every game.

    What is larger than the shapes is left out; `dropped` counts it. The own units and cities come first, so that those of
    others are left out before them.
    """

    rows: int = 64
    """Rows of the map."""
    columns: int = 64
    """Columns of the map."""
    extras: int = 48
    """Extras, by id."""
    units: int = 256
    """Units."""
    cities: int = 64
    """Cities."""
    players: int = 16
    """Players."""

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each array of `of`. All have the type int32; -1 is nothing, or not known.

        `map`: (layer, row, column), with the layers `LAYERS`. `extras`: (extra, row, column), 1 where the extra is, else 0.
        `units`, `cities` and `players`: (row, column), with the columns `UNIT_COLUMNS`, `CITY_COLUMNS` and
        `PLAYER_COLUMNS`; the masks `units_mask`, `cities_mask` and `players_mask` are 1 in rows that are in use, and
        `map_mask` on tiles that are in the map. `game`: (4,): the turn, the own number, rows and columns of the map.
        `dropped`: (4,): number of tiles, units, cities and players that do not fit.
        """
        return {
            "map": (len(LAYERS), self.rows, self.columns),
            "map_mask": (self.rows, self.columns),
            "extras": (self.extras, self.rows, self.columns),
            "units": (self.units, len(UNIT_COLUMNS)),
            "units_mask": (self.units,),
            "cities": (self.cities, len(CITY_COLUMNS)),
            "cities_mask": (self.cities,),
            "players": (self.players, len(PLAYER_COLUMNS)),
            "players_mask": (self.players,),
            "game": (4,),
            "dropped": (4,),
        }

    def of(self, world: World) -> dict[str, np.ndarray]:
        """Returns the world as arrays of these shapes. They are new at every call."""
        arrays = {name: np.full(shape, -1, np.int32) for name, shape in self.shapes.items()}
        for name in ("map_mask", "extras", "units_mask", "cities_mask", "players_mask", "dropped"):
            arrays[name][:] = 0
        parts = world.parts(("game", "me"))
        me = parts["me"]["player"] if parts["me"] else -1
        layers = world.map
        rows = columns = 0
        if layers is not None:
            rows, columns = layers["known"].shape
            arrays["dropped"][0] = self._put_map(arrays, layers)
        arrays["game"][:] = parts["game"]["turn"], me, rows, columns
        tables = {
            "units": (world.unit_table, UNIT_COLUMNS, "owner", "id"),
            "cities": (world.city_table, CITY_COLUMNS, "owner", "id"),
            "players": (world.player_table, PLAYER_COLUMNS, "player", "player"),
        }
        for at, (name, (table, names, owner, key)) in enumerate(tables.items(), 1):
            order = np.lexsort((table[key], table[owner] != me))
            used = order[: len(arrays[name])]
            for column, of in enumerate(names):
                arrays[name][: len(used), column] = table[of][used]
            arrays[f"{name}_mask"][: len(used)] = 1
            arrays["dropped"][at] = len(order) - len(used)
        return arrays

    def _put_map(self, arrays: dict[str, np.ndarray], layers: dict[str, np.ndarray]) -> int:
        """Copies the layers. Returns the number of tiles that do not fit."""
        known = layers["known"]
        rows, columns = min(self.rows, known.shape[0]), min(self.columns, known.shape[1])
        for index, name in enumerate(LAYERS):
            arrays["map"][index, :rows, :columns] = layers[name][:rows, :columns]
        arrays["map_mask"][:rows, :columns] = 1
        extras = layers["extras"][: self.extras, :rows, :columns]
        arrays["extras"][: len(extras), :rows, :columns] = extras
        return known.size - rows * columns
