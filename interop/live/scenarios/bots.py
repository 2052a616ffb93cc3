"""The examples that the README shows."""

import subprocess

import gamewire
import player
from program import Watchdog
from servers import Server


def greets_and_follows(example: str) -> None:
    """A bot greets a newcomer by name and follows it."""
    with Server("teeworlds") as server:
        bot = subprocess.Popen(
            [gamewire.EXAMPLES / example, f"127.0.0.1:{server.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        try:
            assert server.logs("team_join", "greeter"), server.log()
            newcomer = player.Player(server.url("tw-0.7+udp"), "--name", "newcomer")
            seen = newcomer.until(chat=lambda chat: chat["text"] == "hello newcomer")
            # What the bot says after its greeting comes before the answer.
            newcomer.command("say", text="hello greeter")
            seen += newcomer.until(chat=lambda chat: chat["text"] == "hello greeter")
            session = newcomer.leave()
            assert session.code == 0, session
            greetings = [event["text"] for event in seen if event["event"] == "chat" and "newcomer" in event["text"]]
            assert greetings == ["hello newcomer"], seen
            assert bot.poll() is None, bot
        finally:
            bot.kill()
            bot.wait()


def in_a_frame_loop() -> None:
    """The blocking example."""
    greets_and_follows("greeter")


def in_async() -> None:
    """The async example."""
    greets_and_follows("greeter_async")


def a_watcher_on_ddnet() -> None:
    """The example of the docs sees its hook, its race, the vote option, and a message without an event."""
    with Server("ddnet-20", sv_map="Sunny Side Up", **{"add_vote restart": "restart"}) as server:
        bot = subprocess.Popen(
            [gamewire.EXAMPLES / "ddnet_watcher", f"127.0.0.1:{server.port}"], stdout=subprocess.PIPE, text=True
        )
        try:
            missing = {"hooks at", "the race began", "last vote option: Some", "] is V06(ExtendedGame(SvCommandInfo("}
            assert bot.stdout is not None
            with Watchdog(bot):
                for line in bot.stdout:
                    missing = {words for words in missing if words not in line}
                    if not missing:
                        break
            assert not missing, missing
        finally:
            bot.kill()
            bot.communicate()
