"""The examples that the README shows."""

import json
import subprocess

import gamewire
import savegame
from program import LIMIT
from puppet import Puppet
from server import Server

TURNS = 6


def started(name: str, server: Server, *arguments: str) -> "subprocess.Popen[str]":
    """Starts an example."""
    return subprocess.Popen(
        [gamewire.EXAMPLES / name, server.address, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def the_settler_founds_a_city() -> None:
    """The settler starts the game, founds its city, sets its production and ends its turns."""
    with Server() as server:
        settler = started("freeciv_settler", server, "settler", "20")
        out, err = settler.communicate(timeout=LIMIT)
        assert settler.returncode == 0 and err == "", (out, err)
        turns = [line for line in out.splitlines() if line.startswith("turn ")]
        assert len(turns) == 20 and "cities: Gamewire" in turns[0], out
        saved = savegame.parse(server.saved(len(turns) + 1))["player0"]
        assert f": {saved.values['gold']} gold" in turns[-1] and f", {saved.values['nunits']} units" in turns[-1], out
        for city in saved.tables["c"]:
            assert f"{city['name']} of size {city['size']} at {city['x']},{city['y']}" in turns[-1], (city, out)


def the_recorder_and_the_observer_watch() -> None:
    """The recorder prints a line of JSON per packet, the observer the score table per turn."""
    with Server() as server, Puppet(server.address, "alice") as alice:
        alice.does("start")
        alice.does("until 1")
        recorder = started("freeciv_recorder", server, "recorder", "6")
        observer = started("freeciv_observer", server, "observer", "3")
        try:
            assert server.logs("observer", "observe"), server.log()
            for _ in range(TURNS):
                alice.does("turn")
            table, errors = observer.communicate(timeout=LIMIT)
            assert observer.returncode == 0, errors
            turns = [line for line in table.splitlines() if line.startswith("turn ")]
            assert len(turns) == 3 and table.count(" gold") >= 3 * 6, table
            lines, errors = recorder.communicate(timeout=LIMIT)
            assert recorder.returncode == 0, errors
            packets = [json.loads(line) for line in lines.splitlines()]
            names = {packet["packet"] for packet in packets}
            assert len(packets) > 3000 and {"PACKET_TILE_INFO", "PACKET_NEW_YEAR"} <= names, names
        finally:
            for example in (recorder, observer):
                example.kill()
                example.wait()
