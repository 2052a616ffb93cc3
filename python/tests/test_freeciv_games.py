"""Whole games of the example that plays many."""

import json
import subprocess
import sys

import pytest

pytest.importorskip("gymnasium")


def play(root, results, games, turns, *options):
    """Plays games until a file of results has `games`, and returns its lines and the last printed line."""
    program = root / "python/examples/play_games.py"
    arguments = [program, results, "--games", str(games), "--turns", str(turns), *options]
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in results.read_text().splitlines()], done.stdout.splitlines()[-1]


def test_games_are_continued_from_the_file_of_results(root, server, tmp_path):
    results = tmp_path / "results.jsonl"
    first, _ = play(root, results, 1, 2)
    games, summary = play(root, results, 2, 2)
    assert games[0] == first[0] and [game["run"] for game in games] == [0, 1]
    assert [(game["game"], game["player"], game["turns"]) for game in games] == [(0, "random", 3), (1, "rules", 3)]
    assert summary.startswith("2 games, 6 turns") and "0 hangs, 0 disconnects; ended by {'max_turns': 2}" in summary


@pytest.mark.long
def test_long_games_end_without_a_hang_or_a_lost_server(root, freeciv_program, tmp_path):
    games, summary = play(root, tmp_path / "results.jsonl", 2, 200, "--program", freeciv_program)
    assert not any(game["is_hang"] or game["is_disconnected"] for game in games), summary
    assert games[-1]["memory_after"] < 1.5 * games[0]["memory_after"], summary
