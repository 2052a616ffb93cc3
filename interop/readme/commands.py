"""The commands of the README."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import urllib.request
from pathlib import Path

import gamewire
import readme
from program import LIMIT, Watchdog, until
from runner import long

CAPTURE = readme.REPOSITORY / "vectors/teeworlds/captures/tw-0.7-two-clients.pcap"
# Packets of the demo: seconds of play on an idle machine.
PLAYED = 10_000


@long
def the_first_command_builds_and_plays_until_ctrl_c() -> None:
    """It builds what is released, plays without an error, and ends with its totals."""
    command = readme.demo_command()
    build = ["cargo", "build", "--quiet", "--bin", "gamewire", *command[2:-2]]
    subprocess.run(build, cwd=readme.REPOSITORY, check=True)
    plays_until_ctrl_c(command)


def the_demo_plays_until_ctrl_c() -> None:
    """The program that the first command runs, as it is built for the tests."""
    command = readme.demo_command()
    plays_until_ctrl_c([str(gamewire.GAMEWIRE), *command[command.index("--") + 1 :]])


def plays_until_ctrl_c(command: list[str]) -> None:
    """Plays until its page shows that much traffic."""
    with tempfile.TemporaryFile("w+") as printed:
        demo = subprocess.Popen(
            command,
            cwd=readme.REPOSITORY,
            stdout=printed,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            assert demo.stderr is not None
            with Watchdog(demo):
                page = next(line for line in demo.stderr if line.startswith("page: ")).removeprefix("page: ").strip()
            until(lambda: played(page) >= PLAYED, "the demo does not play")
            # As a terminal does it: to cargo and to the demo.
            os.killpg(demo.pid, signal.SIGINT)
            _, err = demo.communicate(timeout=LIMIT)
        finally:
            demo.kill()
        printed.seek(0)
        out = printed.read()
    assert "0 decode errors" in out, (out[-2000:], err)
    assert "panic" not in out + err, err


def played(page: str) -> int:
    """Returns the number of packets that a page shows."""
    with urllib.request.urlopen(f"{page}api/status") as answer:
        totals = json.load(answer)["totals"]
    return totals["packets"] if totals else 0


def ci_runs_the_second_command() -> None:
    """The second command runs these tests, so that CI need not run it within them."""
    script = (readme.REPOSITORY / ".ci/run").read_text(encoding="utf-8").splitlines()
    assert script[-1] == readme.commands()[1], script


def inspect_explains_a_capture(folder: str) -> None:
    """The commands for files, with a capture under the name that they use."""
    shutil.copy(CAPTURE, Path(folder, "game.pcapng"))
    chosen = [shlex.split(line)[1:] for line in readme.commands() if line.startswith(("gamewire inspect", "gamewire wireshark"))]
    assert len(chosen) == 5, chosen
    for arguments in chosen:
        if "--page" in arguments:
            a_page_shows_the_capture(folder, arguments)
            continue
        ended = subprocess.run(
            [gamewire.GAMEWIRE, *arguments], cwd=folder, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, (arguments, ended.stderr)
        assert ended.stdout or Path(folder, "gamewire.lua").stat().st_size > 0, arguments


def packets(page: str) -> list[object]:
    """Returns the rows of packets that a page has so far."""
    with urllib.request.urlopen(f"{page}api/packets") as answer:
        rows: list[object] = json.load(answer)["rows"]
    return rows


def a_page_shows_the_capture(folder: str, arguments: list[str]) -> None:
    """`inspect --page` runs until Ctrl-C, and its page has the packets of the capture."""
    # Any free port, since another program may have the usual one.
    arguments = ["--page=127.0.0.1:0" if part == "--page" else part for part in arguments]
    shown = subprocess.Popen([gamewire.GAMEWIRE, *arguments], cwd=folder, stderr=subprocess.PIPE, text=True)
    assert shown.stderr is not None
    try:
        with Watchdog(shown):
            line = shown.stderr.readline()
        assert line.startswith("page: "), line
        # The page can be open before the file is read.
        page = line.removeprefix("page: ").strip()
        until(lambda: packets(page), "the page shows no packets")
        shown.send_signal(signal.SIGINT)
        assert shown.wait(LIMIT) == 0
    finally:
        shown.kill()
        shown.stderr.close()
