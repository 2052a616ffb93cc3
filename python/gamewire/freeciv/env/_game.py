"""A game on a separate server, with one or several players of the program."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gamewire import _address
from gamewire._native import ClosedError, Error
from gamewire.freeciv._player import Player
from gamewire.freeciv._server import LocalServer

PATIENCE = {"pingtime": 1800, "pingtimeout": 1800}
"""Settings of the server: it does not disconnect a player that sends nothing for up to half an hour."""
MAX_SEED = 2**31 - 1
MAX_ATTEMPTS = 10
"""Number of seeds that `reset` tries. The server finds no map for some of them."""
LOST = (ClosedError, TimeoutError, OSError)
"""The errors that end an episode because of the server."""


@dataclass(frozen=True)
class GameConfig:
    """The settings with which a game starts."""

    program: str | os.PathLike[str] | None = None
    """The file of the server; by default it is searched for."""
    address: _address.Address | None = None
    """A server that runs already, such as one on which people play; by default, each game starts a new server."""
    ruleset: str | None = None
    size: int = 1
    """Size of the map in 1,000 tiles."""
    opponents: int = 1
    """Number of players of the server's AI."""
    ai_level: str = "novice"
    settings: Mapping[str, object] = field(default_factory=dict)
    """Further settings of the server by name."""
    load: str | os.PathLike[str] | None = None
    """A saved game or a scenario."""
    take: Sequence[str] = ()
    """Names of existing players of the loaded game, to play them."""
    commands: Sequence[str] = ()
    """Commands of the server that are executed, with all rights, after the first turn has begun."""
    reply_timeout: float = 60.0
    """Maximum seconds for a player to join, for the first turn to begin, and for the server to reply to an action."""
    turn_timeout: float = 300.0
    """Maximum seconds until the next turn begins. The other players and the server's AI move meanwhile."""


class Game:
    """A server and its players, from the first turn on."""

    def __init__(self, config: GameConfig, seats: int, map_seed: int, game_seed: int):
        """Starts a game of `seats` players. Raises what `LocalServer` and `Player` raise."""
        self.server: LocalServer | None = None
        self.players: list[Player] = []
        try:
            self._start(config, seats, map_seed, game_seed)
        except BaseException:
            self.close()
            raise

    def _start(self, config: GameConfig, seats: int, map_seed: int, game_seed: int) -> None:
        if config.address is None:
            is_new = config.load is None
            self.server = LocalServer(
                program=config.program,
                ruleset=config.ruleset,
                load=config.load,
                map_seed=map_seed if is_new else None,
                game_seed=game_seed,
                size=config.size if is_new else None,
                ai_fill=seats + config.opponents if is_new else None,
                ai_level=config.ai_level,
                settings={**PATIENCE, **config.settings},
            )
        address = self.server or config.address
        for number in range(seats):
            take = config.take[number] if number < len(config.take) else None
            timeout = config.reply_timeout
            self.players.append(Player(address, f"player_{number}", take=take, timeout=timeout, changes=False))
        if config.take and self.server is not None:
            self._leave_others_to_ai()
        has_started = self.players[0].world.game["state"] == "running"
        if not has_started:
            for player in self.players:
                player.start()
            for player in self.players:
                player.wait_for_turn(config.reply_timeout)
        if config.commands:
            self.execute(config.commands)

    def _leave_others_to_ai(self) -> None:
        """Lets the server's AI play the human players without a client. Turns would not end otherwise."""
        names = [
            player["name"] for player in self.players[0].world.players if not (player["is_ai"] or player["is_connected"])
        ]
        self.execute([f'/aitoggle "{name}"' for name in names])

    def execute(self, commands: Sequence[str]) -> str:
        """Executes commands of the server with all rights, and returns its answers."""
        if self.server is None:
            raise Error("the commands need a server of this program")
        player = self.players[0]
        if player.request_rights(self.server) != "hack":
            raise Error("the server gave no rights for its commands")
        return "\n".join(player.say(command).text or "" for command in commands)

    @property
    def has_server_ended(self) -> bool:
        """True if the server of this program has ended."""
        return self.server is not None and self.server.has_ended

    def close(self) -> None:
        """Leaves, and ends the server. A second call does nothing."""
        for player in self.players:
            player.close()
        self.players = []
        if self.server is not None:
            self.server.close()
            self.server = None


def begin_game(random: np.random.Generator, begin: Callable[[int, int], None], leave: Callable[[], None]) -> None:
    """Calls `begin(map_seed, game_seed)` with random seeds until it begins a game, and `leave()` before each attempt and
    after a failed one. Raises `FileNotFoundError` without a server, and `Error` if no seed works.
    """
    failure: Exception | None = None
    for _ in range(MAX_ATTEMPTS):
        map_seed, game_seed = random.integers(1, MAX_SEED, 2).tolist()
        leave()
        try:
            begin(map_seed, game_seed)
        except FileNotFoundError:
            leave()
            raise
        except (Error, *LOST) as error:
            failure = error
            leave()
            continue
        return
    raise Error(f"cannot start a game: {failure}") from failure


def reset_config(config: GameConfig, options: Mapping[str, Any] | None) -> GameConfig:
    """Returns the configuration of a game with the options of `reset`. Options that it does not know are ignored."""
    known = {key: (options or {})[key] for key in ("load", "take", "settings", "commands") if key in (options or {})}
    if isinstance(known.get("take"), str):
        known["take"] = (known["take"],)
    if "settings" in known:
        known["settings"] = {**config.settings, **known["settings"]}
    return replace(config, **known)
