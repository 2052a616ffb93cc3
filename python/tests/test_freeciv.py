"""Players on a real freeciv-server."""

import json
import logging
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from gamewire.freeciv import ClosedError, CommandError, GameEnded, LocalServer, Player, Reply


@pytest.fixture
def player(server):
    with Player(server, "bot", start=True) as player:
        player.wait_for_turn()
        yield player


def found_city(player: Player) -> int:
    """Founds a city where one is legal, and returns its id."""
    for unit in player.world.my_units:
        actions = player.legal_actions(unit["id"], unit["tile"])
        if any(action["action"] == "found city" for action in actions):
            assert player.found_city(unit["id"], name="Gamewire").is_done
            return player.world.my_cities[0]["id"]
    raise AssertionError("no unit can found a city")


def test_an_agent_founds_a_city_and_produces(player):
    city = found_city(player)
    assert player.produce(city, "Workers").is_done
    assert player.world.my_cities[0]["production"] == "Workers"
    turn = player.world.turn
    assert player.next_turn() == turn + 1 == player.world.turn


def test_the_list_of_legal_actions_is_performed(player):
    actions = player.all_legal_actions()
    founding = next(action for action in actions if action["kind"] == "found_city")
    assert player.perform(founding, name="Gamewire").is_done
    (city,) = player.world.my_cities
    changed, actions = player.changed_legal_actions()
    assert {"city": city["id"]} in changed
    workers = {"unit_type": "Workers"}
    production = next(it for it in actions if it["kind"] == "produce" and it["part"] == workers)
    assert player.perform(production).is_done
    assert player.world.my_cities[0]["production"] == "Workers"


def test_arrays_have_the_numbers_of_the_descriptions(player):
    city = found_city(player)
    world = player.world
    layers, rules = world.map, world.rules
    columns, rows = world.game["size"]
    extras = layers.pop("extras")
    assert extras.shape == (len(rules["extras"]), rows, columns) and extras.dtype == np.uint8
    assert all(layer.shape == (rows, columns) and layer.dtype == np.int32 for layer in layers.values())
    for tile in world.tiles:
        x, y = tile["position"]
        terrain = layers["terrain"][y, x]
        assert tile["terrain"] == (None if terrain < 0 else rules["terrains"][terrain])
        assert tile["terrain"] == (None if terrain < 0 else rules["terrains"][layers["terrain"].flat[tile["tile"]]])
        assert tile["extras"] == [rules["extras"][i] for i in np.flatnonzero(extras[:, y, x])]
    assert city in layers["city"]
    units = world.unit_table
    assert units["id"].tolist() == [unit["id"] for unit in world.units]
    assert units["hp"].tolist() == [unit["hp"] for unit in world.units]
    assert world.city_table["size"].tolist() == [city["size"] for city in world.cities]
    assert world.player_table["score"].tolist() == [player["score"] for player in world.players]


def test_arrays_belong_to_the_program(player):
    first, second = player.world.map, player.world.map
    first["terrain"][:] = 99
    assert not np.shares_memory(first["terrain"], second["terrain"])
    assert 99 not in second["terrain"] and 99 not in player.world.map["terrain"]


def test_commands_that_are_refused_say_why(player):
    with pytest.raises(CommandError, match="unit 99999"):
        player.legal_actions(99999)
    with pytest.raises(ValueError, match="unknown variant `fly`"):
        player.do("fly")
    with pytest.raises(ValueError, match="unknown field `town`"):
        player.do("buy", town=1)
    unit = player.world.my_units[0]
    assert player.act(unit["id"], "conquer city").outcome == "illegal"


def test_every_command_has_a_method(root):
    schema = json.loads((root / "docs/schema/play-freeciv.commands.json").read_text())
    names = {command["title"] for command in schema["anyOf"]}
    # The world is read without a command, and the others are older names.
    names -= {"world", "units", "cities", "leave", "set_research", "set_tax_rates"}
    assert names <= set(dir(Player))


def test_events_have_the_fields_of_the_command(player, root):
    schema = json.loads((root / "docs/schema/play-freeciv.json").read_text())
    fields = {event["title"]: set(event["properties"]) for event in schema["anyOf"]}
    found_city(player)
    player.end_turn()
    seen = {}
    while (event := player.next_event(0.5)) is not None:
        seen[event["event"]] = set(event)
    assert {"message", "changes", "turn"} <= set(seen)
    for name, keys in seen.items():
        assert keys | {"time"} == fields[name], name


def test_the_end_of_the_game_is_an_exception(server):
    with LocalServer(seed=7, size=1, ai_fill=1, end_turn=2) as short, Player(short, "bot", start=True) as player:
        player.wait_for_turn()
        me = player.world.me
        with pytest.raises(GameEnded) as ended:
            for _ in range(5):
                player.next_turn()
        assert ended.value.event["players"][0]["name"] == me["name"]
        assert player.ending == ended.value.event


