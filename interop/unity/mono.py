"""Builds the package and its tests with mono's compiler against the stand-in for Riptide, and runs them.

With the variable GAMEWIRE_RIPTIDE_DLL they are built against that library: Riptide itself, which no package has and which is
built by hand from its sources (see riptide/csharp/stalls.py).
"""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
import textwrap
import threading
from pathlib import Path

import program
from runner import Skipped

ROOT = Path(__file__).resolve().parent.parent.parent
STAND_IN = ROOT / "interop/unity/standin"
BUILDING = threading.Lock()


def compile_to(output: Path, sources: list[Path], *references: Path | str) -> None:
    """Compiles all sources of the folders."""
    kind = "exe" if output.suffix == ".exe" else "library"
    options = [f"-target:{kind}", "-langversion:7", "-warnaserror", f"-out:{output}", *(f"-recurse:{folder}/*.cs" for folder in sources)]
    command = ["mcs", *options, *(f"-r:{reference}" for reference in references)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=program.LIMIT)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@functools.cache
def build_once() -> Path:
    """Builds the tests and returns their program."""
    folder = Path(tempfile.mkdtemp(prefix="gamewire-unity-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    riptide, package, tests = folder / "Riptide.dll", folder / "Gamewire.Riptide.dll", folder / "Gamewire.Riptide.Tests.exe"
    library = os.environ.get("GAMEWIRE_RIPTIDE_DLL")
    if library:
        # The name of the assembly is that of its file.
        riptide = folder / Path(library).name
        shutil.copy(library, riptide)
    else:
        compile_to(riptide, [STAND_IN])
    compile_to(package, [ROOT / "unity/Runtime"], riptide)
    compile_to(tests, [ROOT / "unity/Tests/Runtime"], riptide, package)
    compile_to(folder / "Player.exe", [ROOT / "interop/unity/player"], riptide, package)
    rooms = [ROOT / "unity/Samples~/Rooms", ROOT / "interop/unity/rooms"]
    compile_to(folder / "Rooms.exe", rooms, riptide, package)
    return tests


def tests() -> Path:
    """Returns the program of the tests."""
    if not shutil.which("mcs") or not shutil.which("mono"):
        raise Skipped("no mono; install mono-mcs and mono-runtime")
    with BUILDING:
        return build_once()


def riptide() -> Path:
    """Returns the library of the stand-in, or Riptide itself."""
    return next(tests().parent.glob("Riptide*.dll"))


def player() -> Path:
    """Returns the program of a player."""
    return tests().with_name("Player.exe")


def rooms() -> Path:
    """Returns the program of a player in a room."""
    return tests().with_name("Rooms.exe")


def run(*arguments: str) -> str:
    """Runs tests, and returns what they print."""
    command = ["mono", str(tests()), *arguments]
    environment = {**os.environ, "GAMEWIRE_VECTORS": str(ROOT / "vectors/records")}
    ended = subprocess.run(command, capture_output=True, text=True, timeout=program.LIMIT, env=environment)
    # Its lines must not look like lines of this program, whose tests xtask counts.
    assert ended.returncode == 0, textwrap.indent(ended.stdout + ended.stderr, "    ")
    return ended.stdout
