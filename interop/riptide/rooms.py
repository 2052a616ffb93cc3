"""One room for players over UDP, TCP, WebSocket and WebSocket with TLS: ours, the Python port, and JavaScript in Node."""

import json
import shutil
import subprocess
import threading
from contextlib import ExitStack
from pathlib import Path

from certificates import Certificate
from ours import Ours
from program import LIMIT
from runner import Skipped
from theirs import TheirClient, until

COUNT = 1000
SCRIPT = Path(__file__).resolve().parent / "player.mjs"


class NodePlayer:
    """A player with `riptide.js` in Node, over a WebSocket."""

    def __init__(self, address: str, number: int, certificate: Path) -> None:
        # Node 20 has WebSockets behind a flag, later versions ignore it.
        command = ["node", "--no-warnings", "--experimental-websocket", str(SCRIPT), address, str(number)]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "NODE_EXTRA_CA_CERTS": str(certificate)},
        )
        self.events: list[dict] = []
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self) -> None:
        """Collects the events."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.events.append(json.loads(line))

    def all(self, kind: str) -> list[dict]:
        """Returns the events of a kind so far."""
        return [event for event in list(self.events) if event["event"] == kind]

    def values(self) -> list[tuple[int, int]]:
        """Returns ids and values of the messages so far."""
        return [(event["id"], event["value"]) for event in self.all("message")]

    def type(self, line: str) -> None:
        """Writes a line to standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def __enter__(self) -> "NodePlayer":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(LIMIT)
        self.reader.join(LIMIT)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()


def players_of_all_transports_and_languages_receive_each_message_once(folder: str) -> None:
    """Seven players; each sends 1,000 reliable messages and receives those of the six others."""
    if shutil.which("node") is None:
        raise Skipped("no node")
    certificate = Certificate(folder)
    with ExitStack() as stack:
        options = ("--quiet", "--ws", "127.0.0.1:0", *certificate.server())
        server = stack.enter_context(Ours("serve", "riptide", "--bind", "127.0.0.1:0", *options))
        port = server.port()
        until([], lambda: len(server.all("websocket")) == 2, lambda: f"no WebSockets: {server}")
        ws, wss = (event["port"] for event in server.all("websocket"))
        ours = {
            number: stack.enter_context(Ours("join", f"riptide-2.1+{kind}", *ca))
            for number, kind, *ca in [
                (10, f"udp://127.0.0.1:{port}"),
                (11, f"tcp://127.0.0.1:{port}"),
                (12, f"ws://127.0.0.1:{ws}"),
                (13, f"wss://localhost:{wss}", *certificate.client()),
            ]
        }
        nodes = {
            14: stack.enter_context(NodePlayer(f"ws://127.0.0.1:{ws}/", 14, certificate.file)),
            15: stack.enter_context(NodePlayer(f"wss://localhost:{wss}/", 15, certificate.file)),
        }
        theirs = TheirClient("udp", port, "room")
        players = {**ours, **nodes}
        until(
            [theirs],
            lambda: theirs.is_connected and all(player.all("connected") for player in players.values()),
            lambda: f"not all are connected: {server}",
        )

        for number, player in ours.items():
            lines = threading.Thread(
                target=player.type, args=("\n".join(f"reliable {number} int:{value}" for value in range(COUNT)),)
            )
            lines.start()
            stack.callback(lines.join)
        for player in nodes.values():
            player.type(f"send {COUNT}")
        # The port never sends a message again, and on loopback it need not.
        for value in range(COUNT):
            theirs.send("reliable", 16, value)

        wanted = {
            number: sorted((sender, value) for sender in range(10, 17) if sender != number for value in range(COUNT))
            for number in range(10, 17)
        }

        def received() -> dict[int, list[tuple[int, int]]]:
            return {number: player.values() for number, player in players.items()} | {16: theirs.values}

        def counts() -> str:
            return f"{ {number: len(values) for number, values in received().items()} } {server}"

        until([theirs], lambda: all(len(values) >= len(wanted[of]) for of, values in received().items()), counts)
        for number, values in received().items():
            assert sorted(values) == wanted[number], f"{number}: each message once"
        server.type("stop")
        assert server.end() == 0, server
