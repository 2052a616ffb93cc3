"""`gamewire play` with a freeciv-server of its own, of each version."""

import os
import shlex
import tempfile
import time
from pathlib import Path
from typing import Optional

import suites
from play import Play
from program import LIMIT
from server import PROGRAM, SUITES

# A small map with players of the server's AI. A saved game is text.
GAME = ("--map-seed", "7", "--game-seed", "7", "--size", "1", "--ai-fill", "3")
PLAIN = ("--set", "compresstype=PLAIN", "--set", "saveturns=1")


class OwnServer:
    """A folder for one `play --start-server`, which runs for the duration of a `with` block."""

    def __init__(self, version: str, *options: str, starts: bool = True) -> None:
        self.version = version
        self.options = options
        self.starts = starts
        self.play: Optional[Play] = None

    def __enter__(self) -> "OwnServer":
        # The server may run as another user.
        self.folder = tempfile.TemporaryDirectory(prefix="gamewire-own-server-")
        path = Path(self.folder.name)
        path.chmod(0o777)
        environment = {"TMPDIR": str(path)}
        program = [PROGRAM]
        if suite := SUITES.get(self.version):
            program = suites.program(suite, "freeciv-server")
            environment["FREECIV_DATA_PATH"] = str(suites.ROOTS / suite / "usr/share/games/freeciv")
        script = path / "freeciv-server"
        script.write_text(f'#!/bin/sh\nexec {shlex.join(program)} "$@"\n')
        script.chmod(0o755)
        options = ["--start-server", "--server-program", str(script), *self.options]
        self.play = Play(None, *options, starts=self.starts, environment=os.environ | environment)
        return self

    def __exit__(self, *_: object) -> None:
        if self.play is not None:
            self.play.process.kill()
            self.play.process.communicate()
            self.wait_until_removed()
        self.folder.cleanup()

    def saved(self, turn: int) -> str:
        """Returns the game that the server saved at the start of a turn."""
        pattern = f"*/saves/*-T{turn:04}-*-auto.sav"
        end = time.monotonic() + LIMIT
        while not (paths := list(Path(self.folder.name).glob(pattern))) and time.monotonic() < end:
            time.sleep(0.01)
        assert paths, list(Path(self.folder.name).glob("*/saves/*"))
        # The server takes the next packet after it has written the file.
        assert self.play is not None
        self.play.do("say", text="/show size")
        return paths[0].read_text()

    def wait_until_removed(self) -> None:
        """Waits until the command has ended its server and removed the folder of it."""
        end = time.monotonic() + LIMIT
        while (left := list(Path(self.folder.name).glob("gamewire-freeciv-*"))) and time.monotonic() < end:
            time.sleep(0.05)
        assert not left, left
