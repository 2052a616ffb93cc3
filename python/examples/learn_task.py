"""Learns a task with MaskablePPO of sb3-contrib: `python learn_task.py improve_land 100000`.

Prints the mean score of the tasks that ended within each twentieth of the steps. `--curve FILE` also draws them as SVG.
It needs `pip install sb3-contrib pygamewire[gymnasium]`.
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
import torch
from gymnasium.wrappers import FilterObservation, FlattenObservation
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from gamewire.freeciv.env import Env

KEYS = ["units", "units_mask", "cities", "cities_mask", "players", "game"]
"""The parts of the observation that the policy sees: all but the map."""


class Scores(BaseCallback):
    """Collects the score of each task that has ended, by the number of steps until then."""

    def __init__(self):
        super().__init__()
        self.ended: list[tuple[int, float, bool]] = []

    def _on_step(self) -> bool:
        for info, is_over in zip(self.locals["infos"], self.locals["dones"]):
            if is_over:
                self.ended.append((self.num_timesteps, info["task_score"], info["is_success"]))
        return True


def make(task: str, seed: int) -> gymnasium.Env:
    """Returns the environment of a task with a flat observation. Each episode has another map."""
    env = FlattenObservation(FilterObservation(Env(task), KEYS))
    env.reset(seed=seed)
    return env


def curve(rows: list[tuple[int, float, float]], task: str) -> str:
    """Returns a line of the mean score by steps, as SVG."""
    width, height, left, last = 480, 200, 40, rows[-1][0]
    points = " ".join(f"{left + step / last * width:.1f},{20 + (1 - score) * height:.1f}" for step, score, _ in rows)
    lines = "".join(
        f'<path d="M{left} {20 + (1 - at) * height:.0f}h{width}" stroke="#ccc"/>'
        f'<text x="{left - 6}" y="{24 + (1 - at) * height:.0f}" text-anchor="end">{at:g}</text>'
        for at in (0, 0.25, 0.5, 0.75, 1)
    )
    labels = "".join(
        f'<text x="{left + part * width:.0f}" y="{height + 38}" text-anchor="middle">{part * last:,.0f}</text>'
        for part in (0, 0.25, 0.5, 0.75, 1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 80}" height="{height + 64}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>{lines}{labels}'
        f'<text x="{left + width / 2}" y="{height + 56}" text-anchor="middle">steps: mean score of {task}</text>'
        f'<polyline points="{points}" fill="none" stroke="#2962a8" stroke-width="2"/></svg>\n'
    )


def main() -> None:
    """Learns, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task")
    parser.add_argument("steps", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", help="the file of the picture")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    envs = VecNormalize(DummyVecEnv([lambda: make(arguments.task, arguments.seed)]), norm_reward=False)
    model = MaskablePPO(
        "MlpPolicy", envs, seed=arguments.seed, learning_rate=1e-3, n_steps=512, batch_size=128, ent_coef=0.005
    )
    scores = Scores()
    model.learn(arguments.steps, callback=scores)
    envs.close()
    rows = []
    for part in np.array_split(np.arange(1, model.num_timesteps + 1), 20):
        ended = [it for it in scores.ended if part[0] <= it[0] <= part[-1]]
        if ended:
            rows.append((int(part[-1]), np.mean([it[1] for it in ended]), np.mean([it[2] for it in ended])))
            print(f"{rows[-1][0]:>8} steps: score {rows[-1][1]:.2f}, solved {rows[-1][2]:.0%} of {len(ended)} tasks")
    if arguments.curve:
        with open(arguments.curve, "w", encoding="utf-8") as file:
            file.write(curve(rows, arguments.task))


if __name__ == "__main__":
    main()
