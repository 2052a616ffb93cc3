"""Freeciv: players and agents on unmodified servers of 3.0, 3.1 and 3.2.

    from gamewire.freeciv import LocalServer, Player

    with LocalServer(seed=7, size=1) as server, Player(server, "bot", start=True) as player:
        player.wait_for_turn()
        for unit in player.world.my_units:
            actions = player.legal_actions(unit["id"], unit["tile"])
            if any(action["action"] == "found city" for action in actions):
                print(player.found_city(unit["id"]))
                break
        player.next_turn()
"""

from gamewire._native import ClosedError, Error
from gamewire.freeciv._async_player import AsyncPlayer
from gamewire.freeciv._observation import Observation
from gamewire.freeciv._player import Player
from gamewire.freeciv._reply import CommandError, GameEnded, Reply
from gamewire.freeciv._server import LocalServer
from gamewire.freeciv._world import World

__all__ = [
    "AsyncPlayer",
    "ClosedError",
    "CommandError",
    "Error",
    "GameEnded",
    "LocalServer",
    "Observation",
    "Player",
    "Reply",
    "World",
]


def __getattr__(name: str):
    """Imports the environments, which need gymnasium, when a program uses one."""
    if name in ("Env", "aec_env", "parallel_env"):
        from gamewire.freeciv import env

        return getattr(env, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
