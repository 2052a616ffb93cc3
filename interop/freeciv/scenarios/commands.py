"""Orders by commands in JSON on standard input."""

import json
import signal
import subprocess
from typing import Any

import gamewire
from program import LIMIT, Watchdog
from puppet import Puppet
from server import Server


def a_turn_by_commands() -> None:
    """With --manual: units are listed, a city is founded, an order is refused, the turn ends."""
    with Server() as server:
        arguments = ["join", server.url, "--json", "--name", "alice", "--start", "--manual"]
        player = subprocess.Popen([gamewire.GAMEWIRE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert player.stdin is not None and player.stdout is not None
        lines: list[str] = []

        def send(command: str, /, **fields: Any) -> None:
            assert player.stdin is not None
            player.stdin.write(json.dumps({"command": command, **fields}) + "\n")
            player.stdin.flush()

        def wait_for(kind: str) -> dict[str, Any]:
            assert player.stdout is not None
            with Watchdog(player):
                for line in player.stdout:
                    lines.append(line)
                    event: dict[str, Any] = json.loads(line)
                    if event["event"] == kind:
                        return event
            raise AssertionError(f"no {kind} in {lines}")

        wait_for("game_started")
        send("units")
        units = wait_for("reply")["answer"]["units"]
        settlers = next(unit["id"] for unit in units if unit["type"] == "Settlers")
        send("sing", id=7)
        unknown = wait_for("reply")
        assert (unknown["id"], unknown["outcome"]) == (7, "error"), unknown
        send("packet", packet="PACKET_NONSENSE")
        assert "PACKET_NONSENSE" in wait_for("reply")["text"]
        send("found_city", unit=settlers, name="Testville")
        founded = wait_for("city_founded")
        assert founded["city"] == "Testville"
        assert wait_for("reply")["outcome"] == "done"
        send("cities")
        assert [city["id"] for city in wait_for("reply")["answer"]["cities"]] == [founded["id"]]
        send("packet", packet="PACKET_CHAT_MSG_REQ", fields={"message": "hello from a packet"})
        assert server.logs("hello from a packet"), server.log()
        send("end_turn")
        assert wait_for("turn")["cities"] == 1
        send("leave")
        lines += player.stdout.read().splitlines()
        assert player.wait(LIMIT) == 0
        gamewire.check_output(arguments, lines)


def a_nation_that_dies_ends_the_client() -> None:
    """A player who disbands all its units and has no city is destroyed: the client says so and leaves."""
    with Server() as server:
        arguments = ["join", server.url, "--json", "--name", "alice", "--start", "--manual", "--turns", "100"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        player = subprocess.Popen([gamewire.GAMEWIRE, *arguments], text=True, **pipes)
        assert player.stdin is not None and player.stdout is not None and player.stderr is not None

        def send(*commands: dict[str, Any]) -> None:
            assert player.stdin is not None
            player.stdin.writelines(json.dumps(command) + "\n" for command in commands)
            player.stdin.flush()

        lines: list[str] = []
        with Watchdog(player):
            for line in player.stdout:
                lines.append(line)
                event: dict[str, Any] = json.loads(line)
                if event["event"] == "game_started":
                    send({"command": "units", "id": "units"})
                elif event["event"] == "reply" and event["id"] == "units":
                    units = event["answer"]["units"]
                    send(*({"command": "disband", "unit": unit["id"]} for unit in units), {"command": "end_turn"})
        assert player.wait(LIMIT) == 0, lines
        assert "the nation was destroyed" in player.stderr.read()
        gamewire.check_output(arguments, lines)


def recordings_of_every_version_are_replayed() -> None:
    """`replay` takes the version from the recording, and so does our client; every line fits the schema."""
    for name, version in (("game", "3.0"), ("game-3.1", "3.1"), ("game-3.2", "3.2")):
        recording = gamewire.SCHEMAS.parents[1] / f"vectors/freeciv/streams/{name}.bin"
        options = ["--listen", "freeciv://localhost:0", "--turn-time", "50ms", "--json"]
        arguments = ["replay", str(recording), *options]
        server = subprocess.Popen([gamewire.GAMEWIRE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        with Watchdog(server):
            listening = server.stdout.readline()
        url = f"freeciv://localhost:{json.loads(listening)['port']}"
        assert json.loads(gamewire.run("info", url, "--json").stdout)["version"] == version
        ended = gamewire.run("join", url, "--json", "--turns", "3", "--say", "hi")
        assert ended.returncode == 0, ended
        rest, _ = server.communicate('{"command": "dance"}\n{"command": "stop"}\n', timeout=LIMIT)
        assert server.returncode == 0 and '"command_error"' in rest and '"chat"' in rest, rest
        gamewire.check_output(arguments, [listening, *rest.splitlines()])


def the_demo_fits_its_schema() -> None:
    """Every line of `demo --json`."""
    ended = gamewire.run("demo", "--for", "5s", "--players", "1", "--impair", "delay=1ms", "--json")
    assert ended.returncode == 0 and len(ended.stdout.splitlines()) == 10, ended


def info_of_a_running_game() -> None:
    """The command joins, prints the information that every client that joins gets, and leaves; the game continues."""
    with Server() as server, Puppet(server.address, "alice") as alice:
        alice.does("start")
        alice.does("until 1")
        ended = gamewire.run("info", server.url, "--json")
        assert ended.returncode == 0 and ended.stderr == "", ended
        info = json.loads(ended.stdout)
        assert (info["version"], info["state"], info["turn"], info["connections"]) == ("3.0", "started", 1, 1), info
        assert any(player["user"] == "alice" and player["is_connected"] for player in info["players"]), info
        assert sum(player["is_ai"] for player in info["players"]) >= 5, info
        assert server.logs("gamewire-info"), server.log()
        assert alice.does("turn") is not None and alice.world()["turn"] == 2


def two_signals_at_once_still_give_the_summary() -> None:
    """A supervisor may signal a process and its group."""
    with Server() as server:
        arguments = ["join", server.url, "--json", "--start"]
        player = subprocess.Popen(
            [gamewire.GAMEWIRE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )
        assert player.stdout is not None
        with Watchdog(player):
            lines = [player.stdout.readline()]
            while '"turn"' not in lines[-1]:
                lines.append(player.stdout.readline())
        player.send_signal(signal.SIGTERM)
        player.send_signal(signal.SIGINT)
        rest, _ = player.communicate(timeout=LIMIT)
        lines += rest.splitlines()
        assert player.returncode == 0 and json.loads(lines[-1])["event"] == "summary", lines[-5:]
        gamewire.check_output(arguments, lines)
