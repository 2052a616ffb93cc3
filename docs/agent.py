"""An agent for Freeciv: founds cities, lets workers work and others explore. `python agent.py SERVER TURNS`"""

import json
import subprocess
import sys


class Game:
    """A game, played by the command `gamewire play`."""

    def __init__(self, server, command):
        self.play = subprocess.Popen([*command, server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def until(self, kind):
        """Returns the next event of a kind; None if the game is over."""
        return next((event for event in map(json.loads, self.play.stdout) if event["event"] == kind), None)

    def do(self, command, **fields):
        """Executes a command and returns its reply."""
        print(json.dumps({"command": command, **fields}), file=self.play.stdin, flush=True)
        return self.until("reply")


def act(game, unit):
    """Does what a unit is good at."""
    legal = game.do("legal_actions", unit=unit["id"], tile=unit["tile"])["answer"]["actions"]
    if any(action["action"] == "found city" for action in legal):
        name = game.do("city_name", unit=unit["id"])["answer"]["name"]
        return game.do("act", unit=unit["id"], action="found city", name=name)
    return game.do("auto_work" if unit["type"] == "Workers" else "explore", unit=unit["id"])


def main(server, turns, *command):
    game = Game(server, command or ("gamewire", "play", "--start", "--json"))
    state = game.until("state") or sys.exit("the game was not joined")
    if state["game"]["turn"] and not state["me"]:
        sys.exit("the game has no player of this name: join before its start, or /take a player")
    # In a game that runs already, the turn at the entry is the first one.
    event = state["game"] if state["game"]["state"] == "running" else game.until("turn")
    for _ in range(int(turns)):
        if not event:
            break
        world = game.do("world", parts=["me", "units"])["answer"]
        for unit in world["units"]:
            if unit["owner"] == world["me"]["player"] and unit["is_idle"]:
                print(event["turn"], unit["type"], act(game, unit)["outcome"])
        game.do("end_turn")
        event = game.until("turn")
    game.do("leave")
    game.play.communicate()


main(*sys.argv[1:])
