"""The world as a picture and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gamewire.freeciv._world import World

if TYPE_CHECKING:
    from gamewire.freeciv.env._seat import Seat

TILE = 8
"""Pixels of a tile."""
COLORS = {
    "Inaccessible": (40, 40, 40), "Lake": (90, 140, 210), "Ocean": (50, 90, 170), "Deep Ocean": (25, 50, 120),
    "Glacier": (235, 240, 245), "Desert": (225, 205, 130), "Forest": (40, 100, 45), "Grassland": (95, 165, 70),
    "Hills": (150, 130, 80), "Jungle": (55, 125, 50), "Mountains": (125, 115, 110), "Plains": (190, 180, 95),
    "Swamp": (85, 115, 90), "Tundra": (170, 165, 145),
}  # fmt: skip
"""The color of each terrain as red, green and blue."""
OTHER_TERRAIN = (150, 90, 150)
OWN, OTHER = (255, 255, 255), (220, 40, 40)
"""The colors of own units and cities, and of those of others."""
LETTERS = {"Deep Ocean": "~", "Ocean": "~", "Lake": "~", "Mountains": "^", "Hills": "n", "Inaccessible": "x"}
"""The characters of terrains that are not the first letter of their name in lower case."""


def picture(world: World) -> np.ndarray:
    """Returns the map as an array of the shape (8 * rows, 8 * columns, 3) and the type uint8: red, green and blue. Unknown
    tiles are black, tiles in fog are dark, cities are large squares, units small ones.
    """
    layers = world.map
    if layers is None:
        return np.zeros((TILE, TILE, 3), np.uint8)
    me = world.me
    number = me["player"] if me else -1
    palette = np.array([(0, 0, 0)] + [COLORS.get(name, OTHER_TERRAIN) for name in world.rules["terrains"]], np.uint8)
    colors = palette[layers["terrain"] + 1]
    colors = np.where((layers["known"] == 1)[..., None], colors // 2, colors).astype(np.uint8)
    image = colors.repeat(TILE, axis=0).repeat(TILE, axis=1)
    # The owner of a city is that of its tile.
    marks = [
        ("city", layers["city"] >= 0, layers["owner"], 1),
        ("units", layers["units"] > 0, layers["units_owner"], 3),
    ]
    for _, has_mark, owners, margin in marks:
        for row, column in np.argwhere(has_mark):
            color = OWN if owners[row, column] == number else OTHER
            top, left = row * TILE, column * TILE
            image[top + margin : top + TILE - margin, left + margin : left + TILE - margin] = color
    return image


def text_map(world: World) -> str:
    """Returns the map as lines, one character for a tile: `@` own units, `#` own cities, `&` and `%` those of others, `~`
    water, `n` hills, `^` mountains, otherwise the first letter of the terrain; a space for an unknown tile.
    """
    layers = world.map
    if layers is None:
        return ""
    me = world.me
    number = me["player"] if me else -1
    letters = np.array([" "] + [LETTERS.get(name, name[:1].lower()) for name in world.rules["terrains"]])
    grid = letters[layers["terrain"] + 1]
    has_units, has_city = layers["units"] > 0, layers["city"] >= 0
    grid[has_units] = np.where(layers["units_owner"] == number, "@", "&")[has_units]
    grid[has_city] = np.where(layers["owner"] == number, "#", "%")[has_city]
    return "\n".join("".join(row) for row in grid)


def text_of(seat: Seat, with_actions: bool = True) -> str:
    """Returns what a player knows as text of ASCII: the state, the map, the own cities and units, and the legal actions
    by their indices.
    """
    world = seat.player.world
    parts = world.parts(("game", "me"))
    own = world.parts(("own_units", "own_cities"))
    me: dict[str, Any] = parts["me"] or {}
    lines = [
        f"turn {parts['game']['turn']}, score {me.get('score')}, gold {me.get('gold')}, {me.get('government')}, "
        f"researching {me.get('researching')}",
        text_map(world),
    ]
    for city in own["cities"]:
        lines.append(
            f"city {city['id']} {city['name']} at {_place(city)}, size {city['size']}, makes {city['production']}"
        )
    for unit in own["units"]:
        moves = unit.get("moves_left")
        lines.append(f"unit {unit['id']} {unit['type']} at {_place(unit)}, hit points {unit['hp']}, moves left {moves}")
    if with_actions:
        lines.extend(f"{index}: {phrase(seat.action(int(index)))}" for index in np.flatnonzero(seat.mask))
    return "\n".join(lines).encode("ascii", "replace").decode()


def phrase(action: dict[str, Any] | None) -> str:
    """Returns a legal action in words."""
    if action is None:
        return "wait"
    words = [_words(action["actor"]), action["kind"].replace("_", " ")]
    if action["target"] != "itself":
        words.append(_words(action["target"]))
    if action["part"] is not None:
        words.append(_words(action["part"]))
    return " ".join(words)


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key.replace('_', ' ')} {_words(it)}" for key, it in value.items())
    return str(value)


def _place(thing: dict[str, Any]) -> str:
    return "{} {}".format(*thing["position"]) if thing.get("position") else "?"
