"""A game without the package at a server with everything switched on.

With GAMEWIRE_RIPTIDE_DLL (see mono.py) it is a game of Riptide itself, over UDP and TCP, with notify messages. The stand-in has
neither TCP nor those.
"""

import os
import secrets
import subprocess
import tempfile
import threading
from pathlib import Path

import mono
import program
from ours import Ours

COUNT = 300
IS_REAL = "GAMEWIRE_RIPTIDE_DLL" in os.environ
GAME = """
[[message]]
id = 10
name = "counted"
fields = ["value: int"]
"""


def play(binary: Path, transport: str, port: int) -> None:
    """Plays a game to its end."""
    command = ["mono", str(binary), transport, f"127.0.0.1:{port}", str(COUNT)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=program.LIMIT)
    assert ended.returncode == 0 and f"returned {COUNT}" in ended.stdout, f"{ended.returncode} {ended.stdout + ended.stderr}"
    assert not IS_REAL or "notify messages: 0" not in ended.stdout, ended.stdout


def a_game_without_the_package_plays_next_to_encrypted_and_websocket_players() -> None:
    """UDP and TCP, WebSocket, a key, names of messages, metrics, health, and defense against forged addresses."""
    binary = mono.tests().with_name("Plain.exe")
    mono.compile_to(binary, [mono.ROOT / "interop/unity/plain"], mono.riptide())
    transports = ("udp", "tcp") if IS_REAL else ("udp",)
    with tempfile.TemporaryDirectory() as folder:
        key, game = Path(folder, "server.key"), Path(folder, "game.toml")
        key.write_text(secrets.token_hex(32))
        game.write_text(GAME)
        everything = (
            "--listen", "127.0.0.1:0", "--ws", "127.0.0.1:0", "--key", str(key), "--messages", str(game), "--metrics", "127.0.0.1:0",
            "--health", "127.0.0.1:0", "--echo", "--relay", "none",
        )  # fmt: skip
        with Ours("serve", "riptide", *everything) as server:
            port = server.port()
            others = ["mono", str(mono.player()), "join", f"udps://127.0.0.1:{port}", str(COUNT), key.read_text(), "player 5"]
            program.until(lambda: server.all("websocket"), lambda: f"a port for browsers: {server}")
            in_browser = ["mono", str(mono.player()), server.all("websocket")[0]["url"], str(COUNT)]
            players = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in (others, in_browser)]
            try:
                threads = [threading.Thread(target=play, args=(binary, transport, port)) for transport in transports[1:]]
                for thread in threads:
                    thread.start()
                play(binary, transports[0], port)
                for thread in threads:
                    thread.join()
                outputs = [player.communicate(timeout=program.LIMIT)[0] for player in players]
            finally:
                for player in players:
                    player.kill()
                    player.wait()
            assert f"returned {COUNT} of {COUNT}, moves 2" in outputs[0] and f"received {COUNT}" in outputs[1], outputs
            left = len(transports) + 2
            program.until(lambda: len(server.all("client_disconnected")) == left, lambda: f"all have left: {server}")
            # Each game has sent each number once; what a thread could not assert is missing here.
            values = [event["fields"]["value"] for event in server.all("message") if event.get("mode") == "reliable"]
            assert all(values.count(number) >= len(transports) + 1 for number in range(COUNT)), len(values)
