"""`gamewire proxy` between our player and the real servers."""

import json
import subprocess
from pathlib import Path

import gamewire
from program import free_port
from proxy import Proxy
from server import Server


def games_of_every_version_pass_and_read_back() -> None:
    """Ten turns through the proxy on each version: nothing is refused, and the recording has all packets."""
    for version in ("3.0", "3.1", "3.2"):
        with Server(version=version, aifill="2") as server, Proxy("freeciv", server.port) as proxy:
            ended = gamewire.run("join", proxy.url("freeciv"), "--json", "--name", "alice", "--start", "--turns", "10")
            assert ended.returncode == 0, ended
            assert len(gamewire.events(ended, "turn")) == 10, ended
            summary = proxy.stop()
            assert summary["clients"] == 1, summary
            (closed,) = proxy.all("client_closed")
            assert closed["reason"] == "closed by the client", closed
            replays(proxy.recording)


def replays(recording: Path) -> None:
    """Serves a recording to our client, which sees the game again."""
    port = free_port()
    arguments = ["serve", "freeciv", "--replay", str(recording), "--bind", f"127.0.0.1:{port}", "--turn-time", "50ms"]
    server = subprocess.Popen([gamewire.GAMEWIRE, *arguments, "--json"], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        listening = json.loads(server.stdout.readline())
        assert listening["turns"] >= 10, listening
        url = f"freeciv://127.0.0.1:{port}"
        ended = gamewire.run("join", url, "--json", "--name", "bob", "--manual", "--duration", "3s")
        turns = [event["turn"] for event in gamewire.events(ended, "turn")]
        assert turns and turns[-1] >= 10, ended
    finally:
        server.terminate()
        server.communicate(timeout=10)
