"""The layout of the action space: which index is which legal action."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gamewire.freeciv._world import DIRECTIONS

HERE = len(DIRECTIONS)
"""The slot of an action on the own tile, after those of the eight directions."""
STATES = (
    "fortify",
    "sentry",
    "stop",
    "explore",
    "auto_work",
    "cultivate",
    "plant",
    "transform",
    "convert",
    "load",
    "unload",
)
"""Kinds of actions of units with one slot. Of several transporters to load into, the first is in the slot."""
OWN_ACTS = ("found_city", "disband_unit", "upgrade_unit", "home_city", "unit_make_homeless")
"""Kinds of actions of units on themselves or their tile, with one slot."""
ACTS = (
    "attack", "attack_2", "suicide_attack", "suicide_attack_2", "bombard", "bombard_2", "bombard_3", "conquer_city",
    "conquer_city_2", "conquer_city_3", "conquer_city_4", "capture_units", "wipe_units", "collect_ransom", "spy_attack",
    "surgical_strike_building", "surgical_strike_production", "join_city", "help_wonder", "disband_unit_recover",
    "enter_marketplace", "establish_trade_route", "establish_embassy", "establish_embassy_stay", "investigate_city",
    "investigate_city_spend_unit", "poison_city", "poison_city_escape", "steal_gold", "steal_gold_escape",
    "sabotage_city", "sabotage_city_escape", "targeted_sabotage_city", "targeted_sabotage_city_escape",
    "sabotage_city_production", "sabotage_city_production_escape", "steal_tech", "steal_tech_escape_expected",
    "targeted_steal_tech", "targeted_steal_tech_escape_expected", "steal_maps", "steal_maps_escape", "incite_city",
    "incite_city_escape", "spread_plague", "bribe_unit", "sabotage_unit", "sabotage_unit_escape", "expel_unit",
    "heal_unit", "heal_unit_2", "destroy_city", "explode_nuclear", "nuke_city", "nuke_units", "suitcase_nuke",
    "suitcase_nuke_escape",
)  # fmt: skip
"""Kinds of actions of units with nine slots: the eight directions, and `HERE`. Of several targets on one tile, the first
is in the slot."""
CLAUSES = (
    "sea map", "world map", "ceasefire", "peace", "alliance", "shared vision", "embassy", "shared tiles", "gold", "advance",
)  # fmt: skip
"""Kinds of clauses of treaties. `add_clause` has further slots for amounts of gold, and for each advance."""
AMOUNTS = 4
"""Number of amounts of gold that a clause offers."""
RATES = tuple((tax, luxury) for tax in range(0, 101, 10) for luxury in range(0, 101 - tax, 10))
"""Tax rates in percent, in the order of their slots. The rest is for science."""
WAIT, END_TURN = 0, 1
"""The indices that do nothing, and end the turn."""


@dataclass(frozen=True)
class Layout:
    """The action space: `Discrete(size)`, in which an index means the same in every game.

    Index 0 waits, index 1 ends the turn. The slots of the player follow, then those of each city and of each unit by
    their rows in the observation. A slot is a kind of action with a direction, the id of a rule (an index in
    `World.rules`), or a number. What does not fit is counted in `info["dropped_actions"]`; `perform` reaches it.
    """

    units: int = 32
    """Rows of units."""
    cities: int = 8
    """Rows of cities."""
    players: int = 8
    """Players with whom diplomacy has slots, by number."""
    extras: int = 48
    unit_types: int = 72
    buildings: int = 80
    advances: int = 100
    governments: int = 12
    specialists: int = 4
    radius: int = 3
    """Columns and rows around a city in which its tiles have slots."""
    kinds: tuple[str, ...] | None = None
    """The kinds of actions with slots; `None` for all. The others are not counted as dropped."""

    @cached_property
    def blocks(self) -> dict[str, dict[str, tuple[int, int]]]:
        """The first slot and the number of slots of each kind, for each kind of actor: `player`, `city` and `unit`."""
        items = self.unit_types + self.buildings
        tiles = (2 * self.radius + 1) ** 2
        pair = 2 * (len(CLAUSES) + AMOUNTS + self.advances)
        sizes = {
            "player": {
                "research": self.advances, "research_goal": self.advances, "tax_rates": len(RATES),
                "government": self.governments, "meet": self.players, "cancel_meeting": self.players,
                "accept_treaty": self.players, "cancel_pact": self.players, "end_shared_vision": self.players,
                "add_clause": self.players * pair, "remove_clause": self.players * 2 * len(CLAUSES),
            },
            "city": {
                "produce": items, "add_to_worklist": items, "clear_worklist": 1, "buy": 1, "sell": self.buildings,
                "make_specialist": tiles, "make_worker": tiles, "change_specialist": self.specialists**2,
                "rally": HERE, "clear_rally": 1,
            },
            "unit": {
                "move": HERE, **dict.fromkeys(STATES, 1), "build": self.extras, "pillage": self.extras + 1,
                "clean": self.extras, **dict.fromkeys(OWN_ACTS, 1), **dict.fromkeys(ACTS, HERE + 1),
            },
        }  # fmt: skip
        blocks: dict[str, dict[str, tuple[int, int]]] = {}
        for actor, kinds in sizes.items():
            first, blocks[actor] = 0, {}
            for kind, count in kinds.items():
                if self.kinds is None or kind in self.kinds:
                    blocks[actor][kind] = (first, count)
                    first += count
        return blocks

    @cached_property
    def slots(self) -> dict[str, int]:
        """Number of slots of one actor, by its kind."""
        return {
            actor: max((first + count for first, count in kinds.values()), default=0)
            for actor, kinds in self.blocks.items()
        }

    @cached_property
    def bases(self) -> dict[str, int]:
        """The index of the first slot of the first actor, by its kind."""
        cities = END_TURN + 1 + self.slots["player"]
        return {"player": END_TURN + 1, "city": cities, "unit": cities + self.cities * self.slots["city"]}

    @cached_property
    def size(self) -> int:
        """Number of actions."""
        return self.bases["unit"] + self.units * self.slots["unit"]

    def rows(self, actor: str) -> int:
        """Returns the number of rows of a kind of actor."""
        return {"player": 1, "city": self.cities, "unit": self.units}[actor]

    def index(self, actor: str, row: int, kind: str, slot: int = 0) -> int:
        """Returns the index of an action. Raises `KeyError` if the layout has no such kind, and `IndexError`."""
        if kind in ("wait", "end_turn"):
            return WAIT if kind == "wait" else END_TURN
        first, count = self.blocks[actor][kind]
        if not (0 <= row < self.rows(actor) and 0 <= slot < count):
            raise IndexError(f"{kind} of {actor} {row} has no slot {slot}")
        return self.bases[actor] + row * self.slots[actor] + first + slot

    def describe(self, index: int) -> tuple[str, int, str, int]:
        """Returns an index as the kind of actor, its row, the kind of action, and the slot of the kind."""
        if not 0 <= index < self.size:
            raise IndexError(f"{index} is no action of {self.size}")
        if index <= END_TURN:
            return "player", 0, "end_turn" if index else "wait", 0
        actor = next(actor for actor in ("unit", "city", "player") if index >= self.bases[actor])
        row, slot = divmod(index - self.bases[actor], self.slots[actor])
        for kind, (first, count) in self.blocks[actor].items():
            if first <= slot < first + count:
                return actor, row, kind, slot - first
        raise IndexError(index)


@dataclass
class Places:
    """The data that a slot depends on: the rules by name, and the positions of things."""

    me: int
    columns: int
    rules: Mapping[str, Mapping[str, int]]
    neighbors: Callable[[int], Mapping[int, int]]
    """The direction of each neighbor of a tile."""
    tiles: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    """The tiles of cities and units, by id."""


def slots_of(
    layout: Layout, entries: list[Mapping[str, Any]], actor: str, tile: int, places: Places
) -> tuple[dict[int, Mapping[str, Any]], int]:
    """Returns the legal actions of an actor by their slots, and the number of those that do not fit."""
    slots: dict[int, Mapping[str, Any]] = {}
    dropped = 0
    for entry in entries:
        slot = slot_of(layout, entry, actor, tile, places)
        if slot is not None and entry["kind"] == "add_clause" and entry["part"]["clause"]["clause"] == "gold":
            # The amounts of gold have consecutive slots.
            slot = next((slot + more for more in range(AMOUNTS) if slot + more not in slots), None)
        if slot is not None and slot not in slots:
            slots[slot] = entry
        elif layout.kinds is None or entry["kind"] in layout.kinds:
            dropped += entry["kind"] != "end_turn"
    return slots, dropped


def slot_of(layout: Layout, entry: Mapping[str, Any], actor: str, tile: int, places: Places) -> int | None:
    """Returns the slot of a legal action among those of its actor, which is on a tile; `None` if it does not fit."""
    kind = entry["kind"]
    block = layout.blocks[actor].get(kind)
    if block is None:
        return None
    slot = _slot_in_block(layout, entry, tile, places)
    return block[0] + slot if slot is not None and 0 <= slot < block[1] else None


def _slot_in_block(layout: Layout, entry: Mapping[str, Any], tile: int, places: Places) -> int | None:
    kind, target, part = entry["kind"], entry["target"], entry["part"]
    if kind in ("move", "rally") or kind in ACTS:
        return HERE if target == "itself" else _direction(target, tile, places)
    if kind in ("build", "pillage", "clean"):
        return layout.extras if part is None else _rule(part, "extras", layout.extras, places)
    if kind in ("produce", "add_to_worklist"):
        if "unit_type" in part:
            return _rule(part, "unit_types", layout.unit_types, places)
        building = _rule(part, "buildings", layout.buildings, places)
        return None if building is None else layout.unit_types + building
    if kind == "sell":
        return _rule(part, "buildings", layout.buildings, places)
    if kind in ("make_specialist", "make_worker"):
        return _tile_of_city(target["tile"], tile, layout.radius, places)
    if kind == "change_specialist":
        names = places.rules["specialists"]
        start, end = (names[part["specialist"][side]] for side in ("from", "to"))
        return start * layout.specialists + end if max(start, end) < layout.specialists else None
    if kind in ("research", "research_goal"):
        return _rule(part, "advances", layout.advances, places)
    if kind == "government":
        return _rule(part, "governments", layout.governments, places)
    if kind == "tax_rates":
        rates = part["rates"]
        return RATES.index((rates["tax"], rates["luxury"]))
    if isinstance(target, Mapping) and "player" in target:
        return _diplomacy(layout, kind, target["player"], part, places)
    return 0


def _rule(part: Mapping[str, Any], table: str, limit: int, places: Places) -> int | None:
    (name,) = part.values()
    number = places.rules[table].get(name)
    return number if number is not None and number < limit else None


def _direction(target: Mapping[str, int], tile: int, places: Places) -> int | None:
    ((kind, number),) = target.items()
    to = places.tiles[kind].get(number) if kind in ("city", "unit") else number
    return HERE if to == tile else places.neighbors(tile).get(to) if to is not None else None


def _tile_of_city(target: int, tile: int, radius: int, places: Places) -> int | None:
    width = places.columns
    right = (target % width - tile % width + width // 2) % width - width // 2
    down = target // width - tile // width
    if max(abs(right), abs(down)) > radius:
        return None
    return (down + radius) * (2 * radius + 1) + right + radius


def _diplomacy(layout: Layout, kind: str, player: int, part: Any, places: Places) -> int | None:
    if player >= layout.players:
        return None
    if part is None:
        return player
    clause = part["clause"]
    side, name = int(clause["giver"] != places.me), clause["clause"]
    if name not in CLAUSES:
        return None
    number = CLAUSES.index(name)
    if kind == "remove_clause":
        return (player * 2 + side) * len(CLAUSES) + number
    if name == "gold":
        number = len(CLAUSES)
    elif name == "advance":
        advance = places.rules["advances"].get(clause["value"])
        if advance is None or advance >= layout.advances:
            return None
        number = len(CLAUSES) + AMOUNTS + advance
    return (player * 2 + side) * (len(CLAUSES) + AMOUNTS + layout.advances) + number
