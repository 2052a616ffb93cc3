"""Programs that play by `gamewire play`: running games, phases, lost connections, ends."""

import json
import statistics
import subprocess
import sys
import time
from typing import Any

import gamewire
from play import Play
from program import LIMIT, Watchdog
from server import Server

AGENT = gamewire.SCHEMAS.parent / "agent.py"
VERSIONS = ("3.0", "3.1", "3.2")
# Questions about the world, one by one.
QUESTIONS = 501
# Seconds. A command that looks at its input from time to time needs more for most questions.
MAX_MEDIAN = 0.01


def the_agent_of_the_docs_enters_a_running_game() -> None:
    """Run twice on one server, the second run continues where the first one left."""
    for version in VERSIONS:
        with Server(version=version) as server:
            words = [sys.executable, AGENT, server.url, "3", gamewire.GAMEWIRE, "play", "--start", "--json"]
            for last_turn in (3, 6):
                subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, check=True)
                assert server.saved(last_turn), (version, last_turn)


def questions_are_answered_at_once() -> None:
    """Questions one by one take no time of waiting."""
    with Server() as server:
        play = Play(server, "--name", "asker")
        play.until("turn")
        times = []
        for _ in range(QUESTIONS):
            begin = time.monotonic()
            play.world("game")
            times.append(time.monotonic() - begin)
        assert statistics.median(times) < MAX_MEDIAN, sorted(times)
        assert play.ended() == 0, play.lines[-5:]


def every_line_gets_one_reply() -> None:
    """Unknown commands, lines that are no JSON, orders that the server never processes: each has its reply."""
    with Server() as server:
        play = Play(server, "--name", "liner")
        play.until("turn")
        ids = [*range(20), "text", None]
        lines = [json.dumps({"id": number, "command": "sing" if number == 3 else "sentry", "unit": 9}) for number in ids]
        leave = json.dumps({"id": "leave", "command": "leave"})
        late = json.dumps({"id": "late", "command": "end_turn"})
        ended = json.dumps({"id": "ended", "command": "end_turn"})
        assert play.process.stdin is not None and play.process.stdout is not None
        play.process.stdin.write("\n".join([*lines, "no json", ended, leave, late, ""]))
        play.process.stdin.close()
        events = [json.loads(line) for line in play.process.stdout]
        assert play.process.wait(LIMIT) == 0
        replies = {str(event["id"]): event["outcome"] for event in events if event["event"] == "reply"}
        given = [event for event in events if event["event"] == "reply"]
        assert len(given) == len(lines) + 4, given
        assert replies["3"] == "error" and replies["text"] == "error", replies
        assert replies["leave"] == "done" and replies["late"] == "unanswered", replies
        assert replies["ended"] in ("done", "unanswered"), replies


def an_end_of_a_turn_out_of_phase_is_told() -> None:
    """With a phase for each player, the end of a turn in the phase of another one is illegal."""
    for version in VERSIONS:
        with Server(version=version, aifill="0", phasemode="PLAYER", minplayers="2") as server:
            plays = [Play(server, "--name", name, starts=False) for name in ("anna", "bert")]
            for play in plays:
                play.until("ready")
            for play in plays:
                play.do("say", text="/start")
            states = {play.world("me", "game")["me"]["player"]: play for play in plays if play.until("turn")}
            first, second = (states[number] for number in sorted(states))
            early = second.do("end_turn")
            assert early["outcome"] == "illegal" and "phase" in early["text"], (version, early)
            assert not second.world("game")["game"]["is_my_phase"]
            assert first.do("end_turn")["outcome"] == "done"
            assert second.until("phase")["is_my_phase"]
            assert second.do("end_turn")["outcome"] == "done"
            for play in plays:
                assert play.until("turn")["turn"] == 2
                assert play.ended() == 0, play.lines[-5:]


def a_team_has_one_phase() -> None:
    """With a phase for each team, all players of a team move in it, and its end is illegal for the others."""
    for version in VERSIONS:
        with Server(version=version, aifill="0", has_lua=True, phasemode="TEAM", minplayers="3") as server:
            plays = {name: Play(server, "--name", name, starts=False) for name in ("anna", "bert", "carl")}
            for play in plays.values():
                play.until("ready")
            names = {name: play.world("me")["me"]["name"] for name, play in plays.items()}
            for name in ("anna", "bert"):
                plays["anna"].do("say", text=f'/team "{names[name]}" 0')
            plays["anna"].do("say", text=f'/team "{names["carl"]}" 1')
            for play in plays.values():
                play.do("say", text="/start")
            for play in plays.values():
                play.until("turn")
            mine = {name: play.world("game")["game"]["is_my_phase"] for name, play in plays.items()}
            assert mine["anna"] == mine["bert"] != mine["carl"], (version, mine)
            first = ("anna", "bert") if mine["anna"] else ("carl",)
            second = tuple(name for name in plays if name not in first)
            assert {plays[name].do("end_turn")["outcome"] for name in second} == {"illegal"}, version
            for group in (first, second):
                assert {plays[name].do("end_turn")["outcome"] for name in group} == {"done"}, version
                for name in second if group is first else ():
                    while not plays[name].until("phase")["is_my_phase"]:
                        pass
            for play in plays.values():
                assert play.until("turn")["turn"] == 2
                assert play.ended() == 0, play.lines[-5:]


