"""A C# player with the package at `gamewire serve riptide`, and at an echo server with the extension."""

import json
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path

import gamewire
import mono
import program
from runner import Skipped

COUNT = 200


def echoes_over_web_sockets() -> None:
    """Each message returns once in its mode, and our server sees the player join and leave."""
    player = mono.player()
    listen = ["--listen", "127.0.0.1:0", "--ws", "127.0.0.1:0"]
    command = [str(gamewire.GAMEWIRE), "serve", "riptide", *listen, "--echo", "--relay", "none", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout and server.stdin and server.stderr
        try:
            with program.Watchdog(server):
                server.stdout.readline()
                second = server.stdout.readline()
            if not second:
                error = server.stderr.read()
                if "--ws" in error:
                    raise Skipped("this gamewire has no --ws")
                raise AssertionError(error)
            joining = ["mono", str(player), json.loads(second)["url"], str(COUNT)]
            joined = subprocess.run(joining, capture_output=True, text=True, timeout=program.LIMIT)
            assert joined.returncode == 0 and f"received {COUNT}" in joined.stdout, joined.stdout + joined.stderr
            server.stdin.write("stop\n")
            server.stdin.flush()
            with program.Watchdog(server):
                events = [json.loads(line) for line in server.stdout]
        finally:
            server.kill()
    kinds = [event["event"] for event in events]
    assert "client_connected" in kinds and "client_disconnected" in kinds, kinds


def ordered_and_large_messages() -> None:
    """1,000 messages return in the order of sending, with one of 1 MiB among them, over UDP."""
    player = mono.player()
    command = [str(gamewire.EXAMPLES / "riptide_ordered_echo"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            with program.Watchdog(server):
                port = server.stdout.readline().split()[-1]
            sending = ["mono", str(player), f"127.0.0.1:{port}", "1000", "ordered"]
            ended = subprocess.run(sending, capture_output=True, text=True, timeout=program.LIMIT)
        finally:
            server.kill()
        log = server.stdout.read()
    assert ended.returncode == 0, ended.stdout + ended.stderr + log
    assert "in order: 1000, large: 1048576 bytes" in ended.stdout, ended.stdout


class Player:
    """A C# player in a room, from whose output lines are awaited."""

    def __init__(self, address: str, token: str, room: str) -> None:
        command = ["mono", str(mono.rooms()), address, token, room]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def type(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def expect(self, wanted: str) -> None:
        """Waits for a line."""
        assert self.process.stdout
        seen = []
        with program.Watchdog(self.process):
            for line in self.process.stdout:
                seen.append(line.rstrip())
                if seen[-1] == wanted:
                    return
        raise AssertionError(f"expected {wanted!r}, found {seen}")


def rooms_with_tokens_bans_chat_and_positions() -> None:
    """The sample of the package at the example `riptide_rooms`, over UDP and WebSocket."""
    mono.rooms()
    with tempfile.TemporaryDirectory() as folder:
        tokens, bans = Path(folder, "tokens"), Path(folder, "bans")
        tokens.write_text("token-a ann admin\ntoken-b bob\ntoken-e eve\n")
        command = [str(gamewire.EXAMPLES / "riptide_rooms"), str(tokens), str(bans), "127.0.0.1:0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            try:
                with program.Watchdog(server):
                    port = server.stdout.readline().split()[-1]
                play_in_rooms(f"127.0.0.1:{port}")
            finally:
                server.kill()
        assert bans.read_text() == "eve\n"


def play_in_rooms(address: str) -> None:
    with Player(address, "token-x", "attic") as stranger:
        stranger.expect("refused the token is not valid")
    with ExitStack() as players:
        ann = players.enter_context(Player(address, "token-a", "attic"))
        ann.expect("members attic ann")
        bob = players.enter_context(Player(f"ws://{address}", "token-b", "attic"))
        ann.expect("members attic ann,bob")
        bob.type("move 0 1")
        bob.type("Hi there")
        ann.expect("chat bob Hi there")
        with Player(address, "token-e", "cellar") as eve:
            eve.expect("members cellar eve")
            bob.type("/room cellar")
            eve.expect("members cellar bob,eve")
            ann.expect("members attic ann")
            eve.type("/ban bob")
            eve.expect("chat server there is no such command")
            moved(eve, "bob")
            ann.type("/ban eve")
            eve.expect("ended Kicked")
        bob.expect("members cellar bob")
        with Player(address, "token-e", "cellar") as eve:
            eve.expect("refused you are banned")
        with Player(address, "token-a", "attic") as again:
            ann.expect("ended Kicked")
            again.expect("members attic ann")


def moved(player: Player, name: str) -> None:
    """Waits until a player is seen away from the start."""
    assert player.process.stdout
    with program.Watchdog(player.process):
        while True:
            player.type("where")
            for line in player.process.stdout:
                words = line.split()
                if words[:2] == ["at", name]:
                    break
            if float(words[3]) > 0:
                return
