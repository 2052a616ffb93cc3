"""Plays whole games of Freeciv, one after the other: `python play_games.py results.jsonl --games 100 --turns 200`.

Half of the games are played at random, half by simple rules, each on a new map against a player of the server's AI. Each
game becomes a line of the file. A run that is started again with the same file continues after the last game, so that it
may be interrupted. At the end, and with `--games 0`, it prints the number of games that hung or lost their server, and the
memory of this process after the first and the last game of the last run.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gamewire.freeciv.env import Env

PLAYERS = ("random", "rules")
TURN_ACTIONS = 20
END_TURN = 1
WISHES = (
    "found_city", "join_city", "auto_work", "explore", "fortify", "research", "buy", "produce",
)  # fmt: skip
"""The kinds of actions of the player by rules, the most urgent one first."""
PRODUCTS = ("Settlers", "Warriors", "Workers", "Temple", "Library", "Marketplace", "Archers", "Caravan")
MAX_CITIES = 8


def by_rules(env: Env, done: set[tuple[str, str]]) -> int:
    """Returns the index of an action: each unit and city gets one action a turn. `done` has those that got theirs."""
    cities = env.world.city_table["id"].size
    best: tuple[int, int, int, tuple[str, str]] | None = None
    for index in np.flatnonzero(env.action_masks()):
        action = env.action(int(index))
        if action is None or action["kind"] not in WISHES:
            continue
        actor = (str(action["actor"]), "research" if action["kind"] == "research" else "")
        if actor in done:
            continue
        product = next(iter(action["part"].values())) if action["kind"] == "produce" else None
        if product is not None and (product not in PRODUCTS or (product == "Settlers" and cities >= MAX_CITIES)):
            continue
        # The wonders and the oldest products are the last ones.
        place = PRODUCTS.index(product) if product is not None else 0
        rank = (WISHES.index(action["kind"]), (place + env.world.turn) % len(PRODUCTS), int(index), actor)
        best = min(best, rank) if best is not None else rank
    if best is None:
        return END_TURN
    done.add(best[3])
    return best[2]


def at_random(env: Env, random: np.random.Generator) -> int:
    """Returns the index of a random legal action. Every tenth one ends the turn. No unit is disbanded, so that games last."""
    legal = np.flatnonzero(env.action_masks())
    for index in random.permutation(legal).tolist() if random.random() < 0.9 else ():
        action = env.action(index)
        if action is None or not action["kind"].startswith("disband"):
            return index
    return END_TURN


def memory() -> int:
    """Returns the memory of this process in KiB; 0 where the system does not tell it."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def play(number: int, run: int, turns: int, programs: Sequence[str | None]) -> dict[str, Any]:
    """Plays a game and returns its line."""
    player = PLAYERS[number % len(PLAYERS)]
    # Each program gets as many games of one player as of the other.
    program = programs[number // len(PLAYERS) % len(programs)]
    env = Env(program=program, max_turns=turns, turn_actions=TURN_ACTIONS)
    random = np.random.default_rng(number)
    begin, before = time.monotonic(), memory()
    _, info = env.reset(seed=number)
    steps, longest, turn, is_over = 0, 0.0, info["turn"], False
    done: set[tuple[str, str]] = set()
    terminated = truncated = False
    while not is_over:
        step_begin = time.monotonic()
        _, _, terminated, truncated, info = env.step(at_random(env, random) if player == "random" else by_rules(env, done))
        longest = max(longest, time.monotonic() - step_begin)
        if info["turn"] != turn:
            turn = info["turn"]
            done.clear()
        steps, is_over = steps + 1, terminated or truncated
    env.close()
    reason = info["reason"]
    return {
        "game": number,
        "run": run,
        "player": player,
        "program": program,
        "turns": info["turn"],
        "steps": steps,
        "seconds": round(time.monotonic() - begin, 1),
        "longest_step": round(longest, 2),
        "score": info["score"],
        "reason": reason,
        "is_hang": reason.startswith("TimeoutError"),
        "is_disconnected": reason.startswith(("ClosedError", "OSError", "Connection")),
        "memory_before": before,
        "memory_after": memory(),
    }


def read(path: Path) -> list[dict[str, Any]]:
    """Returns the lines of the file."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def summary(games: list[dict[str, Any]]) -> str:
    """Returns what the games had in common."""
    if not games:
        return "no games"
    hangs, lost = (sum(game[key] for game in games) for key in ("is_hang", "is_disconnected"))
    by_reason: dict[str, int] = {}
    for game in games:
        by_reason[game["reason"]] = by_reason.get(game["reason"], 0) + 1
    run = [game for game in games if game["run"] == games[-1]["run"]]
    return (
        f"{len(games)} games, {sum(game['turns'] for game in games)} turns, {sum(game['steps'] for game in games)} steps, "
        f"{sum(game['seconds'] for game in games):.0f} s: {hangs} hangs, {lost} disconnects; ended by {by_reason}; "
        f"memory {run[0]['memory_after']} KiB after the first of the last {len(run)} games and "
        f"{run[-1]['memory_after']} KiB after the last, "
        f"longest step {max(game['longest_step'] for game in games)} s"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("results", type=Path, help="the file of the results, which is continued")
    options.add_argument("--games", type=int, default=100, help="number of games in total")
    options.add_argument("--turns", type=int, default=200)
    options.add_argument("--program", action="append", help="the file of the server; several take turns")
    given = options.parse_args()
    games = read(given.results)
    first = len(games)
    for number in range(first, given.games):
        game = play(number, first, given.turns, given.program or [None])
        games.append(game)
        with given.results.open("a") as file:
            file.write(json.dumps(game) + "\n")
        print(json.dumps(game), flush=True)
    print(summary(games))


if __name__ == "__main__":
    main()
