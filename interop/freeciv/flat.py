"""A map without diagonals that are special: eight neighbors, and the columns wrap."""

from collections.abc import Iterator
from typing import Any

SEA = {"Lake", "Ocean", "Deep Ocean"}
Place = tuple[int, int]


def settings(version: str) -> dict[str, str]:
    """Returns the settings for such a map, which all players know from the start."""
    topology = {"topology": '""', "wrap": "WRAPX"} if version == "3.2" else {"topology": "WRAPX"}
    return topology | {"revealmap": "START", "animals": "0", "barbarians": "DISABLED", "aifill": "2"}


class Flat:
    """The terrain of the map."""

    def __init__(self, world: dict[str, Any]) -> None:
        self.width, self.height = world["game"]["size"]
        self.terrain = {tuple(tile["position"]): tile["terrain"] for tile in world["tiles"]}
        self.number = {tuple(tile["position"]): tile["tile"] for tile in world["tiles"]}

    def around(self, place: Place) -> Iterator[Place]:
        """Iterates over the neighbors of a tile."""
        x, y = place
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if (dx or dy) and 0 <= y + dy < self.height:
                    yield (x + dx) % self.width, y + dy

    def is_sea(self, place: Place) -> bool:
        """Returns whether ships can be there."""
        return self.terrain[place] in SEA

    def is_shore(self, place: Place) -> bool:
        """Returns whether the tile is good land between the sea and other land."""
        is_land = self.terrain[place] in ("Grassland", "Plains")
        return is_land and len({self.is_sea(near) for near in self.around(place)}) == 2

    def area(self, place: Place) -> set[Place]:
        """Returns all land or all sea that is connected to a tile."""
        found, waiting = {place}, [place]
        while waiting:
            for near in self.around(waiting.pop()):
                if near not in found and self.is_sea(near) == self.is_sea(place):
                    found.add(near)
                    waiting.append(near)
        return found

    def crossing(self, taken: set[Place]) -> tuple[Place, Place, Place]:
        """Returns a shore, a tile of the sea at another shore, and that shore, which is on another land. `taken` are
        tiles to keep away from."""
        shores = [place for place in self.terrain if self.is_shore(place) and not self.is_near(place, taken)]
        for home in shores:
            land = self.area(home)
            seas = [self.area(near) for near in self.around(home) if self.is_sea(near)]
            for far in shores:
                landing = [near for near in self.around(far) if any(near in sea for sea in seas)]
                if far not in land and landing:
                    return home, landing[0], far
        raise AssertionError("no other land")

    def site(self, taken: set[Place]) -> Place:
        """Returns a tile for a city, away from others."""
        return next(place for place in self.terrain if self.is_shore(place) and not self.is_near(place, taken))

    def is_near(self, place: Place, taken: set[Place]) -> bool:
        """Returns whether one of the tiles is within four tiles."""
        return any(self.distance(place, other) <= 4 for other in taken)

    def distance(self, one: Place, other: Place) -> int:
        """Returns the number of steps between tiles."""
        across = abs(one[0] - other[0])
        return max(min(across, self.width - across), abs(one[1] - other[1]))
