"""The predicted tee of a client, compared with the tee of the real servers; bots that run a race and play deathmatch."""

import os
import re
import subprocess
from pathlib import Path

import gamewire
from program import LIMIT
from runner import long
from servers import Server

SECONDS = 10
FIGHT_SECONDS = 180


def run(folder: str, example: str, *arguments: object) -> str:
    """Runs an example to its end and returns its output. It keeps its maps in the folder."""
    ended = subprocess.run(
        [gamewire.EXAMPLES / example, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
        env=os.environ | {"XDG_CACHE_HOME": folder},
    )
    assert ended.returncode == 0, f"{example}: {ended.stdout[-2000:]} {ended.stderr[-2000:]}"
    return ended.stdout


def compare(folder: str, server: Server, *arguments: str) -> None:
    """Compares each predicted tee with that of the server. A late input makes a few of them wrong, which is not an error."""
    output = run(folder, "prediction_error", f"127.0.0.1:{server.port}", SECONDS, 0, *arguments)
    late = re.search(r"(\d+) of \d+ inputs late", output)
    counts = re.search(r"compared (\d+) equal (\d+)", output)
    assert late and counts, output
    compared, equal = int(counts[1]), int(counts[2])
    assert compared > SECONDS * 10, output
    # A late input, or one that was sent late, is wrong until its snapshot arrives.
    assert equal == compared or (int(late[1]) > 0 and equal > compared // 2), output


def predicts_on_teeworlds(folder: str) -> None:
    """On teeworlds-server 0.7.5, the predicted tee is the tee of the server."""
    with Server("teeworlds", sv_map="dm1", sv_scorelimit="0", sv_timelimit="0") as server:
        compare(folder, server)


def predicts_on_ddnet(folder: str) -> None:
    """On DDNet-Server 20.1 with tokens, the predicted tee is the tee of the server."""
    with Server("ddnet-20", sv_map="Sunny Side Up") as server:
        compare(folder, server)


def predicts_on_ddnet_16(folder: str) -> None:
    """On DDNet-Server 16.4 without tokens, the predicted tee is the tee of the server."""
    with Server("ddnet", sv_map="Tutorial") as server:
        compare(folder, server, "ddnet-16", "tw-0.6")


def finishes_a_race(folder: str) -> None:
    """On DDNet-Server 20.1, a bot finds its way over gaps, a wall and a passage for the hook, and finishes the race."""
    server = Server("ddnet-20", sv_map="race")
    maps = server.folder / ".local/share/ddnet/maps"
    maps.mkdir(parents=True)
    run(folder, "race_map", maps / "race.map")
    with server:
        output = run(folder, "race_bot", f"127.0.0.1:{server.port}", Path(folder) / "way.txt")
    assert "racer finished in" in output, output
    way = (Path(folder) / "way.txt").read_text().split()
    assert len(way) > 100, len(way)


@long
def wins_a_deathmatch(folder: str) -> None:
    """On teeworlds-server 0.7.5, a bot that shoots where tees will be has more points than two that follow the nearest."""
    with Server("teeworlds", sv_map="dm1", sv_scorelimit="0", sv_timelimit="0") as server:
        address = f"127.0.0.1:{server.port}"
        environment = os.environ | {"XDG_CACHE_HOME": folder}
        command = [gamewire.EXAMPLES / "greeter", address]
        followers = [subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) for _ in range(2)]
        try:
            output = run(folder, "deathmatch_bot", address, FIGHT_SECONDS)
        finally:
            for follower in followers:
                follower.kill()
                follower.wait()
    scores = re.findall(r"^(.*): (-?\d+)$", output, re.MULTILINE)
    # Both followers have the same name.
    others = [int(score) for name, score in scores if name != "fighter"]
    [fighter] = [int(score) for name, score in scores if name == "fighter"]
    assert len(others) == 2 and fighter > max(0, *others), output
