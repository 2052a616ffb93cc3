"""Plays games of the scripted opponent against the AI `novice` of freeciv-server. Prints a table of the scores at turn 100.

    cargo build --release --all-features -p gamewire --example freeciv_opponent
    python docs/scripts/freeciv_opponent.py --plot scores.svg --seeds 101 120 -- freeciv-server
"""

import argparse
import json
import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "target/release/examples/freeciv_opponent"
SETUP = """novice
set aifill 2
set minplayers 0
set size 2
set timeout 0
set mapseed {seed}
set gameseed {seed}
set endturn 100
"""
WIDTH, HEIGHT, MARGIN = 640, 320, 40


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def play(server, seed):
    """Plays one game. Returns what the example printed."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        setup, port = Path(folder) / "setup.serv", free_port()
        setup.write_text(SETUP.format(seed=seed))
        words = [*server, "-p", str(port), "-b", "127.0.0.1", "-A", "none", "-q", "20", "-e", "-r", setup, "-s", folder]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(words, cwd=folder, env={**os.environ, "HOME": folder}, **quiet)
        try:
            time.sleep(1.5)
            output = subprocess.run([EXAMPLE, f"127.0.0.1:{port}"], capture_output=True, text=True, check=True, timeout=300)
        finally:
            process.kill()
            process.wait()
        return [json.loads(line) for line in output.stdout.splitlines()]


def line(scores, color):
    """Returns the mean score by turn as a line of SVG."""
    points = []
    for turn in range(1, 101):
        values = [game[turn] for game in scores if turn in game]
        if values:
            x = MARGIN + (WIDTH - 2 * MARGIN) * turn / 100
            points.append(f"{x:.1f},{HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * sum(values) / len(values) / 100:.1f}")
    return f'<polyline fill="none" stroke="{color}" stroke-width="2" points="{" ".join(points)}"/>'


def plot(path, games):
    """Writes the mean scores by turn."""
    ours = [{turn["turn"]: turn["score"] for turn in game[:-1] if turn["score"] is not None} for game in games]
    theirs = [{turn["turn"]: max(turn["others"]) for turn in game[:-1] if turn["others"]} for game in games]
    text = '<text x="{}" y="{}" font-family="sans-serif" font-size="12" fill="{}">{}</text>'
    marks = [text.format(4, HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * score / 100, "#555", score) for score in (0, 25, 50, 75, 100)]
    marks += [text.format(MARGIN + (WIDTH - 2 * MARGIN) * turn / 100, HEIGHT - 12, "#555", turn) for turn in (0, 25, 50, 75, 100)]
    legend = [text.format(60, 40, "#1f77b4", "the scripted opponent"), text.format(60, 60, "#d62728", "novice")]
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"><rect width="100%" height="100%" fill="white"/>'
    path.write_text("\n".join([frame, *marks, *legend, line(ours, "#1f77b4"), line(theirs, "#d62728"), "</svg>\n"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs=2, type=int, default=(101, 120), metavar=("FIRST", "LAST"))
    parser.add_argument("--plot", type=Path, help="SVG of the mean scores by turn")
    parser.add_argument("server", nargs="+", help="the server and its first arguments")
    options = parser.parse_args()
    games, wins = [], 0
    print("| seed | opponent | novice |\n|---|---|---|")
    for seed in range(options.seeds[0], options.seeds[1] + 1):
        game = play(options.server, seed)
        scores = game[-1]["scores"]
        ours = next((player["score"] for player in scores if player["is_me"]), 0)
        theirs = max((player["score"] for player in scores if not player["is_me"]), default=0)
        wins += ours > theirs
        games.append(game)
        print(f"| {seed} | {ours} | {theirs} |", flush=True)
    print(f"\n{wins} of {len(games)} won")
    if options.plot:
        plot(options.plot, games)


if __name__ == "__main__":
    main()
