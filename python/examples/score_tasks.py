"""Plays the tasks at random and by rules, and prints a table of the scores: `python score_tasks.py results.jsonl`.

Each game becomes a line of the file. A run that is started again with the same file plays what is missing in it, so that it
may be interrupted. The seeds are 2 and the following ones.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from gamewire.freeciv.env import TASKS, Env, scripted

FIRST_SEED = 2
PLAYERS = ("random", "rules")


def play(task: str, player: str, seed: int, program: str | None) -> dict[str, Any]:
    """Plays a task and returns its line."""
    env = Env(task, program=program)
    random = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    steps, is_over = 0, False
    while not is_over:
        action = scripted(env) if player == "rules" else int(random.choice(np.flatnonzero(env.action_masks())))
        _, _, terminated, truncated, info = env.step(action)
        steps, is_over = steps + 1, terminated or truncated
    env.close()
    return {
        "task": task,
        "player": player,
        "seed": seed,
        "program": program,
        "score": round(info["task_score"], 3),
        "is_success": info["is_success"],
        "steps": steps,
        "reason": info["reason"],
    }


def table(games: list[dict[str, Any]]) -> str:
    """Returns a table of the mean scores and the numbers of solved games."""
    programs = list(dict.fromkeys(game["program"] for game in games))
    rows = []
    for task in TASKS:
        cells = [f"`{task}`"]
        for program in programs:
            for player in PLAYERS:
                found = [it for it in games if (it["task"], it["player"], it["program"]) == (task, player, program)]
                solved = sum(it["is_success"] for it in found)
                cells.append(f"{np.mean([it['score'] for it in found]):.2f} ({solved}/{len(found)})" if found else "")
        rows.append(" | ".join(cells))
    heads = ["task", *(f"{player}, {program or 'the installed server'}" for program in programs for player in PLAYERS)]
    return "\n".join([" | ".join(heads), *rows])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("results", type=Path, help="the file of the results, which is continued")
    options.add_argument("--seeds", type=int, default=20, help="number of games of each player")
    options.add_argument("--task", action="append", choices=TASKS, help="the task; several are played in order")
    options.add_argument("--program", action="append", help="the file of the server; several are played in order")
    given = options.parse_args()
    text = given.results.read_text() if given.results.exists() else ""
    games = [json.loads(line) for line in text.splitlines()]
    is_done = {(game["task"], game["player"], game["seed"], game["program"]) for game in games}
    for program in given.program or [None]:
        for task in given.task or TASKS:
            for player in PLAYERS:
                for seed in range(FIRST_SEED, FIRST_SEED + given.seeds):
                    if (task, player, seed, program) in is_done:
                        continue
                    game = play(task, player, seed, program)
                    games.append(game)
                    with given.results.open("a") as file:
                        file.write(json.dumps(game) + "\n")
    print(table(games))


if __name__ == "__main__":
    main()