def a_nation_that_dies_leaves_no_command_without_a_reply() -> None:
    """Commands wait for the server while the nation is destroyed: each gets one reply, and the command says why it ends."""
    for version in VERSIONS:
        with Server(version=version) as server:
            play = Play(server, "--name", "victim")
            play.until("turn")
            units = [unit["id"] for unit in play.world("own_units")["units"]]
            turn = [{"command": "end_turn"}, *[{"command": "say", "text": "hello"}] * 5]
            commands = [*({"command": "disband", "unit": unit} for unit in units), *turn, *turn]
            lines = [{"id": number, **command} for number, command in enumerate(commands)]
            assert play.process.stdin is not None and play.process.stdout is not None
            play.process.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
            play.process.stdin.flush()
            with Watchdog(play.process):
                events = [json.loads(line) for line in play.process.stdout]
            replies = [event["id"] for event in events if event["event"] == "reply"]
            assert sorted(replies) == list(range(len(lines))), (version, events)
            assert "nation_destroyed" in [event["event"] for event in events], (version, events)
            assert play.process.wait(LIMIT) == 0, (version, events[-5:])


def a_refused_command_of_the_server_is_not_done() -> None:
    """Before and after the start, the outcome of a command that the server refuses, puts to the vote or does not execute yet is not `done`."""
    always = ("/sing", "/set", "/set nonsense 1", "/set size 9999999", "/set mapseed 7", "/set timeout 20", "/save kept",
              "/cmdlevel hack", "/load nothing", "/take caesar", "/observe caesar", "/aitoggle caesar", "/remove caesar",
              "/kick caesar", "/create", "/read nothing", "/rulesetdir nothing", "/lua cmd return 1", "/vote yes")
    for version in VERSIONS:
        with Server(version=version) as server:
            play = Play(server, "--name", "asker", starts=False)
            play.until("state")
            refused = {line: play.do("say", text=line) for line in always}
            assert play.do("say", text="/set timeout 60")["outcome"] == "done", version
            assert play.do("say", text="/set timeout 0")["outcome"] == "done", version
            other = Play(server, "--name", "other", starts=False)
            other.until("state")
            refused["a vote"] = play.do("say", text="/set timeout 70")
            assert "New vote" in refused["a vote"]["text"], (version, refused["a vote"])
            assert play.do("say", text="/cancelvote")["outcome"] == "done", version
            refused["a start without the other player"] = play.do("say", text="/start")
            assert other.do("say", text="/start")["outcome"] == "done", version
            play.until("turn")
            for line in (*always, "/start", "/load tutorial", "/rulesetdir classic"):
                refused[f"{line} in the game"] = play.do("say", text=line)
            refused["a launch"] = play.do("launch_spaceship")
            wrong = {line: reply for line, reply in refused.items() if reply["outcome"] not in ("answered", "refused")}
            assert not wrong and all(reply["text"] for reply in refused.values()), (version, wrong, refused)
            assert play.do("say", text="hello")["outcome"] == "done", version
            assert (other.ended(), play.ended()) == (0, 0), play.lines[-5:]


def a_lost_connection_is_taken_up_again() -> None:
    """A proxy closes the connection; with --reconnect the same player continues, and the event state follows."""
    with Server(aifill="2") as server:
        words = ["proxy", "--listen", "freeciv://127.0.0.1:0", "--to", server.url, "--json", "--quiet"]
        proxy = subprocess.Popen([gamewire.GAMEWIRE, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert proxy.stdin is not None and proxy.stdout is not None
        listening = json.loads(proxy.stdout.readline())
        play = Play(server, "--name", "stayer", "--reconnect", url=f"freeciv://127.0.0.1:{listening['port']}")
        play.until("turn")
        me = play.world("me")["me"]["player"]
        proxy.stdin.write("close 1\n")
        proxy.stdin.flush()
        play.until("reconnecting")
        state: dict[str, Any] = play.until("state")
        assert state["me"]["player"] == me and state["game"]["state"] == "running", state
        assert play.end_turn() == 2
        assert play.ended() == 0, play.lines[-5:]
        proxy.communicate("stop\n", timeout=LIMIT)


def a_city_gets_the_name_that_the_server_suggests() -> None:
    """`found_city`, and `act` with "found city", without a name."""
    with Server(aifill="2") as server:
        play = Play(server, "--name", "founder")
        play.until("turn")
        settlers = [unit for unit in play.world("own_units")["units"] if unit["type"] == "Settlers"]
        assert play.do("found_city", unit=settlers[0]["id"])["outcome"] == "done"
        (city,) = play.world("own_cities")["cities"]
        assert city["name"], city
        assert play.ended() == 0, play.lines[-5:]
