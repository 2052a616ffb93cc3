"""The orders of units and of rally points, as saved games write them: a letter or a number for each part of a step."""

from collections.abc import Mapping
from typing import Any

from puppet import World
from savegame import Row, Section

# Letters of the kinds of steps, by number.
KINDS = MOVE, ACTIVITY, FULL_MOVE_POINTS, ACTION_MOVE, PERFORM_ACTION = "mawxp"
# The keys of a number pad, by the number of a direction.
DIRECTIONS = "78946123"
# The activities that a step can begin, and their letters.
ACTIVITIES = dict(
    zip(
        "Sentry Fortifying Base Road Pillage Mine Irrigate Transform Convert Plant Cultivate Pollution Fallout Clean".split(),
        "sybRemiocMIpuC",
    )
)
# The digits of the numbers of actions in 3.0.
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-+"
NO_LETTER, NOTHING, NO_STEPS = "?", -1, "-"
# Columns with a letter for each step, and ones with a number for each, of units and of cities. Only 3.0 has letters of
# actions.
UNIT_LETTERS = {"kind": "orders_list", "direction": "dir_list", "activity": "activity_list", "action letter": "action_list"}
UNIT_NUMBERS = {"action": "action_vec", "target": "tgt_vec", "sub-target": "sub_tgt_vec"}
CITY_LETTERS = {"kind": "rally_point_orders", "direction": "rally_point_dirs", "activity": "rally_point_activities"}
CITY_NUMBERS = {name: f"rally_point_{column}" for name, column in UNIT_NUMBERS.items()}


def steps_of(unit: World) -> list[list[int]]:
    """Returns the steps of a unit as 3.1 and 3.2 send them. 3.0 sends a list for each of their parts, without targets."""
    if unit["orders"] is not None:
        return list(unit["orders"])
    parts = (unit[f"orders_{name}"] for name in ("kinds", "activities", "sub_targets", "actions", "dirs"))
    return [[kind, activity, NOTHING, *others] for kind, activity, *others in zip(*parts)]


def written(steps: list[list[int]], saved: Mapping[str, Section], version: str) -> dict[str, Any]:
    """Returns steps as a saved game writes them. It leaves out the parts that a kind of step does not use."""
    activities = saved["savefile"].values["activities_vector"].split('","')
    columns: dict[str, Any] = {name: [] for name in (*UNIT_LETTERS, *UNIT_NUMBERS)}
    for number, activity, target, sub_target, action, direction in steps:
        kind = KINDS[number]
        acts = kind == PERFORM_ACTION
        # In 3.0 an action has a direction instead of a target.
        is_directed = kind in (MOVE, ACTION_MOVE) or acts and version == "3.0" and direction != NOTHING
        columns["kind"].append(kind)
        columns["direction"].append(DIRECTIONS[direction] if is_directed else NO_LETTER)
        columns["activity"].append(ACTIVITIES[activities[activity]] if kind == ACTIVITY else NO_LETTER)
        columns["action letter"].append(DIGITS[action] if acts else NO_LETTER)
        columns["action"].append(action if acts else NOTHING)
        columns["target"].append(target if acts else NOTHING)
        columns["sub-target"].append(sub_target if acts or kind == ACTIVITY else NOTHING)
    return columns | {name: "".join(columns[name]) or NO_STEPS for name in UNIT_LETTERS}


def read(row: Row, letters: Mapping[str, str], numbers: Mapping[str, str], count: int) -> dict[str, Any]:
    """Returns the columns of a row that its version has. Numbers have a column for each step."""
    found: dict[str, Any] = {name: row[column] for name, column in letters.items() if column in row}
    for name, column in numbers.items():
        if column in row:
            found[name] = [int(row[f"{column},{index}" if index else column]) for index in range(count)]
    return found
