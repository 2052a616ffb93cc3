"""Players in an event loop."""

import asyncio
import socket
import threading

import pytest
from gamewire.freeciv import AsyncPlayer, ClosedError, Player


def test_tasks_get_the_replies_to_their_own_commands(server):
    async def play():
        async with await AsyncPlayer.join(server, "bot", start=True) as player:
            await player.wait_for_turn()
            units = [unit["id"] for unit in player.world.my_units]
            answers = await asyncio.gather(*(player.legal_actions(unit) for unit in units))
            replies = await asyncio.gather(*(player.sentry(unit) for unit in units))
            assert len(answers) == len(units) and all(replies)
            activities = {unit["id"]: unit["activity"] for unit in player.world.my_units}
            assert any(activity == "sentry" for activity in activities.values())
            return await player.next_turn()

    assert asyncio.run(play()) == 2


def test_two_players_of_one_loop_play_against_each_other(server):
    async def turns(name):
        async with await AsyncPlayer.join(server, name) as player:
            await asyncio.sleep(0.5)
            await player.start()
            await player.wait_for_turn()
            for _ in range(3):
                turn = await player.next_turn()
            await asyncio.sleep(0.5)
            return turn

    async def play():
        return await asyncio.gather(turns("alice"), turns("bob"))

    assert asyncio.run(play()) == [4, 4]


def test_events_end_with_the_connection(server):
    async def play():
        async with await AsyncPlayer.join(server, "bot", start=True) as player:
            await player.wait_for_turn()
            server.close()
            events = [event["event"] async for event in player]
            with pytest.raises(ClosedError):
                await player.end_turn()
            return events

    assert asyncio.run(play())[-1] == "closed"


def test_a_cancelled_wait_leaves_the_player_usable(server):
    async def play():
        async with await AsyncPlayer.join(server, "bot", start=True) as player:
            await player.wait_for_turn()
            waiting = asyncio.create_task(player.wait_for_turn(None))
            await asyncio.sleep(0.2)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            return await player.next_turn()

    assert asyncio.run(play()) == 2


def test_a_server_that_sends_nothing_is_a_timeout():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = silent.getsockname()
        with pytest.raises((TimeoutError, ClosedError)):
            asyncio.run(AsyncPlayer.join(address, "bot", timeout=1))
        with pytest.raises((TimeoutError, ClosedError)):
            Player(address, "bot", timeout=1)


def test_many_commands_wait_for_their_turn(server):
    async def play():
        async with await AsyncPlayer.join(server, "bot", start=True) as player:
            await player.wait_for_turn()
            replies = await asyncio.gather(*(player.say(f"line {number}") for number in range(400)))
            return {reply.outcome for reply in replies}

    assert asyncio.run(play()) <= {"done", "silent"}


def test_no_thread_is_left(server):
    async def play():
        async with await AsyncPlayer.join(server, "bot"):
            pass

    asyncio.run(play())
    for thread in threading.enumerate():
        if thread.name == "gamewire":
            thread.join(5)
            assert not thread.is_alive()
