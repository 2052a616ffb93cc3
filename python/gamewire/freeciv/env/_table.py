"""Several players of the program in one game."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
from gymnasium.utils import seeding

from gamewire.freeciv._observation import Observation
from gamewire.freeciv._player import Player
from gamewire.freeciv._reply import CommandError, GameEnded
from gamewire.freeciv._world import World
from gamewire.freeciv.env._game import LOST, Game, GameConfig, begin_game, reset_config
from gamewire.freeciv.env._layout import Layout
from gamewire.freeciv.env._reward import Difference, score
from gamewire.freeciv.env._seat import Seat
from gamewire.freeciv.env._spaces import observation_space

CHECK_INTERVAL = 0.2
"""Seconds between two checks of all connections while one player waits for the next turn."""


def end_turn(seat: Seat) -> None:
    """Ends the turn of one of several players."""
    seat.player.end_turn().checked()


class Table:
    """The players of an environment for several learners. Their order is that of `names`."""

    def __init__(
        self,
        players: int = 2,
        *,
        observation: Observation | None = None,
        layout: Layout | None = None,
        reward: Callable[[], Callable[[World], float]] | None = None,
        max_turns: int = 100,
        turn_actions: int | None = 50,
        **config: Any,
    ):
        """`players`: number of learners. `reward`: returns the reward of one of them; by default the change of its score.
        `turn_actions`: number of actions after which the environment ends the turn of a player. The others are those of
        `Env`.
        """
        self.names = [f"player_{number}" for number in range(players)]
        self._config = GameConfig(**{"opponents": 0, **config})
        self._layout = layout or Layout()
        self._shapes = observation or Observation(64, 48, units=128, cities=32)
        if self._shapes.units < self._layout.units or self._shapes.cities < self._layout.cities:
            raise ValueError("the observation has fewer rows of units or cities than the layout")
        self._reward = reward or (lambda: Difference(score))
        self._max_turns, self._turn_actions = max_turns, turn_actions
        self.observation_spaces = {
            name: observation_space(self._shapes, self._layout, is_text=False) for name in self.names
        }
        self.action_spaces = {name: gymnasium.spaces.Discrete(self._layout.size) for name in self.names}
        self._random, _ = seeding.np_random(None)
        self.game: Game | None = None
        self.seats: dict[str, Seat] = {}
        self._actions: dict[str, int] = {}
        self._last_turn = 0
        self.has_turn_begun = False
        """True if the last call of `act` has begun a turn."""

    def begin(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Starts a game. Raises `Error` if that fails."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        config = reset_config(self._config, options)
        begin_game(self._random, lambda *seeds: self._begin(config, *seeds), self.leave)

    def _begin(self, config: GameConfig, map_seed: int, game_seed: int) -> None:
        self.game = Game(config, len(self.names), map_seed, game_seed)
        self.seats = {name: self._seat(player) for name, player in zip(self.names, self.game.players)}
        for seat in self.seats.values():
            seat.begin()
        self._actions = dict.fromkeys(self.names, 0)
        self._last_turn = self.game.players[0].world.turn + self._max_turns

    def _seat(self, player: Player) -> Seat:
        return Seat(player, self._shapes, self._layout, False, self._reward(), end_turn)

    def act(self, actions: Mapping[str, int], live: list[str]) -> tuple[dict[str, dict[str, Any]], str | None]:
        """Performs an action of each of some players, in their order, and begins the next turn when all of `live` have
        ended theirs. Returns what happened to each, and the reason if the server is lost.
        """
        done: dict[str, dict[str, Any]] = {}
        try:
            for name in (name for name in self.names if name in actions):
                done[name] = self._act(name, int(actions[name]))
            playing = [name for name in live if not self.seats[name].has_lost]
            self.has_turn_begun = all(self.seats[name].has_ended_turn for name in playing)
            if self.has_turn_begun:
                self._begin_turn(playing)
            for name in live:
                self.seats[name].refresh()
                if self.seats[name].has_lost:
                    # The player sends nothing more, and the server would wait for it to read.
                    self.seats[name].player.close()
        except LOST as error:
            return done, f"{type(error).__name__}: {error}"
        return done, None

    def _act(self, name: str, action: int) -> dict[str, Any]:
        seat = self.seats[name]
        try:
            done = seat.act(action)
            self._actions[name] += 1
            if self._turn_actions and self._actions[name] >= self._turn_actions and not seat.has_ended_turn:
                seat.perform({"kind": "end_turn"})
            return done
        except CommandError as error:
            return {"outcome": error.reply.outcome, "is_illegal": False}
        except GameEnded:
            return {"outcome": "done", "is_illegal": False}

    def _begin_turn(self, names: list[str]) -> None:
        """Waits until the next turn has begun for some players. A server does not begin it without one that it has lost.
        Raises `ClosedError` and `TimeoutError`.
        """
        self._actions.update(dict.fromkeys(names, 0))
        end = time.monotonic() + self._config.turn_timeout
        waiting = list(names)
        while waiting:
            left = end - time.monotonic()
            try:
                self.seats[waiting[0]].wait_for_turn(max(0.0, min(left, CHECK_INTERVAL)))
                del waiting[0]
            except GameEnded:
                # `has_lost` of the seat is true from now on.
                del waiting[0]
            except TimeoutError:
                if left <= 0:
                    timeout = self._config.turn_timeout
                    raise TimeoutError(f"timed out after {timeout:g} s waiting for the next turn") from None
                # The next wait raises the reason why a connection is closed.
                waiting.sort(key=lambda name: self._is_open(name))

    def _is_open(self, name: str) -> bool:
        player = self.seats[name].player
        player.update()
        return player.is_open

    @property
    def is_last_turn_over(self) -> bool:
        """True if `max_turns` have passed."""
        return any(seat.player.world.turn >= self._last_turn for seat in self.seats.values())

    def leave(self) -> None:
        """Ends the game. A second call does nothing."""
        if self.game is not None:
            self.game.close()
        self.game = None
        self.seats = {}
