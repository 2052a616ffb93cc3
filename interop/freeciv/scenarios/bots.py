"""Several players in one process."""

import subprocess

import gamewire
from program import LIMIT
from server import Server

BOTS = 10
# In every run, and with --long.
TURNS, MANY_TURNS = 5, 20


def ten_in_one_process_play(is_long: bool) -> None:
    """Ten bots play; the cost of each is printed."""
    with Server(aifill=str(BOTS), size="2") as server:
        ended = subprocess.run(
            [gamewire.EXAMPLES / "freeciv_bots", server.address, str(BOTS), str(MANY_TURNS if is_long else TURNS)],
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert ended.returncode == 0, ended
        costs = [line for line in ended.stdout.splitlines() if "each" in line]
        assert costs, ended
        print("\n".join(costs))
