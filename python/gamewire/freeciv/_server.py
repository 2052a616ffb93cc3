"""A freeciv-server that belongs to the program."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from gamewire import _native


class LocalServer:
    """A freeciv-server on this machine, which listens on a free port of 127.0.0.1.

    It ends at the end of a `with` block, with `close()`, and when the program ends in whatever way. Its folder is
    removed then. Where the program runs as root, the server runs as another user, because it refuses root.
    """

    def __init__(
        self,
        *,
        program: str | os.PathLike[str] | None = None,
        ruleset: str | None = None,
        load: str | os.PathLike[str] | None = None,
        seed: int | None = None,
        map_seed: int | None = None,
        game_seed: int | None = None,
        size: int | None = None,
        ai_fill: int | None = None,
        ai_level: str | None = None,
        end_turn: int | None = None,
        turn_seconds: int = 0,
        settings: Mapping[str, object] | None = None,
        start_timeout: float = 30.0,
        parent_folder: str | os.PathLike[str] | None = None,
    ):
        """Starts a server and waits until it accepts connections.

        `program`: the file of the server; by default it is searched for on PATH and in /usr/games. `ruleset`: such as
        `classic` or `civ2civ3`. `load`: a saved game or a scenario. `seed`: both `map_seed` and `game_seed`. `size`: of
        the map in 1,000 tiles. `ai_fill`: number of players, those that are missing being played by the server's AI of
        the level `ai_level`, such as `novice`. `end_turn`: the last turn. `turn_seconds`: length of a turn, 0 for no
        limit. `settings`: further settings of the server by name. `parent_folder`: where its folder is created.

        Raises `FileNotFoundError` if there is no server program or saved game, `Error` if the server cannot be started,
        and `ValueError` for a setting with a line break, or that the server rejects.
        """
        self._native = _native.LocalServer(
            program=program,
            ruleset=ruleset,
            load=load,
            map_seed=seed if map_seed is None else map_seed,
            game_seed=seed if game_seed is None else game_seed,
            size=size,
            ai_fill=ai_fill,
            ai_level=ai_level,
            end_turn=end_turn,
            turn_seconds=turn_seconds,
            settings=[(name, str(value)) for name, value in (settings or {}).items()],
            start_timeout=start_timeout,
            parent_folder=parent_folder,
        )

    @property
    def host(self) -> str:
        """The address, 127.0.0.1."""
        return self._native.host

    @property
    def port(self) -> int:
        """The TCP port."""
        return self._native.port

    @property
    def folder(self) -> Path:
        """The folder of the server: its saved games are in `saves`, its output is in `output.log`."""
        return self._native.folder

    @property
    def has_ended(self) -> bool:
        """True if the server has ended."""
        return self._native.has_ended()

    @property
    def last_lines(self) -> str:
        """The end of the server's output."""
        return self._native.last_lines()

    def close(self) -> None:
        """Ends the server and removes its folder. A second call does nothing."""
        self._native.close()

    def __enter__(self) -> LocalServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<LocalServer {self.host}:{self.port}>"
