"""A player by rules that trades advances."""

from __future__ import annotations

from typing import Any

from gamewire.freeciv.env._env import Env


def trade(env: Env, legal: dict[int, dict[str, Any]]) -> int | None:
    """Agrees to a cease-fire, and then gives an own advance for each of the other player."""
    meetings = env.world.parts(("meetings",))["meetings"]
    if not meetings:
        if any(player["relation"] == "war" for player in env.world.players):
            return None
        return _first(legal, "meet")
    meeting, me = meetings[0], env.world.me["player"]
    taken = [clause for clause in meeting["clauses"] if clause["giver"] != me]
    if meeting["other_accepted"] and not meeting["i_accepted"] and taken:
        return _first(legal, "accept_treaty")
    is_asked = any(clause["clause"] == "advance" for clause in taken)
    offers = _advances(legal, is_own=is_asked)
    return offers[0] if offers else _first(legal, "cancel_meeting")


def _first(legal: dict[int, dict[str, Any]], kind: str) -> int | None:
    return next((index for index, action in legal.items() if action["kind"] == kind), None)


def _advances(legal: dict[int, dict[str, Any]], is_own: bool) -> list[int]:
    """Returns the clauses with which the own player gives an advance, or the other one."""
    return [
        index
        for index, action in legal.items()
        if action["kind"] == "add_clause"
        and action["part"]["clause"]["clause"] == "advance"
        and (action["part"]["clause"]["giver"] != action["target"]["player"]) == is_own
    ]
