"""Servers that `gamewire play` starts: rights, seeds, saved games and scenarios."""

import json
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import gamewire
from own_server import GAME, PLAIN, OwnServer
from play import Play
from program import LIMIT, Watchdog
from runner import long
from server import SUITES, Server
import suites

VERSIONS = ("3.0", "3.1", "3.2")
# Turns of two games that are compared.
TURNS = 8
# What a saved game has of the time of day: how long the last turn change took, and when events happened.
TIMES = re.compile(r"^(last_turn_change_time=).*$|^(\d+,\d+,)\d+(?=,.*,\"S_S_)")
# Scenarios whose first turn keeps the server's AI busy for minutes: its end is not waited for.
SLOW = {"europe_1900_WWI"}
SCENARIOS = Path("/usr/share/games/freeciv/scenarios")


def the_command_has_all_rights() -> None:
    """On a server of its own, a client may set, save and load everything, as Freeciv's own client may."""
    for version in VERSIONS:
        with OwnServer(version, *GAME, *PLAIN) as own:
            play = own.play
            assert play is not None
            assert play.until("rights")["level"] == "hack", (version, play.lines[-5:])
            if play.world("game")["game"]["state"] != "running":
                play.until("turn")
            assert play.do("say", text="/set timeout 7")["outcome"] == "done"
            play.do("say", text="/save kept")
            assert list(Path(own.folder.name).glob("*/saves/kept.sav")), version
            assert play.end_turn() == 2
            reply = play.do("say", text="/cmdlevel admin")
            assert "admin" in reply["text"], (version, reply)
            assert play.ended() == 0, play.lines[-5:]
            own.wait_until_removed()


def equal_seeds_and_actions_give_equal_games() -> None:
    """Two games of the same seeds and commands are saved as the same text, apart from times of day."""
    for version in VERSIONS:
        first, second = (played(version, *GAME) for _ in range(2))
        assert first == second, (version, difference(first, second))


def a_game_that_is_loaded_twice_goes_on_equally() -> None:
    """A saved game is loaded twice, and played with the same commands."""
    for version in VERSIONS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.sav"
            path.write_text(saved(version, 4, *GAME))
            first, second = (played(version, "--load", str(path)) for _ in range(2))
        assert first == second, (version, difference(first, second))


