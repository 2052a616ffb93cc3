"""`gamewire replay` of a conversation of the Python port, to its client and to its server, and to ours."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import gamewire
from ours import Ours
from program import LIMIT, Watchdog
from proxy import Proxy
from theirs import TheirClient, TheirServer, for_a_while, until

COUNT = 20
SENT = [("reliable", 10, value) for value in range(COUNT)] + [("unreliable", 11, -value) for value in range(COUNT)]
EXPECTED = sorted((number, value) for _, number, value in SENT)


def record(transport: str, recording: Path) -> None:
    """Records a client that connects with data and sends messages, which the server sends back, through the proxy."""
    server = TheirServer(transport, password="let me in")
    with Proxy(f"riptide-2.1+{transport}", server.port) as proxy:
        client = TheirClient(transport, proxy.port, "let me in")
        until([server, client], lambda: client.is_connected, "the client is accepted")
        for mode, number, value in SENT:
            client.send(mode, number, value)
            for_a_while([server, client], 0.01)
        until([server, client], lambda: sorted(client.values) == EXPECTED, "every echo arrives")
        server.kick(client.peer.id, "bye")
        until([server, client], lambda: bool(client.ended), "the client is kicked")
        server.stop()
        proxy.stop()
        recording.write_bytes(proxy.recording.read_bytes())


class Replay:
    """`gamewire replay --listen`, for the duration of a `with` block."""

    def __init__(self, recording: Path, transport: str, *options: str) -> None:
        listen = f"riptide-2.1+{transport}://127.0.0.1:0"
        self.arguments = ["replay", str(recording), "--listen", listen, "--json", *options]
        self.process = subprocess.Popen(
            [gamewire.GAMEWIRE, *self.arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        with Watchdog(self.process):
            self.lines = [self.process.stdout.readline()]
        self.port: int = json.loads(self.lines[0])["port"]

    def __enter__(self) -> "Replay":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def command(self, **fields: Any) -> None:
        """Writes a command to standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(fields) + "\n")
        self.process.stdin.flush()

    def stop(self) -> dict[str, Any]:
        """Stops it and returns the summary."""
        self.command(command="stop")
        assert self.process.stdout is not None
        self.lines += self.process.stdout.read().splitlines()
        assert self.process.wait(LIMIT) == 0
        gamewire.check_output(self.arguments, self.lines)
        (summary,) = [json.loads(line) for line in self.lines if '"summary"' in line]
        return summary


def play(transport: str, other: str) -> None:
    """Records over one transport, and replays over both."""
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder, "game.pcapng")
        record(transport, recording)
        for over in (transport, other):
            with Replay(recording, over, "--paused", "--speed", "4") as replay:
                client = TheirClient(over, replay.port, "whatever")
                until([client], lambda client=client: client.is_connected, "their client is accepted")
                for_a_while([client], 0.3)
                assert client.values == [], f"paused: {client.values}"
                replay.command(command="play")
                until([client], lambda client=client: bool(client.ended), "the recorded kick arrives")
                assert sorted(client.values) == EXPECTED and client.ended == [(4, "bye")], client.ended
                with Ours("join", f"riptide-2.1+{over}://127.0.0.1:{replay.port}") as ours:
                    until([], ours.has_ended, "the recorded kick reaches our client")
                    assert sorted(ours.values()) == EXPECTED, ours
                summary = replay.stop()
                assert summary["viewers"] == summary["finished"] == 2, summary
            to_their_server(recording, over)


def to_their_server(recording: Path, transport: str) -> None:
    """Their server gets what the recorded client sent, and accepts its connect data."""
    server = TheirServer(transport, password="let me in")
    received: list[tuple[int, int]] = []
    server.peer.MessageReceived -= server.echo
    server.peer.MessageReceived += lambda _, number, message: received.append((number, message.getInt32()))
    url = f"riptide-2.1+{transport}://127.0.0.1:{server.port}"
    replay = subprocess.Popen(
        [gamewire.GAMEWIRE, "replay", str(recording), "--to", url, "--speed", "4", "--json"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        until([server], lambda: replay.poll() is not None, "the replay ends")
        for_a_while([server], 0.2)
        output = replay.stdout.read() if replay.stdout else ""
        assert replay.returncode == 0, output
        assert sorted(received) == EXPECTED, (received, output)
    finally:
        replay.kill()
        replay.communicate()
        server.stop()


def recorded_over_udp() -> None:
    """A recording of datagrams, replayed over UDP and TCP."""
    play("udp", "tcp")


def recorded_over_tcp() -> None:
    """A recording of streams, replayed over TCP and UDP."""
    play("tcp", "udp")
