"""The environment for one learner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np

from gamewire.freeciv._observation import Observation
from gamewire.freeciv._reply import CommandError, GameEnded
from gamewire.freeciv._world import World
from gamewire.freeciv.env._game import LOST, Game, GameConfig, begin_game, reset_config
from gamewire.freeciv.env._layout import Layout
from gamewire.freeciv.env._render import picture, text_of
from gamewire.freeciv.env._reward import Difference, score
from gamewire.freeciv.env._seat import Seat
from gamewire.freeciv.env._spaces import observation_space
from gamewire.freeciv.env._tasks import TASKS, Task


class Env(gymnasium.Env):
    """Freeciv on an unmodified freeciv-server 3.0, 3.1 or 3.2, for one learner.

    Each game is played on a server of its own, or on `address`. A step performs one action of one unit, city or of the
    player; index 1 ends the turn. An action that is not legal does nothing, which `info["is_illegal"]` says. The mask of the
    legal actions is in `info["action_mask"]`, in the observation as `action_mask`, and what `action_masks()` returns.

    An episode is terminated by the end of the game or of the task, and truncated after `max_turns`, and if the server
    ends or does not answer; `info["reason"]` says why.
    """

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}

    def __init__(
        self,
        task: str | Task | None = None,
        *,
        observation: Observation | str | None = None,
        layout: Layout | None = None,
        reward: Callable[[World], float] | None = None,
        max_turns: int | None = None,
        turn_actions: int | None = None,
        render_mode: str | None = None,
        **config: Any,
    ):
        """`task`: one of `TASKS`, or of your own; by default a whole game. `observation`: the shapes of the observation, or
        `"text"`. `layout`: that of the actions. `reward`: a function of the world; by default the change of the score, or
        of that of the task. `max_turns`: number of turns; 100 by default. `turn_actions`: number of actions after which
        the environment ends the turn. `config`: the fields of `GameConfig`, such as `program`, `ruleset`, `opponents`.
        """
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"unknown render_mode {render_mode!r}: use rgb_array or ansi")
        self.render_mode = render_mode
        self.task_name = task if isinstance(task, str) else None
        """The name of the task in `TASKS`; `None` without one, or for one of your own."""
        self.task = task = TASKS[task] if isinstance(task, str) else task
        self._config = GameConfig(**({**task.config, **config} if task else config))
        self.layout = layout or (task.layout if task else Layout())
        self._is_text = observation == "text"
        if isinstance(observation, str) and not self._is_text:
            raise ValueError(f'unknown observation {observation!r}: use "text" or an Observation')
        shapes = observation if isinstance(observation, Observation) else None
        self._shapes = shapes or (task.observation if task else Observation(64, 48, units=128, cities=32))
        if self._shapes.units < self.layout.units or self._shapes.cities < self.layout.cities:
            raise ValueError("the observation has fewer rows of units or cities than the layout")
        self._given_reward = reward
        self._max_turns = max_turns or (task.max_turns if task else 100)
        self._turn_actions = turn_actions or (task.turn_actions if task else None)
        self.action_space = gymnasium.spaces.Discrete(self.layout.size)
        self.observation_space = observation_space(self._shapes, self.layout, self._is_text)
        self._game: Game | None = None
        self._seat: Seat | None = None
        self._goal: Any = None
        self._last_turn = self._actions = 0

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None):
        """Starts a game. Equal seeds give equal games on equal servers.

        `options`: `load`, a saved game or a scenario; `take`, the name of a player in it; `settings` and `commands` of the
        server. Other options are ignored.
        """
        super().reset(seed=seed)
        config = reset_config(self._config, options)
        begin_game(self.np_random, lambda *seeds: self._begin(config, *seeds), self._leave)
        return self._seat.observation(), self._info({})

    def _begin(self, config: GameConfig, map_seed: int, game_seed: int) -> None:
        self._game = Game(config, 1, map_seed, game_seed)
        (player,) = self._game.players
        reward: Callable[[World], float] = self._given_reward or Difference(score)
        if self.task is not None:
            self._goal = self.task.begin(self._game)
            reward = self._given_reward or Difference(lambda world: self._goal.score(world))

        def take_turn(seat: Seat) -> None:
            seat.player.next_turn(config.turn_timeout)
            seat.has_ended_turn = False

        seat = Seat(player, self._shapes, self.layout, self._is_text, reward, take_turn)
        seat.begin()
        self._seat = seat
        self._actions = 0
        self._last_turn = player.world.turn + self._max_turns

    def step(self, action: int):
        """Performs the action at an index."""
        seat = self._seat
        if seat is None:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        done: dict[str, Any] = {"outcome": "unanswered", "is_illegal": False}
        try:
            done = seat.act(int(action))
            self._actions = 0 if int(action) == 1 and not done["is_illegal"] else self._actions + 1
            if self._turn_actions is not None and self._actions >= self._turn_actions:
                self._actions = 0
                seat.perform({"kind": "end_turn"})
            return self._result(done)
        except GameEnded as error:
            return self._result(done | {"reason": str(error)}, terminated=True)
        except CommandError as error:
            return self._result(done | {"outcome": error.reply.outcome})
        except LOST as error:
            return self._lost(done, error)

    def perform(self, action: Mapping[str, Any]):
        """Performs an entry of `legal_actions`, also one without an index, as a step."""
        if self._seat is None:
            raise gymnasium.error.ResetNeeded("call reset() before perform()")
        try:
            return self._result(self._seat.perform(action))
        except GameEnded as error:
            return self._result({"outcome": "done", "is_illegal": False, "reason": str(error)}, terminated=True)
        except CommandError as error:
            return self._result({"outcome": error.reply.outcome, "is_illegal": False})
        except LOST as error:
            return self._lost({"outcome": "unanswered", "is_illegal": False}, error)

    def _result(self, done: dict[str, Any], terminated: bool = False):
        seat = self._seat
        try:
            if done["outcome"] != "illegal":
                seat.refresh()
            reward = seat.reward()
            goal = self._goal.result(seat.player) if self._goal is not None else None
        except LOST as error:
            return self._lost(done, error)
        terminated = terminated or seat.has_lost or (goal is not None and goal["is_over"])
        truncated = not terminated and seat.player.world.turn >= self._last_turn
        if truncated:
            done["reason"] = "max_turns"
        elif terminated and "reason" not in done:
            done["reason"] = seat.player.ending["event"].replace("_", " ") if seat.has_lost else "task"
        return seat.observation(), reward, terminated, truncated, self._info(done)

    def _lost(self, done: dict[str, Any], error: Exception):
        """Ends the episode without its server, with the last observation."""
        done = done | {"reason": f"{type(error).__name__}: {error}"}
        observation, info = self._seat.observation(), self._info(done)
        self._leave()
        return observation, 0.0, False, True, info

    def _info(self, done: Mapping[str, Any]) -> dict[str, Any]:
        info = {**self._seat.info(), **done}
        if self._goal is not None:
            info["task_score"], info["is_success"] = self._goal.last, self._goal.last >= 1.0
        return info

    def action_masks(self) -> np.ndarray:
        """Returns the mask of the legal actions, an array of the shape (n,) and the type bool."""
        if self._seat is None:
            raise gymnasium.error.ResetNeeded("call reset() before action_masks()")
        return self._seat.mask.astype(bool)

    @property
    def legal_actions(self) -> list[dict[str, Any]]:
        """All legal actions by name, also those without an index. `perform` performs one."""
        return self._seat.legal_actions if self._seat else []

    def action(self, index: int) -> dict[str, Any] | None:
        """Returns the legal action at an index; `None` if it is not legal."""
        return self._seat.action(int(index)) if self._seat else None

    @property
    def world(self) -> World | None:
        """The world that the player knows."""
        return self._seat.player.world if self._seat else None

    @property
    def game(self) -> Game | None:
        """The game that is played."""
        return self._game

    def render(self):
        """Returns the map as an array (rgb_array), or what the player knows as text (ansi)."""
        if self._seat is None or self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return picture(self._seat.player.world)
        return text_of(self._seat, with_actions=False)

    def close(self) -> None:
        """Ends the server. A second call does nothing."""
        self._leave()

    def _leave(self) -> None:
        if self._game is not None:
            self._game.close()
        self._game = self._seat = self._goal = None
