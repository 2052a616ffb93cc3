"""Teeworlds and DDNet: players, and the information of servers.

    from gamewire.teeworlds import Player, info

    print(info("127.0.0.1:8303")["name"])
    with Player.join("127.0.0.1:8303", "bot") as player:
        player.say("hello")
        player.set_input(direction=1, jump=True)
        print(player.world.characters["x"])
"""

from gamewire._native import ClosedError, Error
from gamewire.teeworlds._async_player import AsyncPlayer
from gamewire.teeworlds._commands import World
from gamewire.teeworlds._info import info
from gamewire.teeworlds._player import Player

__all__ = ["AsyncPlayer", "ClosedError", "Error", "Player", "World", "info"]
