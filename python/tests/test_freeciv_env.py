"""The environments of Gymnasium and PettingZoo on a real freeciv-server."""

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

gymnasium = pytest.importorskip("gymnasium")
from gamewire.freeciv import LocalServer  # noqa: E402
from gamewire.freeciv.env import TASKS, Env, Layout, Observation, aec_env, parallel_env, scripted  # noqa: E402
from gamewire.freeciv.env._layout import ACTS, OWN_ACTS  # noqa: E402

SMALL = {
    "observation": Observation(48, 32, units=16, cities=4, players=4),
    "layout": Layout(units=16, cities=4, players=2),
}


@pytest.fixture(scope="module", autouse=True)
def freeciv():
    """Skips the tests where there is no freeciv-server."""
    try:
        LocalServer(size=1).close()
    except FileNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture
def env():
    with_small = Env(**SMALL)
    yield with_small
    with_small.close()


def random_action(env, random, without=()):
    legal = [index for index in np.flatnonzero(env.action_masks()) if index not in without]
    return int(random.choice(legal)) if legal else 1


def play(env, seed, steps):
    """Plays legal actions at random, and returns all results."""
    random = np.random.default_rng(5)
    results = [env.reset(seed=seed)]
    for step in range(steps):
        results.append(env.step(1 if step % 8 == 7 else random_action(env, random, without=(1,))))
    return results


def is_equal(one, other):
    from gymnasium.utils.env_checker import data_equivalence

    return data_equivalence(one, other)


def server_process(folder: Path) -> int:
    """Returns the process of the server in a folder."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                arguments = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"-r" in arguments and any(str(folder).encode() in it for it in arguments) and b"sh" not in arguments[0]:
                return int(entry.name)
    raise AssertionError(f"no server in {folder}")


def test_the_checker_of_gymnasium_accepts_an_environment():
    from gymnasium.utils.env_checker import check_env

    check_env(gymnasium.make("gamewire/FreecivFoundCity-v0").unwrapped)


def test_every_index_of_a_layout_means_one_action():
    for layout in (Layout(units=2, cities=2, players=2), TASKS["attack_city"].layout):
        meanings = [layout.describe(index) for index in range(layout.size)]
        assert len(set(meanings)) == layout.size
        assert all(layout.index(*meaning) == index for index, meaning in enumerate(meanings))
        with pytest.raises(IndexError):
            layout.describe(layout.size)


def test_the_mask_has_every_legal_action_that_fits(env):
    random = np.random.default_rng(0)
    observation, info = env.reset(seed=3)
    for step in range(20):
        mask = info["action_mask"]
        assert (mask == observation["action_mask"]).all() and (mask == env.action_masks()).all()
        assert mask.sum() + info["dropped_actions"] == len(env.legal_actions)
        indices = np.flatnonzero(mask).tolist()
        meant = [
            tuple(sorted((key, str(it)) for key, it in env.action(index).items() if key in KEY)) for index in indices
        ]
        assert len(set(meant)) == len(indices)
        observation, _, _, _, info = env.step(1 if step % 10 == 9 else random_action(env, random, without=(1,)))
        assert info["outcome"] in ("done", "silent") and not info["is_illegal"]


KEY = ("actor", "kind", "target", "part")


COMPUTED = (
    "fortify", "cultivate", "plant", "transform terrain", "build", "pillage", "clean", "convert", "unit move", "transport",
    "enter hut", "frighten hut", "conquer extras",
)  # fmt: skip
"""The beginnings of the names of actions that the list does not take from the server's answers."""
CROWD = [
    "/lua cmd function put(player, tile, name) edit.create_unit(player, tile, find.unit_type(name), 0, nil, -1) end",
    "/lua cmd for unit in find.player(0):units_iterate() do home = unit.tile break end",
    "/lua cmd kinds = {'Settlers', 'Horsemen', 'Diplomat', 'Caravan', 'Archers', 'Workers'} number = 0",
    "/lua cmd for tile in home:circle_iterate(25) do if tile.terrain:class_name() == 'Land' then number = number + 1 "
    "local here = find.player(tile:num_units() == 0 and number % 3 // 2 or 0) put(here, tile, kinds[number % 6 + 1]) end end",
    "/lua cmd for unit in find.player(1):units_iterate() do goal = unit.tile end edit.create_city(find.player(1), goal, 'Far')",
]
"""Commands that put units of both players around the start."""


