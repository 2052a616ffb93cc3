"""`gamewire replay` of games that were recorded between our player and the real servers."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import gamewire
import player
from program import LIMIT, Watchdog
from proxy import Proxy
from servers import Server

DIALECTS = (("teeworlds", "tw-0.7+udp"), ("ddnet", "tw-0.6-tken+udp"), ("ddnet", "tw-0.6.4+udp"))


def record(kind: str, scheme: str, recording: Path) -> None:
    """Records a player who downloads the map, walks about and chats."""
    with Server(kind) as server, Proxy("teeworlds", server.port) as proxy, tempfile.TemporaryDirectory() as maps:
        options = ("--name", "recorded", "--say", "once said", "--map-dir", maps)
        session = player.visit(proxy.url(scheme), *options, map=1, chat=1, stays=2)
        assert session.code == 0 and session.one("map")["source"] == "downloaded", session
        proxy.stop()
        recording.write_bytes(proxy.recording.read_bytes())


def games_are_replayed_to_clients_and_to_servers() -> None:
    """A client sees the recorded game with its map; a real server gets what the recorded player sent."""
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder, "game.pcapng")
        for kind, scheme in DIALECTS:
            record(kind, scheme, recording)
            served(recording, scheme, Path(folder, f"maps-{kind}-{scheme}"))
            with Server(kind) as server:
                ended = gamewire.run("replay", str(recording), "--to", server.url(scheme), "--json", "--duration", f"{LIMIT}s")
                assert ended.returncode == 0, ended
                assert server.logs("chat", "recorded", "once said"), (ended, server.log())
                assert server.logs("leave player", "recorded"), server.log()


def served(recording: Path, scheme: str, maps: Path) -> None:
    """Replays to a client at twice the speed, after a pause."""
    arguments = ["replay", str(recording), "--listen", "teeworlds://127.0.0.1:0", "--json", "--paused", "--speed", "2"]
    replay = subprocess.Popen([gamewire.GAMEWIRE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert replay.stdin is not None and replay.stdout is not None
    try:
        with Watchdog(replay):
            listening: dict[str, Any] = json.loads(replay.stdout.readline())
        viewer = player.Player(f"{scheme}://127.0.0.1:{listening['port']}", "--name", "viewer", "--map-dir", str(maps))
        for command in ({"command": "step", "milliseconds": 100}, {"command": "play"}):
            replay.stdin.write(json.dumps(command) + "\n")
            replay.stdin.flush()
        viewer.wait_for("map")
        viewer.wait_for("entered")
        assert viewer.wait_for("chat")["text"] == "once said"
        session = viewer.end()
        assert session.one("closed")["reason"] == "The recording is over", session
        assert session.summary["decode_errors"] == session.summary["snapshots"]["bad"] == 0, session
        replay.stdin.write('{"command": "stop"}\n')
        replay.stdin.flush()
        lines = [json.dumps(listening), *replay.stdout.read().splitlines()]
        assert replay.wait(LIMIT) == 0
        gamewire.check_output(arguments, lines)
        (summary,) = [json.loads(line) for line in lines if '"summary"' in line]
        assert summary["viewers"] == summary["finished"] == 1, summary
    finally:
        replay.kill()
        replay.communicate()
