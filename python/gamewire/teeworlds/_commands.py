"""The world and the commands of both kinds of players."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gamewire import _address, _native

DEFAULT_PORT = 8303
WEAPONS = {"hammer": 1, "pistol": 2, "shotgun": 3, "grenade": 4, "rifle": 5}
MIN_STAY = 1.0
"""Seconds between joining and leaving, at least. A server of Teeworlds 0.7 bans the address of a client for a minute if it
leaves within a second after its request for a connection."""


def connect(server: _address.Address, name: str, options: dict[str, Any]) -> _native.TeeworldsPlayer:
    """Begins to join a server."""
    host, port = _address.parse(server, DEFAULT_PORT)
    return _native.TeeworldsPlayer(f"[{host}]:{port}" if ":" in host else f"{host}:{port}", name, **options)


class World:
    """The game at one tick, as the server shows it to the player. Every call reads the last snapshot.

    Coordinates are in 32nds of a tile, to the right and downwards from the corner of the map. Arrays have one dimension,
    the type int32 and an element for each row.
    """

    def __init__(self, native: _native.TeeworldsPlayer):
        self._native = native

    @property
    def tick(self) -> int:
        """The tick, of 50 a second."""
        return self._native.game()["tick"]

    @property
    def game(self) -> dict[str, Any]:
        """`tick`, `start_tick`, `end_tick`, `is_over`, `is_sudden_death`, `is_paused`, `is_warmup` and `team_scores` (red
        and blue, or `None`)."""
        return self._native.game()

    @property
    def players(self) -> list[dict[str, Any]]:
        """The players: `id`, `name`, `clan`, `country`, `local` (the own one), `team` (`red`, `blue` or `spectators`),
        `score` and `latency` in milliseconds."""
        return self._native.players()

    @property
    def characters(self) -> dict[str, np.ndarray]:
        """The visible characters at the tick of the snapshot by column: `id` of the player, `tick`, `x`, `y`, `vel_x`,
        `vel_y` (in 256ths of a coordinate for each tick), `angle` (in 256ths of a radian), `direction` (-1, 0, 1),
        `jumped`, `health`, `armor`, `ammo`, `weapon`, `emote`, `attack_tick`, `hook_state`, `hook_player` (-1 for none),
        `hook_x`, `hook_y` and `hook_tick`.

        A server sends a character again only when a client cannot compute it, so this computes it from the last one that
        was sent. Without a map (`has_map`), characters do not collide with it.
        """
        return self._native.table("characters")

    @property
    def predicted(self) -> dict[str, np.ndarray]:
        """The characters at the tick at which the server will use an input that is sent now: the own one by the inputs
        that were sent, the others without input. The columns are those of `characters`."""
        return self._native.table("predicted")

    @property
    def received(self) -> dict[str, np.ndarray]:
        """The characters as the server sent them. `tick` is that of the other columns, up to 150 ticks before the tick of
        the snapshot. The columns are those of `characters`."""
        return self._native.table("received")

    @property
    def has_map(self) -> bool:
        """True if the map is known. It is known after joining, unless the server has no map."""
        return self._native.has_map

    def ray(self, start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float] | None:
        """Returns the first solid position between two positions; `None` if there is none, or no map."""
        return self._native.ray(start, end)

    @property
    def projectiles(self) -> dict[str, np.ndarray]:
        """The visible projectiles by column: `id`, `x`, `y` at the start, the direction `vel_x`, `vel_y` in 100ths,
        `weapon`, `start_tick` and `owner` (-1 if it is not known)."""
        return self._native.table("projectiles")

    @property
    def pickups(self) -> dict[str, np.ndarray]:
        """The visible pickups by column: `id`, `x`, `y` and `kind`: 0 health, 1 armor, 2 hammer, 3 pistol, 4 shotgun,
        5 grenade, 6 rifle, 7 ninja."""
        return self._native.table("pickups")

    @property
    def player_table(self) -> dict[str, np.ndarray]:
        """The players by column: `id`, `local`, `team` (-1 spectators, 0 red, 1 blue), `score`, `latency`, `country`."""
        return self._native.table("players")


class Commands:
    """The commands of a player. They are sent immediately."""

    _native: _native.TeeworldsPlayer

    def __init__(self) -> None:
        self._fire = 0
        self._joined = time.monotonic()

    def _note_joined(self) -> None:
        """Notes the time at which the player has joined."""
        self._joined = time.monotonic()

    def _stay(self) -> float:
        """Returns the number of seconds that the player has to stay."""
        return max(0.0, self._joined + MIN_STAY - time.monotonic()) if self._native.dialect == "tw-0.7" else 0.0

    @property
    def id(self) -> int | None:
        """The id of the player; `None` before it is in the game."""
        return self._native.id

    @property
    def dialect(self) -> str | None:
        """The dialect: `tw-0.6`, `tw-0.6.5`, `tw-0.6-tken` or `tw-0.7`."""
        return self._native.dialect

    def say(self, text: str, *, team: bool = False, to: int | None = None) -> None:
        """Sends a line of chat to all, to the own team, or to a player by id (0.7). One line a second is sent; more wait."""
        self._native.say(text, team, to)

    def set_input(
        self,
        direction: int = 0,
        aim: tuple[int, int] = (0, -1),
        *,
        jump: bool = False,
        fire: bool = False,
        hook: bool = False,
        weapon: str | None = None,
        next_weapon: int = 0,
        previous_weapon: int = 0,
    ) -> None:
        """Sets the keys that are pressed until the next call.

        `direction`: -1 for left, 0 for none, 1 for right. `aim`: to the right of the character and below it, in 32nds of
        a tile. `weapon`: hammer, pistol, shotgun, grenade or rifle. `next_weapon`, `previous_weapon`: number of presses so
        far. Raises `ValueError` for an unknown weapon.
        """
        if fire != bool(self._fire % 2):
            # The server counts presses and releases.
            self._fire += 1
        if weapon is not None and weapon not in WEAPONS:
            raise ValueError(f"unknown weapon {weapon!r}: use one of {', '.join(WEAPONS)}")
        wanted = 0 if weapon is None else WEAPONS[weapon]
        x, y = aim
        self._native.set_input(
            direction, int(x), int(y), jump, self._fire, hook, wanted, next_weapon, previous_weapon
        )

    def emoticon(self, name: str) -> None:
        """Shows an emoticon: oop, exclamation, hearts, drop, dotdot, music, sorry, ghost, sushi, splattee, deviltee,
        zomg, zzz, wtf, eyes or question."""
        self._native.emoticon(name)

    def set_team(self, team: str) -> None:
        """Asks for another team: spectators, red or blue."""
        self._native.set_team(team)

    def spectate(self, player: int | None = None) -> None:
        """Spectates a player, or no player in particular."""
        self._native.spectate(player)

    def vote(self, yes: bool) -> None:
        """Votes."""
        self._native.vote(yes)

    def call_vote(self, kind: str, value: str, reason: str = "") -> None:
        """Starts a vote: `kick` or `spectate` with the id of a player, or `option` with its text."""
        self._native.call_vote(kind, value, reason)

    def rcon_login(self, password: str) -> None:
        """Logs in to the remote console. The event `rcon_auth` follows."""
        self._native.rcon_login(password)

    def rcon(self, line: str) -> None:
        """Runs a line in the remote console, after a login. Events `rcon_line` follow."""
        self._native.rcon(line)

    def kill(self) -> None:
        """Kills the own character."""
        self._native.kill()