def test_a_server_that_ends_closes_the_connection(server):
    with Player(server, "bot", start=True) as player:
        player.wait_for_turn()
        server.close()
        assert [event["event"] for event in player.events()][-1] == "closed"
        with pytest.raises(ClosedError):
            player.end_turn()


def test_a_player_takes_one_that_exists(server, player):
    (name,) = [it["name"] for it in player.world.players if it["is_ai"]]
    with Player(server, "other", take=name) as other:
        assert other.world.me["name"] == name and other.world.my_units


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"settings": {"xsise": 64}}, "Option 'xsise' not recognized"),
        ({"settings": {"topology": "ROUND"}}, 'No match for "ROUND"'),
        ({"size": 5000}, "Value out of range: 5000"),
        ({"ai_level": "easyy"}, "Unknown command 'easyy'"),
    ],
    ids=["name", "word", "number", "level"],
)
def test_a_setting_that_the_server_rejects_is_a_value_error(server, options, message):
    with pytest.raises(ValueError, match=message):
        LocalServer(**options)


def test_a_missing_program_or_saved_game_is_named(server, tmp_path):
    for option in ("program", "load"):
        with pytest.raises(FileNotFoundError, match=f"{tmp_path}/missing"):
            LocalServer(**{option: tmp_path / "missing"})


def test_invalid_addresses_say_what_is_expected():
    with pytest.raises(ValueError, match="invalid port in '127.0.0.1:99999': use a number from 1 to 65535"):
        Player("127.0.0.1:99999", "bot")
    with pytest.raises(TypeError, match="invalid address 5556: expected a text host:port"):
        Player(5556, "bot")


def test_an_error_of_a_silent_command_says_what_that_means():
    error = CommandError(Reply("silent", None, None))
    assert str(error) == "silent: the server did not react, so nothing changed"


def test_a_part_of_the_world_may_be_named_alone(player):
    assert list(player.world.parts("game")) == ["game"]


def test_an_address_without_a_server_is_a_connection_error():
    with pytest.raises(ConnectionError, match="^cannot connect to 127.0.0.1:1 over TCP: .*; check the address"):
        Player("127.0.0.1:1", "bot", timeout=5)
    with pytest.raises(ValueError, match="invalid name"):
        Player("127.0.0.1:1", "1bot")
    with pytest.raises(ValueError, match="use 3.0, 3.1 or 3.2"):
        Player("127.0.0.1:1", "bot", version="2.6")


def test_the_log_is_that_of_the_logger_gamewire(server, caplog):
    with caplog.at_level(logging.DEBUG, "gamewire"), Player(server, "bot"):
        pass
    assert any(record.name == "gamewire" and "joined" in record.message for record in caplog.records)


def test_other_threads_use_a_player_that_waits(player):
    thread = threading.Thread(target=lambda: player.next_event(20))
    while player.next_event(0.3) is not None:
        pass
    thread.start()
    time.sleep(0.2)
    begin = time.monotonic()
    for _ in range(20):
        assert player.world.turn == 1
    took = time.monotonic() - begin
    player.close()
    thread.join(20)
    assert took < 2 and not thread.is_alive()


def test_a_server_leaves_nothing_behind_after_an_exception(server):
    with pytest.raises(ZeroDivisionError), LocalServer(size=1) as other:
        folder = other.folder
        assert folder.is_dir()
        1 / 0
    assert not folder.exists() and other.has_ended


@pytest.mark.parametrize("end", ["os._exit(1)", "os.kill(os.getpid(), 9)", "sys.exit()", "1 / 0"])
def test_a_program_that_ends_leaves_no_server(server, end):
    folder = Path(run_until_started(end).communicate(timeout=60)[0].split()[0])
    assert wait_until_gone(folder), "the folder is there, so the server is, too"


def test_ctrl_c_ends_a_wait(server):
    program = run_until_started("player.next_event()")
    folder = Path(program.stdout.readline().strip())
    assert program.stdout.readline() == "started\n"
    time.sleep(0.5)
    begin = time.monotonic()
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=60)
    assert time.monotonic() - begin < 10
    assert program.returncode != 0 and "KeyboardInterrupt" in errors
    assert wait_until_gone(folder)


def run_until_started(end: str) -> subprocess.Popen:
    """Runs a program that starts a server, prints its folder, joins, and ends as given."""
    program = f"""
        import os, sys
        from gamewire.freeciv import LocalServer, Player
        server = LocalServer(size=1)
        print(server.folder, flush=True)
        player = Player(server, "bot", start=True)
        while player.next_event(0.5): pass
        print("started", flush=True)
        {end}
    """
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )


def wait_until_gone(folder: Path) -> bool:
    end = time.monotonic() + 10
    while folder.exists() and time.monotonic() < end:
        time.sleep(0.05)
    return not folder.exists()
