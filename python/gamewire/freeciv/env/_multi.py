"""The environments for several learners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import pettingzoo

from gamewire.freeciv.env._render import picture, text_of
from gamewire.freeciv.env._seat import Seat
from gamewire.freeciv.env._table import Table

METADATA = {"render_modes": ["rgb_array", "ansi"], "name": "gamewire_freeciv_v0", "is_parallelizable": True}


class _Common:
    """The parts that both environments share: spaces, rendering and closing."""

    def __init__(self, render_mode: str | None = None, **config: Any):
        if render_mode is not None and render_mode not in METADATA["render_modes"]:
            raise ValueError(f"unknown render_mode {render_mode!r}: use rgb_array or ansi")
        self.render_mode = render_mode
        self.table = Table(**config)
        """The game and its players."""
        self.possible_agents = list(self.table.names)
        self.agents: list[str] = []
        self.observation_spaces = self.table.observation_spaces
        self.action_spaces = self.table.action_spaces

    def observation_space(self, agent: str) -> gymnasium.Space:
        """Returns the space of the observations of a learner."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space:
        """Returns the space of the actions of a learner."""
        return self.action_spaces[agent]

    def render(self) -> np.ndarray | str | None:
        """Returns the map of the first learner as an array (rgb_array), or what it knows as text (ansi)."""
        seats = list(self.table.seats.values())
        if not seats or self.render_mode is None:
            return None
        is_picture = self.render_mode == "rgb_array"
        return picture(seats[0].player.world) if is_picture else text_of(seats[0], with_actions=False)

    def close(self) -> None:
        """Ends the server. A second call does nothing."""
        self.table.leave()

    def _info(self, seat: Seat, done: Mapping[str, Any], reason: str | None) -> dict[str, Any]:
        return {**seat.info(), **done, **({"reason": reason} if reason else {})}


class ParallelEnv(_Common, pettingzoo.ParallelEnv):
    """Freeciv for several learners. Each performs one action in a step.

    The next turn begins when all have ended theirs; until then, the mask of those who have ended it has only the index 0,
    which waits. The actions of one step are performed in the order of the learners. `players` is their number, and
    `opponents` that of further players of the server's AI; other arguments are those of `Env`.
    """

    metadata = METADATA

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None):
        """Starts a game: see `Env.reset`."""
        self.table.begin(seed, options)
        self.agents = list(self.possible_agents)
        seats = self.table.seats
        return (
            {name: seats[name].observation() for name in self.agents},
            {name: self._info(seats[name], {}, None) for name in self.agents},
        )

    def step(self, actions: Mapping[str, int]):
        """Performs the action of each learner."""
        live, table = self.agents, self.table
        if not live:
            return {}, {}, {}, {}, {}
        done, reason = table.act({name: action for name, action in actions.items() if name in live}, live)
        is_over = table.is_last_turn_over
        seats = {name: table.seats[name] for name in live}
        observations = {name: seat.observation() for name, seat in seats.items()}
        rewards = {name: 0.0 if reason else seat.reward() for name, seat in seats.items()}
        terminations = {name: seat.has_lost for name, seat in seats.items()}
        truncations = {name: (bool(reason) or is_over) and not terminations[name] for name in live}
        infos = {name: self._info(seat, done.get(name, {}), reason) for name, seat in seats.items()}
        self.agents = [name for name in live if not (terminations[name] or truncations[name])]
        if reason:
            table.leave()
        return observations, rewards, terminations, truncations, infos


class AecEnv(_Common, pettingzoo.AECEnv):
    """Freeciv for several learners, one after the other: a learner acts until it ends its turn.

    `players` is the number of learners, and `opponents` that of further players of the server's AI; other arguments are
    those of `Env`.
    """

    metadata = METADATA

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts a game: see `Env.reset`."""
        self.table.begin(seed, options)
        self.agents = list(self.possible_agents)
        self.agent_selection = self.agents[0]
        # An episode that was left while a learner was out has set it.
        self._skip_agent_selection = None
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._seats = self.table.seats
        self.infos = {name: self._info(self._seats[name], {}, None) for name in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns the observation of a learner."""
        return self._seats[agent].observation()

    def step(self, action: int | None) -> None:
        """Performs the action of the learner whose turn it is."""
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        live = [it for it in self.agents if not (self.terminations[it] or self.truncations[it])]
        done, reason = self.table.act({name: action}, live)
        self._cumulative_rewards[name] = 0.0
        self._clear_rewards()
        is_over = self.table.is_last_turn_over
        for agent in live:
            seat = self._seats[agent]
            self.rewards[agent] = 0.0 if reason else seat.reward()
            self.terminations[agent] = seat.has_lost
            self.truncations[agent] = (bool(reason) or is_over) and not seat.has_lost
            self.infos[agent] = self._info(seat, done.get(agent, {}), reason)
        if reason:
            self.table.leave()
        self._select(name)
        self._accumulate_rewards()
        self._deads_step_first()

    def _select(self, name: str) -> None:
        """Selects the learner that acts next: the same one until it has ended its turn, or lost."""
        start = self.agents.index(name)
        order = self.agents[start:] + self.agents[:start]
        is_out = {it: self.terminations[it] or self.truncations[it] for it in order}
        playing = [it for it in order if not is_out[it] and not self._seats[it].has_ended_turn]
        # At the beginning of a turn, the first learner begins.
        first = [it for it in self.agents if it in playing] if self.table.has_turn_begun else playing
        # If the last one that has not ended its turn is out, another one waits for the next turn.
        waiting = [it for it in order if not is_out[it]]
        self.agent_selection = (first or waiting or order)[0]