@pytest.mark.long
def test_the_kept_answers_are_those_that_the_server_would_give_again():
    env = Env(**SMALL, commands=CROWD)
    env.reset(seed=4)
    player, world, random, compared = env.game.players[0], env.world, np.random.default_rng(1), 0
    for step in range(60):
        *_, terminated, truncated, info = env.step(1 if step % 20 == 19 else random_action(env, random, without=(1,)))
        if terminated or truncated:
            break
        for unit in world.my_units if step % 4 == 0 else ():
            around = world.neighbors(unit["tile"]).values() if unit["moves_left"] else ()
            occupied = {it["tile"] for it in (*world.units, *world.cities)}
            fresh = [
                it
                for tile in (unit["tile"], *occupied.intersection(around))
                for it in player.legal_actions(unit["id"], tile)
            ]
            fresh = {
                (it["action"], str(it["target"]))
                for it in fresh
                if it["action"] and not it["action"].startswith(COMPUTED)
            }
            kept = {
                (it["kind"].replace("_", " "), str(it["target"]))
                for it in env.legal_actions
                if it["actor"] == {"unit": unit["id"]} and it["kind"] in ACTS + OWN_ACTS
            }
            assert kept == fresh, (step, unit)
            compared += len(fresh)
    assert compared > 100
    env.close()


def test_an_illegal_action_does_nothing_and_is_reported(env):
    observation, info = env.reset(seed=3)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[-1])
    after, reward, terminated, truncated, told = env.step(illegal)
    assert is_equal(observation, after) and not any(np.shares_memory(observation[it], after[it]) for it in after)
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert told["is_illegal"] and told["outcome"] == "illegal" and not info.get("is_illegal")


def test_an_action_is_that_of_the_unit_in_its_row(env):
    env.reset(seed=3)
    index = next(it for it in np.flatnonzero(env.action_masks()) if env.action(it)["kind"] == "found_city")
    actor, row, kind, slot = env.layout.describe(int(index))
    assert (actor, kind, slot) == ("unit", "found_city", 0)
    assert env.action(index)["actor"] == {"unit": env.world.my_units[row]["id"]}
    observation, _, _, _, info = env.step(int(index))
    assert info["outcome"] == "done" and len(env.world.my_cities) == 1
    assert observation["cities"][0, 0] == env.world.my_cities[0]["id"] and observation["cities_mask"].sum() == 1


def test_an_action_without_an_index_is_performed_by_name():
    env = Env(observation=SMALL["observation"], layout=Layout(units=1, cities=1, kinds=("move",)))
    env.reset(seed=3)
    founding = next(it for it in env.legal_actions if it["kind"] == "found_city")
    *_, info = env.perform(founding)
    assert info["outcome"] == "done" and len(env.world.my_cities) == 1
    env.close()


def test_equal_seeds_and_actions_give_equal_games(env):
    first, second = play(env, 11, 18), play(env, 11, 18)
    assert all(is_equal(one, other) for one, other in zip(first, second, strict=True))
    assert not is_equal(first[0], env.reset(seed=12))


def test_a_saved_game_continues_equally_each_time(env, tmp_path):
    play(env, 11, 20)
    env.game.execute(["/set compresstype PLAIN", "/save here", "/show endturn"])
    (saved,) = (env.game.server.folder).rglob("here*.sav*")
    copy = tmp_path / saved.name
    copy.write_bytes(saved.read_bytes())
    results = []
    for _ in range(2):
        env.reset(seed=1, options={"load": copy})
        results.append([env.step(1) for _ in range(3)])
    assert is_equal(*results) and results[0][0][0]["game"][0] == 4


