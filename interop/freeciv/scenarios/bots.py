"""Several players in one process."""

import subprocess

import gamewire
from server import Server

BOTS = 10
TURNS = 20


def ten_in_one_process_play_twenty_turns() -> None:
    """Ten bots play; the cost of each is printed."""
    with Server(aifill=str(BOTS), size="2") as server:
        ended = subprocess.run(
            [gamewire.EXAMPLES / "freeciv_bots", server.address, str(BOTS), str(TURNS)],
            capture_output=True,
            text=True,
            timeout=80,
            check=False,
        )
        assert ended.returncode == 0, ended
        costs = [line for line in ended.stdout.splitlines() if "each" in line]
        assert costs, ended
        print("\n".join(costs))
