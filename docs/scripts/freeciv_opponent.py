"""Plays games of the scripted opponent against the AI of freeciv-server, and prints a table of the scores.

    cargo build --release --all-features -p gamewire --example freeciv_opponent
    python docs/scripts/freeciv_opponent.py --results games.jsonl --levels novice easy --seeds 201 220 -- freeciv-server
    python docs/scripts/freeciv_opponent.py --results games.jsonl --plot scores.svg

Each game is one line of the results. Games that the results contain are not played again, so an interrupted run goes on
where it was. Without a server, nothing is played.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "target/release/examples/freeciv_opponent"
SETUP = """{level}
set aifill 2
set minplayers 0
set size 2
set timeout 0
set saveturns 0
set mapseed {seed}
set gameseed {seed}
set endturn {turns}
{map}
"""
# Without it, the default ruleset computes the size of the map from the number of players, and ignores the size.
FULL_SIZE = "set mapsize FULLSIZE"
WIDTH, HEIGHT, MARGIN = 640, 320, 40
# Seconds for one game, in case it hangs.
LIMIT = 3600


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def play(options, level, seed):
    """Plays one game. Returns its line of the results."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        setup, port = Path(folder) / "setup.serv", free_port()
        setup.write_text(SETUP.format(level=level, seed=seed, turns=options.turns, map=FULL_SIZE if options.full_size else ""))
        words = [*options.server, "-p", str(port), "-b", "127.0.0.1", "-A", "none", "-q", "20", "-e", "-r", setup, "-s", folder]
        # The server refuses to run as root.
        words = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", *words] if os.getuid() == 0 else words
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(words, cwd=folder, env={**os.environ, "HOME": folder}, **quiet)
        begin = time.monotonic()
        try:
            while time.monotonic() < begin + 30 and process.poll() is None and not listens(port):
                time.sleep(0.2)
            words = [options.example, f"127.0.0.1:{port}"]
            output = subprocess.run(words, capture_output=True, text=True, check=True, timeout=LIMIT)
        finally:
            process.kill()
            process.wait()
    *turns, end = [json.loads(line) for line in output.stdout.splitlines()]
    return {
        "server": end["server"],
        "level": level,
        "seed": seed,
        "turns": options.turns,
        "ending": end["ending"],
        "last_turn": turns[-1]["turn"],
        "cities": end["cities"],
        "ours": next((player["score"] for player in end["scores"] if player["is_me"]), 0),
        "theirs": max((player["score"] for player in end["scores"] if not player["is_me"]), default=None),
        "by_turn": [[turn["turn"], turn["score"], max(turn["others"], default=None)] for turn in turns],
        "seconds": round(time.monotonic() - begin),
    }


def listens(port):
    """Returns whether a server listens on a port. It looks only, because a connection would be a player's."""
    for name in ("/proc/net/tcp", "/proc/net/tcp6"):
        if f":{port:04X} 00000000" in Path(name).read_text():
            return True
    return False


def play_all(options, version, games):
    """Plays the games that the results do not have."""
    known = {(game["server"], game["level"], game["seed"], game["turns"]) for game in games}
    first, last = options.seeds
    wanted = [(seed, level) for seed in range(first, last + 1) for level in options.levels]
    wanted = [(seed, level) for seed, level in wanted if (version, level, seed, options.turns) not in known]

    def one(pair):
        seed, level = pair
        try:
            game = play(options, level, seed)
        except (subprocess.SubprocessError, OSError, ValueError) as error:
            print(f"{version}, {level}, seed {seed}: {error}", file=sys.stderr, flush=True)
            return
        with options.results.open("a") as results:
            results.write(json.dumps(game) + "\n")
        print(f"{game['server']}, {level}, seed {seed}: {game['ours']} : {game['theirs']}", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, wanted))


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def final(game):
    """Returns both scores. A nation that was destroyed has none."""
    theirs = game["theirs"] if game["theirs"] is not None else game["by_turn"][-1][2]
    return game["ours"], theirs or 0


def is_won(game):
    ours, theirs = final(game)
    return ours > theirs


