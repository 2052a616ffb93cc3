"""Environments for learners: Gymnasium and PettingZoo on unmodified freeciv-servers.

    import gymnasium
    import gamewire.freeciv.env

    env = gymnasium.make("gamewire/Freeciv-v0")
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

Importing this package registers the ids `gamewire/Freeciv-v0` and one for each of `TASKS`. It needs gymnasium:
`pip install pygamewire[gymnasium]`; `parallel_env` and `aec_env` need PettingZoo: `pip install pygamewire[pettingzoo]`.
"""

from __future__ import annotations

from typing import Any

try:
    import gymnasium as _gymnasium
except ImportError as error:
    raise ImportError("gamewire.freeciv.env needs gymnasium: pip install pygamewire[gymnasium]") from error

from gamewire.freeciv._observation import Observation
from gamewire.freeciv.env._env import Env
from gamewire.freeciv.env._game import Game, GameConfig
from gamewire.freeciv.env._layout import Layout
from gamewire.freeciv.env._render import picture, text_map
from gamewire.freeciv.env._reward import Difference, score
from gamewire.freeciv.env._scripted import scripted
from gamewire.freeciv.env._tasks import TASKS, Task

__all__ = [
    "TASKS",
    "Difference",
    "Env",
    "Game",
    "GameConfig",
    "Layout",
    "Observation",
    "Task",
    "aec_env",
    "parallel_env",
    "picture",
    "score",
    "scripted",
    "text_map",
]


def parallel_env(**config: Any):
    """Returns an environment of PettingZoo in which several learners act at the same time: see `ParallelEnv`."""
    return _pettingzoo().ParallelEnv(**config)


def aec_env(**config: Any):
    """Returns an environment of PettingZoo in which several learners act one after the other: see `AecEnv`."""
    return _pettingzoo().AecEnv(**config)


def _pettingzoo() -> Any:
    try:
        import pettingzoo  # noqa: F401
    except ImportError as error:
        raise ImportError("this needs PettingZoo: pip install pygamewire[pettingzoo]") from error
    from gamewire.freeciv.env import _multi

    return _multi


def _register() -> None:
    for task in (None, *TASKS):
        name = "Freeciv" if task is None else "Freeciv" + "".join(word.title() for word in task.split("_"))
        kwargs = {} if task is None else {"task": task}
        if (id := f"gamewire/{name}-v0") not in _gymnasium.registry:
            _gymnasium.register(id=id, entry_point="gamewire.freeciv.env:Env", kwargs=kwargs)


_register()