def a_game_that_is_loaded_in_a_session_is_played_on() -> None:
    """Before the start, `/load` replaces the game of a session, which plays on; what cannot be loaded, wholly or in part, is refused."""
    for version in VERSIONS:
        text = saved(version, 3, *GAME)
        with OwnServer(version, *GAME, *PLAIN, starts=False) as own:
            play = own.play
            assert play is not None
            play.until("rights")
            (folder,) = Path(own.folder.name).glob("*/saves")
            (folder / "kept.sav").write_text(text)
            (folder / "broken.sav").write_text("[savefile]\nx=\n")
            for name in ("nothing", "broken"):
                failed = play.do("say", text=f"/load saves/{name}")
                assert failed["outcome"] == "refused", (version, failed)
                assert "/load: Could not load savefile" in failed["text"], (version, failed)
            lines = text.splitlines(keepends=True)
            for name, part in (("half", text[: len(text) // 2]), ("lines", "".join(lines[: len(lines) // 2]))):
                (folder / f"{name}.sav").write_text(part)
                failed = play.do("say", text=f"/load saves/{name}")
                assert failed["outcome"] == "refused", (version, name, failed)
                assert failed["text"].endswith("Failure loading savegame!"), (version, name, failed)
                assert play.world("game")["game"]["turn"] == 0, (version, name)
            loaded = play.do("say", text="/load saves/kept")
            assert loaded["outcome"] == "done", (version, loaded)
            game = play.world("game")["game"]
            assert (game["state"], game["turn"]) == ("pregame", 3), (version, game)
            play.do("say", text="/start")
            assert play.until("turn")["turn"] == 3, version
            assert play.world("own_cities")["cities"], (version, "the cities of the loaded game")
            assert play.end_turn() == 4, version
            refused = play.do("say", text="/load saves/kept")
            assert refused["outcome"] == "answered", (version, refused)
            assert "another is running" in refused["text"], (version, refused)
            assert play.end_turn() == 5, version
            assert play.ended() == 0, play.lines[-5:]


def a_player_of_the_ai_is_taken_and_kept() -> None:
    """`--take` gives a player that the AI moved; after a kill, the same user name gets the player again."""
    for version in VERSIONS:
        with Server(version=version) as server:
            play = Play(server, "--name", "watcher")
            play.until("turn")
            others = [player for player in play.world("players")["players"] if player["is_ai"]]
            name = others[0]["name"]
            for is_first in (True, False):
                taker = Play(server, "--name", "taker", *(["--take", name] if is_first else []), starts=False)
                if is_first:
                    # Where another person plays, the server lets both vote on the end of the AI's control.
                    play.do("vote", vote=play.until("vote")["number"], value=1)
                state = taker.until("state")
                assert state["me"]["name"] == name, (version, state)
                end = time.monotonic() + LIMIT
                while is_ai(taker, name) and time.monotonic() < end:
                    time.sleep(0.01)
                assert not is_ai(taker, name), version
                if is_first:
                    taker.process.kill()
                    taker.process.communicate()
            play.do("end_turn")
            taker.do("end_turn")
            assert play.until("turn")["turn"] == 2
            assert (taker.ended(), play.ended()) == (0, 0), play.lines[-5:]


@long
def the_scenarios_of_each_server_can_be_played() -> None:
    """Each scenario is loaded, a player is taken where the scenario has players, and two turns are played."""
    failures = []
    for version in VERSIONS:
        folder = SCENARIOS
        if suite := SUITES.get(version):
            folder = suites.ROOTS / suite / str(SCENARIOS).lstrip("/")
        for path in sorted(folder.glob("*.sav*")):
            try:
                plays_a_scenario(version, path)
            except AssertionError as error:
                failures.append((version, path.name, str(error)[-500:]))
    assert not failures, failures


def plays_a_scenario(version: str, path: Path) -> None:
    """Plays two turns of a scenario."""
    with OwnServer(version, "--load", str(path), "--ai-fill", "2", starts=False) as own:
        play = own.play
        assert play is not None
        play.until("rights")
        if play.world("me")["me"] is None:
            name = play.world("players")["players"][0]["name"]
            play.do("say", text=f'/take "{name}"')
            play.do("say", text=f'/aitoggle "{name}"')
        play.do("say", text="/start")
        play.until("turn")
        if path.name.split(".")[0] in SLOW:
            assert play.do("end_turn")["outcome"] == "done"
        else:
            play.end_turn()
            play.end_turn()
        assert play.ended() == 0, play.lines[-5:]


def is_ai(play: Play, name: str) -> bool:
    """Returns whether the server's AI controls a player."""
    (player,) = [player for player in play.world("players")["players"] if player["name"] == name]
    return bool(player["is_ai"])


def played(version: str, *options: str) -> list[str]:
    """Plays by a fixed list of commands, and returns the lines of the game that the server saved at the end."""
    return [TIMES.sub(r"\1\2", line) for line in saved(version, TURNS, *options).splitlines()]


def saved(version: str, turns: int, *options: str) -> str:
    """Plays until a turn begins, and returns the game that the server saved then."""
    with OwnServer(version, *options, *PLAIN) as own:
        play = own.play
        assert play is not None
        turn = int(play.until("turn")["turn"])
        while turn < turns:
            for unit in play.world("own_units")["units"]:
                act(play, unit)
            turn = play.end_turn()
        text = own.saved(turns)
        assert play.ended() == 0, play.lines[-5:]
    return text


def act(play: Play, unit: dict[str, Any]) -> None:
    """Gives a unit its order."""
    if unit["type"] in ("Settlers", "Migrants"):
        play.do("found_city", unit=unit["id"])
    elif unit["type"] in ("Workers", "Engineers"):
        play.do("auto_work", unit=unit["id"])
    else:
        play.do("explore", unit=unit["id"])


def difference(first: list[str], second: list[str]) -> list[tuple[str, str]]:
    """Returns the first lines that differ."""
    return [pair for pair in zip(first, second) if pair[0] != pair[1]][:5]


def a_killed_command_leaves_no_server() -> None:
    """If the command is killed, its server ends and the folder of the server is removed."""
    with tempfile.TemporaryDirectory() as folder:
        # The server may run as another user.
        Path(folder).chmod(0o777)
        process = subprocess.Popen(
            [gamewire.GAMEWIRE, "play", "--json", "--start-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"TMPDIR": folder},
        )
        assert process.stdout is not None
        with Watchdog(process):
            while json.loads(process.stdout.readline())["event"] != "state":
                pass
        assert os.listdir(folder)
        process.kill()
        process.wait(LIMIT)
        end = time.monotonic() + LIMIT
        while os.listdir(folder) and time.monotonic() < end:
            time.sleep(0.1)
        assert not os.listdir(folder)
