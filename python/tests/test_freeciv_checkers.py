"""The checkers of Gymnasium and PettingZoo with their own numbers of steps, on each version of freeciv-server."""

import subprocess
import sys
import textwrap

import pytest

gymnasium = pytest.importorskip("gymnasium")
pettingzoo_test = pytest.importorskip("pettingzoo.test")
from gamewire.freeciv.env import Layout, Observation, aec_env, parallel_env  # noqa: E402

pytestmark = pytest.mark.long

OLDER = "1.2.2"
"""An older version of Gymnasium, which Ray needs."""
CHECK = """
    import sys, gymnasium
    from gymnasium.utils.env_checker import check_env
    import gamewire.freeciv.env
    assert gymnasium.__version__ == sys.argv[2], gymnasium.__version__
    for name in ("Freeciv", "FreecivFoundCity"):
        check_env(gymnasium.make(f"gamewire/{name}-v0", program=sys.argv[1]).unwrapped, skip_render_check=False)
"""


@pytest.fixture
def learners(freeciv_program):
    """The configuration of small environments for two learners, next to one player of the server's AI."""
    return {
        "program": freeciv_program,
        "observation": Observation(48, 32, units=16, cities=4, players=4),
        "layout": Layout(units=16, cities=4, players=2),
        "turn_actions": 5,
        "opponents": 1,
    }


def check(program, version, folder=None):
    """Runs Gymnasium's checker in a separate process, with the packages of a folder before the installed ones."""
    arguments = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(CHECK), program, version]
    environment = {"PYTHONPATH": str(folder)} if folder else {}
    done = subprocess.run(arguments, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **environment})
    assert done.returncode == 0, done.stderr


def test_the_checker_of_gymnasium_accepts_the_environments(freeciv_program):
    check(freeciv_program, gymnasium.__version__)


def test_the_checker_of_an_older_gymnasium_accepts_the_environments(freeciv_program, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp() / f"gymnasium-{OLDER}"
    if not folder.exists():
        install = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), f"gymnasium=={OLDER}"]
        if subprocess.run([sys.executable, *install], capture_output=True).returncode != 0:
            pytest.skip(f"cannot install gymnasium {OLDER}")
    check(freeciv_program, OLDER, folder)


def test_parallel_api_test_accepts_the_environment(learners):
    pettingzoo_test.parallel_api_test(parallel_env(**learners))


def test_api_test_accepts_the_environment(learners):
    pettingzoo_test.api_test(aec_env(**learners))


def test_api_test_accepts_the_environment_without_other_players(learners):
    # A game of two ends when one of them dies.
    pettingzoo_test.api_test(aec_env(**{**learners, "opponents": 0}))


def test_the_seed_tests_accept_the_environments(learners):
    pettingzoo_test.seed_test(lambda: aec_env(**learners))
    pettingzoo_test.parallel_seed_test(lambda: parallel_env(**learners))
