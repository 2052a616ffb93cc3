"""Players on a real teeworlds-server."""

import asyncio
import json
import time

import numpy as np
import pytest
from gamewire.teeworlds import AsyncPlayer, ClosedError, Player, info


@pytest.fixture
def player(teeworlds_server):
    with Player.join(teeworlds_server, "bot", dialect="tw-0.7") as player:
        yield player


def wait_for(player, kind, condition=lambda event: True):
    end = time.monotonic() + 10
    while time.monotonic() < end:
        event = player.next_event(1)
        if event is not None and event["event"] == kind and condition(event):
            return event
    raise AssertionError(f"no event {kind}")


def until(player, condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "timed out"
        player.next_event(0.1)


def test_a_server_describes_itself(teeworlds_server, player):
    described = info(teeworlds_server)
    assert (described["name"], described["map"], described["game_type"]) == ("gamewire", "dm1", "DM")
    assert described["num_clients"] == 1 and [client["name"] for client in described["clients"]] == ["bot"]
    with pytest.raises(ConnectionError, match="no answer"):
        info("127.0.0.1:1")


def test_chat_reaches_the_others(teeworlds_server, player):
    with Player.join(teeworlds_server, "other", dialect="tw-0.7") as other:
        player.say("hello")
        event = wait_for(other, "chat", lambda event: event["text"] == "hello")
        assert (event["name"], event["from"], event["audience"]) == ("bot", player.id, "all")
        assert {it["name"] for it in other.world.players} == {"bot", "other"}
    assert wait_for(player, "left")["name"] == "other"


def test_input_moves_the_character(player):
    world = player.world
    until(player, lambda: player.id in world.characters["id"])

    def x():
        characters = world.characters
        return int(characters["x"][characters["id"] == player.id][0])

    start, direction = x(), 1
    end = time.monotonic() + 10
    while abs(x() - start) < 64:
        assert time.monotonic() < end, "the character does not move"
        player.set_input(direction, jump=bool(int(time.monotonic() * 4) % 2))
        for _ in range(25):
            player.next_event(0.02)
        direction = -direction if abs(x() - start) < 8 else direction
    assert x() != start


def test_the_world_is_arrays_of_its_last_snapshot(player):
    world = player.world
    until(player, lambda: len(world.characters["id"]) > 0)
    for table in (world.characters, world.projectiles, world.pickups, world.player_table):
        assert {(column.ndim, column.dtype) for column in table.values()} == {(1, np.dtype(np.int32))}
        assert len({len(column) for column in table.values()}) == 1
    assert world.player_table["id"].tolist() == [it["id"] for it in world.players]
    assert [it["local"] for it in world.players] == [True] and len(world.pickups["id"]) > 0
    tick = world.tick
    wait_for(player, "snapshot", lambda event: event["tick"] > tick)
    assert world.game["tick"] > tick


def test_tees_are_where_they_are_now(teeworlds_server, tmp_path):
    with Player.join(teeworlds_server, "now", dialect="tw-0.7", maps=str(tmp_path)) as player:
        world = player.world
        until(player, lambda: player.id in world.characters["id"])
        assert world.has_map and [it.name.startswith("dm1_") for it in tmp_path.iterdir()] == [True]
        received, now, predicted = world.received, world.characters, world.predicted
        assert received["tick"][0] <= now["tick"][0] == world.tick <= predicted["tick"][0]
        x, y = int(now["x"][0]), int(now["y"][0])
        assert world.ray((x, y), (x, y)) is None
        assert world.ray((x, y), (x, y + 100_000))[1] > y


def test_the_remote_console_answers(player):
    player.rcon_login("secret")
    assert wait_for(player, "rcon_auth")["granted"]
    player.rcon("echo hello from python")
    wait_for(player, "rcon_line", lambda event: "hello from python" in event["line"])


def test_events_have_the_fields_of_the_command(teeworlds_server, root):
    schema = json.loads((root / "docs/schema/join-teeworlds.json").read_text())
    fields = {event["title"]: set(event["properties"]) for event in schema["anyOf"]}
    player = Player(teeworlds_server, "bot", dialect="tw-0.7")
    wait_for(player, "connected")
    seen = {"entered": {"event"}}
    until(player, lambda: player.id is not None)
    player.emoticon("hearts")
    player.say("hello")
    player.kill()
    end = time.monotonic() + 3
    while time.monotonic() < end and (event := player.next_event(1)) is not None:
        seen[event["event"]] = set(event)
    player.close()
    assert {"chat", "emoticon", "kill", "snapshot"} <= set(seen)
    for name, keys in seen.items():
        if name in fields:
            assert keys | {"time"} == fields[name] | {"time"}, name


def test_a_server_that_kicks_closes_the_connection(teeworlds_server, player):
    player.rcon_login("secret")
    wait_for(player, "rcon_auth")
    with Player.join(teeworlds_server, "other", dialect="tw-0.7") as other:
        player.rcon(f"kick {other.id} bye")
        assert "bye" in wait_for(other, "closed")["reason"]
        assert other.next_event(1) is None and not other.is_open


def test_a_wrong_name_of_something_says_the_right_ones(player, teeworlds_server):
    with pytest.raises(ValueError, match="use one of spectators, red, blue"):
        player.set_team("green")
    with pytest.raises(ValueError, match="use one of hammer, pistol"):
        player.set_input(weapon="laser")
    with pytest.raises(ValueError, match="unknown dialect"):
        Player.join(teeworlds_server, "bot", dialect="tw-0.5")
    with pytest.raises(ClosedError):
        Player.join("127.0.0.1:1", "bot", dialect="tw-0.7", timeout=30)


def test_players_of_an_event_loop_talk(teeworlds_server):
    async def main():
        one = await AsyncPlayer.join(teeworlds_server, "one", dialect="tw-0.7")
        async with one, await AsyncPlayer.join(teeworlds_server, "two", dialect="tw-0.7") as two:
            one.say("hello two")
            async for event in two:
                if event["event"] == "chat" and event["text"] == "hello two":
                    return event["name"], two.world.tick > 0

    assert asyncio.run(asyncio.wait_for(main(), 30)) == ("one", True)


def test_a_player_stays_long_enough_that_the_server_does_not_ban_it(teeworlds_server):
    """A server of Teeworlds 0.7 bans those that leave within a second, but not on an address that it knows as its own."""
    player = Player.join(teeworlds_server, "short", dialect="tw-0.7")
    begin = time.monotonic()
    player.close()
    assert time.monotonic() - begin > 0.9
    player.close()

    async def main():
        async with await AsyncPlayer.join(teeworlds_server, "short", dialect="tw-0.7"):
            return time.monotonic()

    begin = asyncio.run(asyncio.wait_for(main(), 30))
    assert time.monotonic() - begin > 0.9
