"""One player of an environment: what it observes, which actions are legal, and performing one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gamewire.freeciv._observation import CITY_COLUMNS, PLAYER_COLUMNS, UNIT_COLUMNS, Observation
from gamewire.freeciv._player import Player
from gamewire.freeciv._reply import CommandError
from gamewire.freeciv._world import World
from gamewire.freeciv.env._layout import END_TURN, WAIT, Layout, Places, slots_of
from gamewire.freeciv.env._render import text_of

OWNER = {"units": UNIT_COLUMNS.index("owner"), "cities": CITY_COLUMNS.index("owner")}
SCORE = PLAYER_COLUMNS.index("score")
TABLES = ("unit_types", "buildings", "advances", "governments", "extras", "specialists")


class Seat:
    """A player, with its observation, the mask of its legal actions, and its reward."""

    def __init__(
        self,
        player: Player,
        shapes: Observation,
        layout: Layout,
        is_text: bool,
        reward: Callable[[World], float],
        take_turn: Callable[[Seat], None],
    ):
        """`take_turn` ends the turn of the player, and waits for the next one if there is no other player to wait for."""
        self.player, self.shapes, self.layout, self.is_text = player, shapes, layout, is_text
        self._reward, self._take_turn = reward, take_turn
        self._slots: dict[tuple[str, int], dict[int, Mapping[str, Any]]] = {}
        self._indices: dict[tuple[str, int], np.ndarray] = {}
        self._dropped: dict[tuple[str, int], int] = {}
        self._entries: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
        self._rows: dict[str, list[int]] = {}
        self._arrays: dict[str, np.ndarray] = {}
        self._is_given = False
        self._turn = self._score = 0
        self.places: Places | None = None
        self.mask = np.zeros(layout.size, np.int8)
        """The mask of the legal actions, of the shape (layout.size,): 1 for a legal one."""
        self.has_ended_turn = False
        """True if the player has ended its turn, and the next one has not begun."""

    @property
    def legal_actions(self) -> list[dict[str, Any]]:
        """All legal actions, also those without an index."""
        return [dict(entry) for entries in self._entries.values() for entry in entries]

    def begin(self) -> None:
        """Computes everything for the first time."""
        world = self.player.world
        rules = world.rules
        game, me = world.game, world.me
        known: dict[int, dict[int, int]] = {}

        def neighbors(tile: int) -> dict[int, int]:
            if tile not in known:
                known[tile] = {to: direction for direction, to in world.neighbors(tile).items()}
            return known[tile]

        names = {table: {_name(rule): number for number, rule in enumerate(rules[table])} for table in TABLES}
        self.places = Places(me["player"], game["size"][0], names, neighbors)
        self.refresh()
        if reset := getattr(self._reward, "reset", None):
            reset(world)

    def refresh(self) -> None:
        """Asks for the legal actions of the actors that have changed, and computes the observation and the mask."""
        changed, actions = self.player.changed_legal_actions()
        world = self.player.world
        self._arrays, self._is_given = self.shapes.of(world), False
        # The own player is in the first row.
        self._turn, self._score = int(self._arrays["game"][0]), int(self._arrays["players"][0, SCORE])
        self._rows = {"player": [self.places.me], "city": self._own("cities"), "unit": self._own("units")}
        by_actor: dict[tuple[str, int], list[Mapping[str, Any]]] = {self._actor(it): [] for it in changed}
        for entry in actions:
            by_actor[self._actor(entry["actor"])].append(entry)
        if by_actor:
            self._put(by_actor, world)
        self._fill_mask()

    def _own(self, table: str) -> list[int]:
        """Returns the ids of the own units or cities, by row."""
        rows = self._arrays[table]
        return rows[rows[:, OWNER[table]] == self.places.me, 0].tolist()

    def _actor(self, actor: Any) -> tuple[str, int]:
        if actor == "player":
            return "player", self.places.me
        ((kind, number),) = actor.items()
        return kind, number

    def _put(self, by_actor: dict[tuple[str, int], list[Mapping[str, Any]]], world: World) -> None:
        units, cities = world.unit_table, world.city_table
        self.places.tiles = {
            "unit": dict(zip(units["id"].tolist(), units["tile"].tolist())),
            "city": dict(zip(cities["id"].tolist(), cities["tile"].tolist())),
        }
        for actor, entries in by_actor.items():
            kind, number = actor
            tile = self.places.tiles[kind].get(number, -1) if kind != "player" else -1
            if not entries:
                for table in (self._slots, self._indices, self._dropped, self._entries):
                    table.pop(actor, None)
                continue
            self._slots[actor], self._dropped[actor] = slots_of(self.layout, entries, kind, tile, self.places)
            self._indices[actor] = np.fromiter(self._slots[actor], np.intp)
            self._entries[actor] = entries

    def _fill_mask(self) -> None:
        mask = np.zeros(self.layout.size, np.int8)
        for kind, rows in self._rows.items() if not self.has_ended_turn else ():
            base, count = self.layout.bases[kind], self.layout.slots[kind]
            for row, number in enumerate(rows[: self.layout.rows(kind)]):
                if (indices := self._indices.get((kind, number))) is not None:
                    mask[base + row * count + indices] = 1
        own = self._entries.get(("player", self.places.me), ())
        mask[END_TURN] = not self.has_ended_turn and any(entry["kind"] == "end_turn" for entry in own)
        # A space cannot be sampled without any legal action.
        mask[WAIT] = not mask.any()
        self.mask = mask

    @property
    def dropped(self) -> int:
        """Number of legal actions that have no index because they do not fit."""
        rows = {(kind, number) for kind, rows in self._rows.items() for number in rows[: self.layout.rows(kind)]}
        without_row = sum(len(slots) for actor, slots in self._slots.items() if actor not in rows)
        return sum(self._dropped.values()) + without_row

    def action(self, index: int) -> dict[str, Any] | None:
        """Returns the legal action at an index; `None` if it is not legal."""
        if not 0 <= index < self.layout.size or not self.mask[index] or index == WAIT:
            return None
        if index == END_TURN:
            return {"actor": "player", "kind": "end_turn", "target": "itself", "part": None}
        kind = next(kind for kind in ("unit", "city", "player") if index >= self.layout.bases[kind])
        row, slot = divmod(index - self.layout.bases[kind], self.layout.slots[kind])
        return dict(self._slots[kind, self._rows[kind][row]][slot])

    def act(self, index: int) -> dict[str, Any]:
        """Performs the action at an index, and returns what happened. An illegal one does nothing."""
        action = self.action(index)
        if action is None:
            return {
                "outcome": "illegal" if index != WAIT else "done",
                "is_illegal": index != WAIT or not self.mask[WAIT],
            }
        return self.perform(action)

    def perform(self, action: Mapping[str, Any]) -> dict[str, Any]:
        """Performs an entry of `legal_actions`, and returns what happened. Raises `CommandError`, `GameEnded` and
        `ClosedError`.
        """
        if action["kind"] == "end_turn":
            self.has_ended_turn = True
            try:
                self._take_turn(self)
            except CommandError:
                self.has_ended_turn = False
                raise
            return {"outcome": "done", "is_illegal": False}
        reply = self.player.perform(action)
        return {"outcome": reply.outcome, "is_illegal": reply.outcome in ("illegal", "error")}

    def wait_for_turn(self, timeout: float) -> None:
        """Waits until the next turn begins. Raises `GameEnded`, `ClosedError` and `TimeoutError`."""
        self.player.wait_for_turn(timeout)
        self.has_ended_turn = False

    def observation(self) -> dict[str, Any]:
        """Returns the observation, with memory of its own."""
        if self.is_text:
            return {"text": text_of(self), "action_mask": self.mask.copy()}
        # A program may change what it got, so an observation is given away once.
        if self._is_given:
            self._arrays = {name: array.copy() for name, array in self._arrays.items()}
        self._is_given = True
        return {**self._arrays, "action_mask": self.mask.copy()}

    def info(self) -> dict[str, Any]:
        """Returns what an environment reports next to the observation."""
        return {
            "action_mask": self.mask.copy(),
            "turn": self._turn,
            "score": self._score,
            "dropped_actions": self.dropped,
        }

    def reward(self) -> float:
        """Returns the reward since the last call."""
        return float(self._reward(self.player.world))

    @property
    def has_lost(self) -> bool:
        """True if the game has ended for the player."""
        return self.player.ending is not None


def _name(rule: Any) -> str:
    return rule["name"] if isinstance(rule, dict) else rule
