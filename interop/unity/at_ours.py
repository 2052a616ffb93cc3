"""A C# player with the package at `gamewire serve riptide`, and at an echo server with the extension."""

import json
import subprocess

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
