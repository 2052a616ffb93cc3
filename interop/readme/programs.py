"""The programs of the README, each in a new project next to the clone, against other programs."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import readme
from player import Player, visit
from program import LIMIT, Watchdog
from server import Server as FreecivServer
from servers import Server as TeeworldsServer


def built(folder: str, protocol: str) -> Path:
    """Builds a program as a newcomer does and returns its path. Only the target folder is not a new one."""
    clone = Path(folder, "gamewire")
    clone.symlink_to(readme.REPOSITORY)
    project = Path(folder, f"my-{protocol}")
    cargo("new", "--quiet", "--vcs", "none", str(project))
    with (project / "Cargo.toml").open("a", encoding="utf-8") as manifest:
        manifest.write(readme.dependency(protocol))
    (project / "src/main.rs").write_text(readme.program(protocol), encoding="utf-8")
    target = readme.REPOSITORY / "target/readme"
    cargo("build", "--quiet", "--manifest-path", str(project / "Cargo.toml"), "--target-dir", str(target))
    return target / "debug" / project.name


def cargo(*arguments: str) -> None:
    """Runs cargo and checks that it prints nothing: no error and no warning."""
    ended = subprocess.run(["cargo", *arguments], capture_output=True, text=True, check=False)
    assert ended.returncode == 0 and ended.stderr == "", ended.stderr


class Running:
    """A program of the README, which runs for the duration of a `with` block."""

    def __init__(self, command: Sequence[object]) -> None:
        self.process = subprocess.Popen(
            [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def __enter__(self) -> "subprocess.Popen[str]":
        return self.process

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


def the_riptide_server_echoes(folder: str) -> None:
    """The server, and a client that sends it a message."""
    with Running([built(folder, "riptide"), 0]) as server:
        assert server.stdout is not None
        with Watchdog(server):
            words, port = server.stdout.readline().strip().rsplit(" ", 1)
        assert words == "listening on port", words
        url = f"riptide://127.0.0.1:{port}"
        client = Player(url, "--send", '7 string:"hello"')
        assert client.wait_for("message")["id"] == 7
        session = client.leave()
        assert session.code == 0 and not session.all("message"), session


def the_teeworlds_bot_greets(folder: str) -> None:
    """The bot, and a player who joins after it."""
    program = built(folder, "teeworlds")
    with TeeworldsServer("teeworlds") as server, Running([program, f"127.0.0.1:{server.port}"]) as bot:
        assert server.logs("team_join", "greeter"), server.log()
        greeted = {"chat": lambda chat: chat["text"] == "hello newcomer"}
        session = visit(server.url("teeworlds"), "--name", "newcomer", **greeted)
        assert any(chat["text"] == "hello newcomer" for chat in session.all("chat")), session
        assert bot.poll() is None, bot


def the_freeciv_player_plays_20_turns(folder: str) -> None:
    """The player alone against the AI, until it ends."""
    program = built(folder, "freeciv")
    with FreecivServer() as server, Running([program, server.address]) as player:
        out, err = player.communicate(timeout=LIMIT)
        assert player.returncode == 0 and err == "", (out, err)
        turns = [line for line in out.splitlines() if line.startswith("turn ")]
        assert len(turns) == 20 and turns[0].startswith("turn 1: "), out
        assert not turns[-1].endswith(": 0 cities"), out