def test_a_killed_server_truncates_the_episode(env):
    env.reset(seed=3)
    os.kill(server_process(env.game.server.folder), signal.SIGKILL)
    begin = time.monotonic()
    observation, reward, terminated, truncated, info = env.step(1)
    assert (reward, terminated, truncated) == (0.0, False, True) and "ClosedError" in info["reason"]
    assert env.observation_space.contains(observation) and time.monotonic() - begin < 30
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(1)
    env.reset(seed=3)


def test_a_killed_worker_leaves_no_server():
    program = """
        import time
        from gamewire.freeciv.env import Env
        env = Env("found_city")
        env.reset(seed=3)
        print(env.game.server.folder, flush=True)
        time.sleep(300)
    """
    worker = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True)
    folder = Path(worker.stdout.readline().strip())
    assert folder.is_dir()
    worker.kill()
    worker.communicate()
    end = time.monotonic() + 20
    while folder.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not folder.exists()


STEPS = """
    from gamewire.freeciv.env import Env
    env = Env()
    env.reset(seed=3)
    print(env.game.server.folder, flush=True)
    while True:
        env.step(1)
"""
"""A program that ends turns for ever."""


def test_ctrl_c_in_a_step_leaves_no_server():
    program = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(STEPS)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    folder = Path(program.stdout.readline().strip())
    server = server_process(folder)
    # The server does not reply, so that the step waits.
    os.kill(server, signal.SIGSTOP)
    time.sleep(0.5)
    begin = time.monotonic()
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=60)
    assert program.returncode != 0 and errors.rstrip().endswith("KeyboardInterrupt")
    assert "in step" in errors and time.monotonic() - begin < 30
    end = time.monotonic() + 20
    while (folder.exists() or is_running(server)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not folder.exists() and not is_running(server)


def is_running(process: int) -> bool:
    try:
        # The third field is Z for a process that has ended.
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_an_environment_plays_on_a_server_that_runs():
    with LocalServer(seed=7, size=1, ai_fill=2, ai_level="novice") as server:
        env = Env(**SMALL, address=server)
        _, info = env.reset(seed=3)
        assert env.game.server is None and info["turn"] == 1 and len(env.world.players) == 2
        assert env.step(1)[4]["turn"] == 2
        env.close()
        # The server is not the environment's, so the game goes on.
        assert not server.has_ended
        _, info = env.reset(seed=3, options={"take": "player_0"})
        assert info["turn"] == 2 and env.world.me["name"] and env.step(1)[4]["turn"] == 3
        env.close()
        assert not server.has_ended


def test_an_environment_takes_over_a_player_of_a_saved_game(env, tmp_path):
    play(env, 11, 10)
    mine = env.world.me["player"]
    (other,) = (player for player in env.world.players if player["player"] != mine)
    env.game.execute(["/set compresstype PLAIN", "/save here", "/show endturn"])
    (saved,) = env.game.server.folder.rglob("here*.sav*")
    copy = tmp_path / saved.name
    copy.write_bytes(saved.read_bytes())
    _, info = env.reset(seed=1, options={"load": copy, "take": other["name"]})
    me = env.world.me
    assert (me["name"], me["player"]) == (other["name"], other["player"]) and me["player"] != mine
    assert info["action_mask"].sum() > 1 and (env.world.my_units or env.world.my_cities)
    assert env.step(1)[4]["turn"] == info["turn"] + 1


def test_a_lost_player_ends_the_episode():
    env = Env(**SMALL, settings={"startunits": "x"})
    _, info = env.reset(seed=3)
    disband = next(it for it in np.flatnonzero(info["action_mask"]) if env.action(it)["kind"] == "disband_unit")
    env.step(int(disband))
    _, _, terminated, truncated, info = env.step(1)
    assert (terminated, truncated, info["reason"]) == (True, False, "nation destroyed")
    env.close()


def test_an_environment_leaves_nothing_behind(env):
    env.reset(seed=3)
    first = env.game.server.folder
    env.reset(seed=3)
    second = env.game.server.folder
    env.close()
    env.close()
    assert not first.exists() and not second.exists()


def test_pictures_and_texts_show_the_map():
    env = Env(**{**SMALL, "observation": "text"}, render_mode="rgb_array")
    observation, _ = env.reset(seed=3)
    rows, columns = env.world.map["known"].shape
    picture = env.render()
    assert picture.shape == (8 * rows, 8 * columns, 3) and picture.dtype == np.uint8 and picture.any()
    assert env.observation_space.contains(observation) and "@" in observation["text"]
    assert "found city" in observation["text"] and "1: player end turn" in observation["text"]
    env.close()


def test_vectors_of_environments_play():
    envs = gymnasium.make_vec("gamewire/FreecivFoundCity-v0", num_envs=2, vectorization_mode="sync")
    observations, infos = envs.reset(seed=3)
    assert observations["action_mask"].shape == (2, TASKS["found_city"].layout.size)
    for _ in range(4):
        actions = [int(np.flatnonzero(mask)[0]) for mask in observations["action_mask"]]
        observations, *_ = envs.step(np.array(actions))
    envs.close()


@pytest.mark.parametrize("name", TASKS)
def test_a_task_begins(name):
    env = Env(name)
    _, info = env.reset(seed=2)
    assert info["task_score"] == 0.0 and info["action_mask"].sum() > 1
    assert len(env.world.my_units) >= TASKS[name].units
    *_, info = env.step(scripted(env))
    assert info["outcome"] == "done" and not info["is_success"]
    env.close()


@pytest.mark.long
@pytest.mark.parametrize("name", TASKS)
def test_a_scripted_player_gets_a_score_in_each_task(name):
    env = Env(name)
    env.reset(seed=2)
    total, is_over = 0.0, False
    while not is_over:
        _, reward, terminated, truncated, info = env.step(scripted(env))
        assert not info["is_illegal"]
        total, is_over = total + reward, terminated or truncated
    assert total == pytest.approx(info["task_score"]) and info["is_success"] == (info["task_score"] == 1.0)
    assert info["task_score"] > 0.0 and info["reason"] in ("task", "max_turns", "nation destroyed")
    env.close()


def test_several_learners_play_at_the_same_time():
    from pettingzoo.test import parallel_api_test

    parallel_api_test(parallel_env(**SMALL, max_turns=3, turn_actions=5), num_cycles=12)


def test_several_learners_play_one_after_the_other():
    from pettingzoo.test import api_test

    api_test(aec_env(**SMALL, max_turns=3, turn_actions=5), num_cycles=12)


@pytest.mark.long
def test_games_of_several_learners_are_equal_for_equal_seeds():
    from pettingzoo.test import parallel_seed_test, seed_test

    seed_test(lambda: aec_env(**SMALL, turn_actions=8), num_cycles=60)
    parallel_seed_test(lambda: parallel_env(**SMALL, turn_actions=8), num_cycles=40)


TWO = {**SMALL, "players": 2, "opponents": 1, "settings": {"startunits": "x"}}
"""Two learners with an explorer each."""


def disband(env, name):
    """Returns the action that disbands the only unit of a learner."""
    seat = env.table.seats[name]
    return next(int(it) for it in np.flatnonzero(seat.mask) if seat.action(it)["kind"] == "disband_unit")


def test_the_turn_of_learners_ends_without_the_one_that_dies_in_it():
    env = aec_env(**TWO, turn_timeout=20)
    env.reset(seed=3)
    env.step(1)
    assert env.agent_selection == "player_1"
    env.step(disband(env, "player_1"))
    assert (env.terminations["player_1"], env.truncations["player_0"]) == (True, False), env.infos
    while env.agent_selection == "player_1":
        env.step(None)
    # The first learner has ended the turn and waits.
    env.step(0)
    for turn in (2, 3, 4):
        assert (env.agent_selection, env.infos["player_0"]["turn"]) == ("player_0", turn)
        env.step(1)
    env.close()


def test_learners_that_act_at_the_same_time_end_the_turn_in_which_one_dies():
    env = parallel_env(**TWO, turn_timeout=20)
    env.reset(seed=3)
    _, _, terminations, truncations, infos = env.step({"player_0": 1, "player_1": disband(env, "player_1")})
    assert terminations == {"player_0": False, "player_1": True} and not any(truncations.values()), infos
    assert env.agents == ["player_0"]
    for action, turn in ((0, 2), (1, 3), (1, 4)):
        assert env.step({"player_0": action})[4]["player_0"]["turn"] == turn
    env.close()


def test_a_learner_that_the_server_disconnects_truncates_the_episode_of_all():
    env = parallel_env(**TWO)
    env.reset(seed=3)
    env.table.game.execute(["/cut player_1"])
    begin = time.monotonic()
    _, _, _, truncations, infos = env.step({"player_0": 1, "player_1": 1})
    assert all(truncations.values()) and "ClosedError" in infos["player_0"]["reason"], infos
    assert env.agents == [] and time.monotonic() - begin < 30


def test_a_learner_that_is_disconnected_ends_the_wait_of_another_one():
    env = aec_env(**TWO)
    env.reset(seed=3)
    env.step(1)
    env.table.game.execute(["/cut player_1"])
    # The connection closes after the turn was ended, so that the first one waits.
    env.table.seats["player_1"].has_ended_turn = True
    begin = time.monotonic()
    _, reason = env.table.act({}, ["player_0", "player_1"])
    assert reason.startswith("ClosedError") and time.monotonic() - begin < 30
    env.close()


@pytest.mark.parametrize("is_ending_turn", (False, True))
def test_a_server_that_does_not_reply_truncates_the_episode_after_the_timeout(is_ending_turn):
    env = Env(**SMALL, reply_timeout=20, turn_timeout=20)
    env.reset(seed=3)
    env.game.players[0]._timeout = 1.0
    os.kill(server_process(env.game.server.folder), signal.SIGSTOP)
    begin = time.monotonic()
    action = 1 if is_ending_turn else random_action(env, np.random.default_rng(0), without=(1,))
    *_, terminated, truncated, info = env.step(action)
    assert (terminated, truncated) == (False, True), info
    assert info["reason"].startswith("TimeoutError: timed out after 1 s waiting for the reply to ")
    # The rest is the end of the server, which is killed.
    assert time.monotonic() - begin < 30


def test_a_server_that_pauses_again_and_again_answers_every_step():
    env = Env(**SMALL)
    env.reset(seed=3)
    server, random = server_process(env.game.server.folder), np.random.default_rng(0)
    is_over, pauses = threading.Event(), []

    def pause() -> None:
        while not is_over.wait(0.05):
            os.kill(server, signal.SIGSTOP)
            time.sleep(0.2)
            os.kill(server, signal.SIGCONT)
            pauses.append(server)

    pausing = threading.Thread(target=pause)
    pausing.start()
    try:
        turn = env.world.turn
        for number in range(36):
            legal = {int(index): env.action(int(index)) for index in np.flatnonzero(env.action_masks())}
            moves = [index for index, it in legal.items() if it is not None and it["kind"] in ("move", "fortify")]
            *_, terminated, truncated, info = env.step(int(random.choice(moves)) if moves and number % 6 != 5 else 1)
            assert not (terminated or truncated), info
        assert env.world.turn >= turn + 6
    finally:
        is_over.set()
        pausing.join()
        env.close()
    assert len(pauses) > 3


def test_a_missing_package_is_named():
    program = "import sys; sys.modules['gymnasium'] = None; import gamewire.freeciv.env"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1 and "pip install pygamewire[gymnasium]" in done.stderr
