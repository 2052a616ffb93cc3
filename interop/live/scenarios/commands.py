"""Commands in JSON on standard input, and the script of the docs."""

import subprocess
import sys
from pathlib import Path

import gamewire
import player
from program import LIMIT
from servers import Server

CHAT_BOT = Path(__file__).resolve().parents[3] / "docs/scripts/chat_bot.py"


def the_chat_bot_of_the_docs_talks() -> None:
    """The script greets a player, repeats a line, and leaves on request."""
    for kind, scheme in (("teeworlds", "tw-0.7+udp"), ("ddnet", "tw-0.6+udp")):
        with Server(kind) as server:
            bot = subprocess.Popen([sys.executable, CHAT_BOT, server.url(scheme), gamewire.GAMEWIRE], stderr=subprocess.PIPE)
            assert server.logs("chat", "parrot", "hello, I repeat"), server.log()
            guest = player.Player(server.url(scheme), "--name", "guest")
            assert server.logs("chat", "parrot", "welcome, guest"), server.log()
            guest.command("say", text="polly")
            assert server.logs("chat", "parrot", "guest says: polly"), server.log()
            while guest.wait_for("emoticon")["emoticon"] != "music":
                pass
            guest.command("say", text="bye")
            assert bot.wait(LIMIT) == 0, bot.communicate()
            guest.wait_for("left")
            guest.command("leave")
            assert guest.end().code == 0


def a_session_by_commands() -> None:
    """Chat, input, a team and an emoticon reach the server; wrong lines are answered and the session continues."""
    with Server("teeworlds") as server:
        session = player.Player(server.url("tw-0.7+udp"), "--name", "me")
        session.wait_for("entered")
        for line in ("{", "{}", '{"command": "sing"}', '{"command": "say"}', '{"command": "emoticon", "emoticon": "cry"}'):
            session.type(line)
            assert session.wait_for("command_error")["line"] == line
        session.command("set_input", direction=1, jump=True)
        session.command("say", text="{ in braces")
        assert session.wait_for("chat")["text"] == "{ in braces"
        session.type("plain text")
        assert session.wait_for("chat")["text"] == "plain text"
        session.command("emoticon", emoticon="hearts")
        assert session.wait_for("emoticon")["emoticon"] == "hearts"
        session.command("set_team", team="spectators")
        assert session.wait_for("team")["team"] == "spectators"
        session.type("/quit")
        assert session.end().code == 0
