"""The movement of tees and the maps, compared with the real servers."""

import shutil
import subprocess
from pathlib import Path

import gamewire
from program import LIMIT
from runner import long
from servers import COMPARED_DDNET, COMPARED_TEEWORLDS, Server, data_folder

# Players, seconds, and the tee-ticks that must be compared: a busy machine leaves some snapshots out.
PLAYERS, SECONDS = 12, 60
MIN_COMPARED = PLAYERS * SECONDS * 10


def run(example: str, *arguments: object) -> str:
    """Runs an example to its end and returns its output."""
    limit = LIMIT + 2 * SECONDS
    ended = subprocess.run(
        [gamewire.EXAMPLES / example, *map(str, arguments)], capture_output=True, text=True, timeout=limit, check=False
    )
    assert ended.returncode == 0, f"{example}: {ended.stdout[-2000:]} {ended.stderr[-2000:]}"
    return ended.stdout


def compare(server: Server, capture: Path, world: Path, rules: str) -> None:
    """Records players on a server, and compares each tee with the computed one."""
    run("tee_record", f"127.0.0.1:{server.port}", capture, PLAYERS, SECONDS, 1)
    words = run("tee_check", capture, world, rules).splitlines()[-1].split()
    assert words[::2] == ["compared", "differing", "apart"] and words[3] == "0", words
    # A busy machine makes more inputs late, whose tick is not known, but not most.
    assert int(words[1]) > max(MIN_COMPARED, int(words[5])), words


def compare_with_history(folder: Path, name: str, world: Path) -> None:
    """Compares players on DDNet-Server 20.1, which records their inputs with the ticks at which they act."""
    server = Server("ddnet-20", **COMPARED_DDNET, sv_map=name, sv_tee_historian="1")
    maps = server.folder / ".local/share/ddnet/maps"
    maps.mkdir(parents=True)
    shutil.copy(world, maps / f"{name}.map")
    capture = folder / "game.pcapng"
    with server:
        run("tee_record", f"127.0.0.1:{server.port}", capture, PLAYERS, SECONDS, 1)
        server.end()
        [history] = server.folder.rglob("*.teehistorian")
        for arguments in (capture, world, "ddnet-20", history), (history, world):
            words = run("tee_check", *arguments).splitlines()[-1].split()
            assert words[::2] == ["compared", "differing", "apart"] and words[3] == "0", words
            assert int(words[1]) > max(MIN_COMPARED, 9 * int(words[5])), words


def move_as_on_teeworlds(folder: str) -> None:
    """Twelve players with random inputs on dm2 of teeworlds-server 0.7.5: no tee differs."""
    world = data_folder("teeworlds") / "maps/dm2.map"
    with Server("teeworlds", sv_map="dm2", **COMPARED_TEEWORLDS) as server:
        compare(server, Path(folder) / "game.pcapng", world, "0.7.5")


def move_as_on_ddnet(folder: str) -> None:
    """Twelve players with random inputs on Sunny Side Up of DDNet-Server 20.1: no tee differs."""
    compare_with_history(Path(folder), "Sunny Side Up", data_folder("ddnet-20") / "maps/Sunny Side Up.map")


def push_each_other_as_on_ddnet(folder: str) -> None:
    """Twelve players in a room of 8 x 3 tiles of DDNet-Server 20.1: no tee differs."""
    world = Path(folder) / "narrow.map"
    run("tile_room", world, "narrow")
    compare_with_history(Path(folder), "narrow", world)


@long
def move_as_on_ddnet_16(folder: str) -> None:
    """Twelve players with random inputs on Tutorial of DDNet-Server 16.4: no tee differs."""
    world = data_folder("ddnet") / "maps/Tutorial.map"
    with Server("ddnet", sv_map="Tutorial", **COMPARED_DDNET) as server:
        compare(server, Path(folder) / "game.pcapng", world, "ddnet-16")


def every_map_comes_back() -> None:
    """All maps of the packages are read, and written with the same bytes."""
    maps = [path for kind in ("teeworlds", "ddnet", "ddnet-20") for path in data_folder(kind).rglob("*.map")]
    counts = run("map_check", *maps).splitlines()[-1].split()
    assert counts[:6] == ["read", str(len(maps)), "identical", str(len(maps)), "rejected", "0,"] and len(maps) > 40, counts
