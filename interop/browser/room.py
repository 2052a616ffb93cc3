"""A room of Riptide for players in browsers, and a page with the client."""

import functools
import json
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import gamewire
from page import Page
from program import LIMIT

CLIENT = Path("web/riptide").resolve()


class Pages(SimpleHTTPRequestHandler):
    """The folder of the client, and an empty page that loads it."""

    # The text of a module with classes of messages.
    messages = ""

    def do_GET(self) -> None:
        if self.path == "/messages.js":
            return self.answer("text/javascript", self.messages.encode())
        if self.path != "/":
            return super().do_GET()
        body = b'<!doctype html><link rel="icon" href="data:,"><body>room<script type="module">import * as riptide from "/riptide.js"; globalThis.riptide = riptide; globalThis.gamewire = {};</script>'
        return self.answer("text/html", body)

    def answer(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def pages(messages: str = "") -> Iterator[str]:
    """Serves the client and a module with classes of messages to browsers, and returns the address."""
    kind = type("PagesOfGame", (Pages,), {"messages": messages})
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(kind, directory=str(CLIENT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


class Command:
    """The command, with commands on its standard input and events in JSON."""

    def __init__(self, *arguments: str) -> None:
        self.arguments = (*arguments, "--json")
        self.process = subprocess.Popen(
            [gamewire.GAMEWIRE, *self.arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.lines: "queue.Queue[str]" = queue.Queue()
        # Read immediately, because a command waits while its output is full.
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)

    def __enter__(self) -> "Command":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(LIMIT)
        self.reader.join(LIMIT)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()

    def wait_for(self, kind: str, count: int = 1) -> list[dict[str, Any]]:
        """Waits for events of a kind, and returns them. Drops the others."""
        found: list[dict[str, Any]] = []
        while len(found) < count:
            line = self.lines.get(timeout=LIMIT)
            gamewire.check_output(self.arguments, [line])
            event = json.loads(line)
            if event["event"] == kind:
                found.append(event)
        return found

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


@contextmanager
def room(*options: str) -> Iterator[tuple[Command, int, str]]:
    """A room, its port for UDP and TCP, and its address for browsers."""
    arguments = ("serve", "riptide", "--listen", "127.0.0.1:0", "--ws", "127.0.0.1:0", *options)
    with Command(*arguments) as server:
        port = server.wait_for("listening")[0]["port"]
        yield server, port, server.wait_for("websocket")[0]["url"]


def connect(page: Page, url: str, name: str = "client") -> None:
    """Connects a client of the page, which counts what it receives."""
    page.evaluate(
        f"""(() => {{
        const {{ Client }} = riptide;
        const client = globalThis[{json.dumps(name)}] = new Client();
        client.log = [];
        client.numbers = [];
        for (const event of ["Connected", "ConnectionFailed", "Disconnected", "Reconnected", "ClientConnected", "ClientDisconnected"])
            client[event].add((details) => client.log.push([event, details.Id ?? details.Reason ?? null, details.Message?.GetString() ?? null]));
        client.MessageReceived.add(({{ MessageId, Message }}) => client.numbers.push([MessageId, Message.GetUInt()]));
        client.Connect({json.dumps(url)});
    }})()"""
    )
