"""Compares millions of tee-ticks with a real server: games of 16 players with random inputs on many maps, each recorded by
`tee_record`, compared by `tee_check` and deleted if no tee differs. DDNet 20 also records the inputs itself.

Each game is a line of the results file, so that a run that was stopped continues where it ended. The last lines are the
counts by map and by cause.
"""

import argparse
import collections
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent / "live")]

from servers import COMPARED_DDNET, COMPARED_TEEWORLDS, Server, data_folder  # noqa: E402

SETTINGS = {"teeworlds": COMPARED_TEEWORLDS, "ddnet": COMPARED_DDNET, "ddnet-20": COMPARED_DDNET}
RULES = {"teeworlds": "0.7.5", "ddnet": "ddnet-16", "ddnet-20": "ddnet-20"}
# Every fourth game of DDNet is on a map with tiles of each kind, each time another one.
DDNET_MAPS = ["Sunny Side Up", "Tutorial", "Gold Mine", "room", "LearnToPlay", "Tsunami", "dm1", "room"]
MAPS = {
    "teeworlds": ["dm1", "dm2", "dm3", "dm6", "dm7", "dm8", "dm9", "lms1"],
    "ddnet": DDNET_MAPS,
    "ddnet-20": DDNET_MAPS,
}
PLAYERS = 16
# Attempts to start and record a game before the run gives up.
MAX_FAILURES = 20


def play(options: argparse.Namespace, number: int, folder: Path) -> dict[str, object]:
    """Records a game and compares it. Returns its line of the results."""
    maps = MAPS[options.server]
    name = maps[number % len(maps)]
    server = Server(options.server, **SETTINGS[options.server], sv_map=name)
    records_inputs = options.server == "ddnet-20"
    if records_inputs:
        server.settings["sv_tee_historian"] = "1"
    world = data_folder(options.server) / f"maps/{name}.map"
    if name == "room":
        world = server.folder / ".local/share/ddnet/maps/room.map"
        world.parent.mkdir(parents=True)
        subprocess.run([options.examples / "tile_room", world, str(number)], check=True)
    capture = folder / f"{options.server}-{number}.pcapng"
    with server:
        record = ["tee_record", f"127.0.0.1:{server.port}", capture, PLAYERS, options.seconds, number]
        command = [str(options.examples / record[0]), *map(str, record[1:])]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=options.seconds + 120)
        command = [str(options.examples / "tee_check"), str(capture), str(world), RULES[options.server]]
        if records_inputs:
            server.end()
            [history] = server.folder.rglob("*.teehistorian")
            command.append(str(history))
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
        words = lines[-1].split()
        assert words[::2] == ["compared", "differing", "apart"], lines
        compared, differing, apart = map(int, words[1::2])
        if differing:
            kept = Path(options.results).resolve().parent
            shutil.move(capture, kept / capture.name)
            if records_inputs:
                shutil.copy(history, kept / f"{capture.stem}.teehistorian")
            if name == "room":
                shutil.copy(world, kept / f"{capture.stem}.map")
        else:
            capture.unlink()
    causes = {match[2]: int(match[1]) for line in lines if (match := re.match(r"apart: (\d+) (.*)", line))}
    rules = {match[1]: int(match[2]) for line in lines if (match := re.match(r"([a-z_ ]+): (\d+) differ;", line))}
    counts = {"compared": compared, "differing": differing, "apart": apart}
    return {"game": number, "map": name, **counts, "causes": causes, "rules": rules}


class Results:
    """The lines of all games, and the next game to play."""

    def __init__(self, file: Path, target: int) -> None:
        self.file, self.target = file, target
        self.games = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        self.number = max((game["game"] for game in self.games), default=0)
        self.failures = 0
        self.lock = threading.Lock()

    def next(self) -> int:
        """Returns the number of the next game, or 0 if enough are played."""
        with self.lock:
            if sum(game["compared"] for game in self.games) >= self.target or self.failures >= MAX_FAILURES:
                return 0
            self.number += 1
            return self.number

    def add(self, game: dict[str, object]) -> None:
        """Appends a game to the file."""
        with self.lock, open(self.file, "a") as file:
            self.games.append(game)
            file.write(json.dumps(game) + "\n")
            print(json.dumps(game), flush=True)

    def fail(self, error: Exception) -> None:
        """Counts a game that could not be recorded."""
        with self.lock:
            self.failures += 1
            print(f"no game: {error}", file=sys.stderr, flush=True)

    def show(self) -> None:
        """Prints the counts by map and by cause."""
        names = "compared", "differing", "apart"
        for title, key in ("rule", "rules"), ("cause", "causes"):
            counter = collections.Counter[str]()
            for game in self.games:
                counter.update(game[key])
            for name, count in counter.most_common():
                print(f"{title} {name}: {count}")
        for name in sorted({game["map"] for game in self.games}):
            games = [game for game in self.games if game["map"] == name]
            print(f"map {name}: {len(games)} games", *(f"{key} {sum(game[key] for game in games)}" for key in names))
        print(*(f"{key} {sum(game[key] for game in self.games)}" for key in names))


def work(options: argparse.Namespace, results: Results) -> None:
    """Plays games until there are enough."""
    while number := results.next():
        with tempfile.TemporaryDirectory(prefix="gamewire-tees-") as folder:
            try:
                results.add(play(options, number, Path(folder)))
            except (AssertionError, OSError, subprocess.SubprocessError) as error:
                results.fail(error)


def main() -> int:
    """Plays games on several servers at the same time. Returns 1 if a tee differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server", choices=sorted(RULES), help="the real server")
    parser.add_argument("--examples", type=Path, default=Path("target/release/examples"), help="folder of the programs")
    parser.add_argument("--results", type=Path, required=True, help="file of the counts; it is continued")
    parser.add_argument("--target", type=int, default=10_000_000, help="tee-ticks to compare, those of the file included")
    parser.add_argument("--servers", type=int, default=8, help="servers that run at the same time")
    parser.add_argument("--seconds", type=int, default=120, help="seconds of a game")
    options = parser.parse_args()
    options.examples = options.examples.resolve()
    results = Results(options.results, options.target)
    threads = [threading.Thread(target=work, args=(options, results)) for _ in range(options.servers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.show()
    return 1 if any(game["differing"] for game in results.games) or results.failures >= MAX_FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