def table(games):
    """Prints the scores by seed, server and level."""
    columns = sorted({(game["server"], game["level"]) for game in games}, key=lambda column: (column[1] != "novice", column))
    cells = {(game["server"], game["level"], game["seed"]): game for game in games}
    print("| seed |" + "".join(f" {level}, {server} |" for server, level in columns))
    print("|---|" + "---|" * len(columns))
    for seed in sorted({game["seed"] for game in games}):
        found = [cells.get((*column, seed)) for column in columns]
        print(f"| {seed} |" + "".join(f" {cell(game)} |" for game in found))
    counts = []
    for column in columns:
        of = [game for game in games if (game["server"], game["level"]) == column]
        counts.append(f"{sum(map(is_won, of))} of {len(of)}")
    print("| won |" + "".join(f" {count} |" for count in counts))


def cell(game):
    if game is None:
        return ""
    ours, theirs = final(game)
    return f"**{ours}** : {theirs}" if ours > theirs else f"{ours} : {theirs}"


def line(games, index, color, turns, highest):
    """Returns the mean score by turn as a line of SVG."""
    points = []
    for turn in range(1, turns + 1):
        values = [row[index] for game in games for row in game["by_turn"] if row[0] == turn and row[index] is not None]
        if values:
            x = MARGIN + (WIDTH - 2 * MARGIN) * turn / turns
            y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * sum(values) / len(values) / highest
            points.append(f"{x:.1f},{y:.1f}")
    return f'<polyline fill="none" stroke="{color}" stroke-width="2" points="{" ".join(points)}"/>'


def plot(path, games):
    """Writes the mean scores by turn, of each level."""
    turns, highest = max(game["turns"] for game in games), 500
    text = '<text x="{:.0f}" y="{:.0f}" font-family="sans-serif" font-size="12" fill="{}">{}</text>'
    height, width = HEIGHT - 2 * MARGIN, WIDTH - 2 * MARGIN
    marks = [text.format(4, HEIGHT - MARGIN - height * score / highest, "#555", score) for score in range(0, highest + 1, 100)]
    marks += [text.format(MARGIN + width * turn / turns, HEIGHT - 12, "#555", turn) for turn in range(0, turns + 1, 50)]
    colors = {"novice": ("#1f77b4", "#ff9896"), "easy": ("#2ca02c", "#d62728")}
    lines, legend = [], []
    for level in sorted({game["level"] for game in games}, reverse=True):
        of, (ours, theirs) = [game for game in games if game["level"] == level], colors.get(level, ("#000", "#888"))
        lines += [line(of, 1, ours, turns, highest), line(of, 2, theirs, turns, highest)]
        for name, color in ((f"the opponent against {level}", ours), (level, theirs)):
            legend.append(text.format(60, 40 + 18 * len(legend), color, name))
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"><rect width="100%" height="100%" fill="white"/>'
    path.write_text("\n".join([frame, *marks, *legend, *lines, "</svg>\n"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=Path("freeciv-opponent.jsonl"), help="file of the results, one line a game")
    parser.add_argument("--levels", nargs="+", default=["novice", "easy"], help="levels of the server's AI")
    parser.add_argument("--seeds", nargs=2, type=int, default=(101, 120), metavar=("FIRST", "LAST"))
    parser.add_argument("--full-size", action="store_true", help="maps of 2,000 tiles; use another file of results for them")
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time")
    parser.add_argument("--example", type=Path, default=EXAMPLE, help="the program of the opponent")
    parser.add_argument("--plot", type=Path, help="SVG of the mean scores by turn")
    parser.add_argument("server", nargs="*", help="the server and its first arguments")
    options = parser.parse_args()
    if options.server:
        # The server prints its version to standard error.
        printed = subprocess.run([*options.server, "-v"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        version = next(word for word in printed.split() if word[0].isdigit())
        play_all(options, version, read(options.results))
    games = [game for game in read(options.results) if game["turns"] == options.turns]
    table(games)
    if options.plot and games:
        plot(options.plot, games)


if __name__ == "__main__":
    main()
