"""The programs of docs/python.md and of the README."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "docs/python.md", ROOT / "README.md"]
PROGRAMS = [
    program
    for document in DOCUMENTS
    for program in re.findall(r"^```python\n(.*?)^```", document.read_text(), re.DOTALL | re.MULTILINE)
]


FREE_PORT = {
    "server.start(7777,": "server.start(0,",
    '("127.0.0.1", 7777)': '("127.0.0.1", server.port)',
    "AsyncServer(7777)": "AsyncServer(0)",
    '"127.0.0.1:7777"': 'f"127.0.0.1:{server.port}"',
}
"""What lets the programs of Riptide listen on a free port, which the system chooses."""


def name_of(program: str) -> str:
    first = re.search(r"gamewire\.?\w*", program)
    return first.group() if first else ""


@pytest.mark.parametrize("program", PROGRAMS, ids=map(name_of, PROGRAMS))
def test_the_programs_run(program, request, root, tmp_path):
    if "freeciv" in program:
        request.getfixturevalue("server")
    if "8303" in program:
        program = program.replace("127.0.0.1:8303", request.getfixturevalue("teeworlds_server"))
    if "to_polars" in program:
        pytest.importorskip("polars")
    for fixed, free in FREE_PORT.items():
        program = program.replace(fixed, free)
    assert "7777" not in program
    shutil.copy(root / "vectors/teeworlds/captures/tw-0.7-two-clients.pcap", tmp_path / "capture.pcapng")
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_agent_has_thirty_lines_at_most():
    (agent,) = [program for program in PROGRAMS if "GameEnded" in program]
    assert len(agent.strip().splitlines()) <= 30


def test_the_keys_of_the_tables_are_those_of_the_world(server, root):
    from gamewire.freeciv import Player

    text = (root / "docs/python.md").read_text()

    def keys(row: str) -> set[str]:
        (line,) = re.findall(rf"^\| {re.escape(row)} \| (.*) \|$", text, re.MULTILINE)
        return set(re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", line)))

    with Player(server, "bot", start=True) as player:
        player.wait_for_turn()
        for unit in player.world.my_units:
            if unit["type"] == "Settlers":
                player.found_city(unit["id"])
        world = player.world
        assert keys("a unit") == set(world.my_units[0])
        assert keys("a city") == set(world.my_cities[0])
        assert keys("a player") == set(world.players[1])
        assert keys("a player") | keys("`me`, in addition") == set(world.me)
        assert keys("an entry of `all_legal_actions()`") == set(player.all_legal_actions()[0])
        unit = next(unit for unit in world.my_units if player.legal_actions(unit["id"]))
        assert keys("an entry of `legal_actions(unit)`") == set(player.legal_actions(unit["id"])[0])
