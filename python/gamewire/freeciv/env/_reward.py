"""Rewards."""

from __future__ import annotations

from collections.abc import Callable

from gamewire.freeciv._world import World


class Difference:
    """The reward that is the change of a value since the last step, such as of the score.

    Every function of the world is a reward, too: it is called after each step. If it has a method `reset`, that is called
    with the world at the begin of each game.
    """

    def __init__(self, value: Callable[[World], float]):
        self.value = value
        self._last = 0.0

    def reset(self, world: World) -> None:
        """Begins a game."""
        self._last = float(self.value(world))

    def __call__(self, world: World) -> float:
        before, self._last = self._last, float(self.value(world))
        return self._last - before


def score(world: World) -> float:
    """Returns the score of the own player, which the server computes once a turn."""
    me = world.me
    return float(me["score"]) if me else 0.0
