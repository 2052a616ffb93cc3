"""The examples that the README shows, as they stand there."""

import subprocess
from pathlib import Path

import player
from servers import Server

# Where cargo puts the built examples; set once, before anything runs.
EXAMPLES = Path()


def greets_and_follows(example: str) -> None:
    """A bot that is in the game greets a newcomer by name and walks towards it."""
    with Server("teeworlds") as server:
        bot = subprocess.Popen(
            [EXAMPLES / example, f"127.0.0.1:{server.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        try:
            assert server.logs("team_join", "greeter", seconds=10), server.log()
            visit = player.join(server.url("tw-0.7+udp"), "--name", "newcomer", "--for", "8s")
            assert visit.code == 0, visit
            greetings = [event["text"] for event in visit.all("chat") if "newcomer" in event["text"]]
            assert greetings == ["hello newcomer"], visit
            assert bot.poll() is None, bot
        finally:
            bot.kill()
            bot.wait()


def in_a_frame_loop() -> None:
    """The blocking one."""
    greets_and_follows("greeter")


def in_async() -> None:
    """The async one."""
    greets_and_follows("greeter_async")
