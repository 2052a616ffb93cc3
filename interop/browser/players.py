"""A player in a browser, in a room with our players over UDP, TCP and WebSocket."""

import json
import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from browsers import Browser, Chromium, Firefox
from certificates import Certificate
from room import Command, connect, pages

COUNT = 1000
# Seconds for which a tab is hidden.
HIDDEN = 60
# A folder for pictures of the pages.
PICTURES = os.environ.get("GAMEWIRE_PICTURES")


class Room:
    """A room that also takes players over `ws` and `wss`, and a page with the client in a browser."""

    def __init__(self, stack: ExitStack, folder: str, browser: str, scheme: str, *more: str) -> None:
        self.stack, self.name = stack, f"{browser}-{scheme}"
        certificate = Certificate(folder)
        options = ("--listen", "127.0.0.1:0", "--ws", "127.0.0.1:0", "--quiet", *certificate.server(), *more)
        self.server = stack.enter_context(Command("serve", "riptide", *options))
        self.port = self.server.wait_for("listening")[0]["port"]
        self.ports = dict(zip(("ws", "wss"), (event["port"] for event in self.server.wait_for("websocket", 2))))
        self.url = f"{scheme}://localhost:{self.ports[scheme]}/"
        kinds: dict[str, Callable[[], Browser]] = {
            "chromium": lambda: Chromium(certificate.key_hash()),
            "firefox": Firefox,
        }
        # Milliseconds between two timers of a hidden page, at least: longer than the timeout of a server, and a second.
        self.slowest_timer = {"chromium": 5_000, "firefox": 900}[browser]
        self.page = stack.enter_context(kinds[browser]())
        self.address = stack.enter_context(pages())
        self.page.open(self.address)
        self.page.until("globalThis.riptide !== undefined")

    def join(self) -> None:
        """Connects the page."""
        connect(self.page, self.url)  # type: ignore[arg-type]
        self.page.until("client.IsConnected")
        assert self.server.wait_for("client_connected")[0]["transport"] == "websocket"

    def other(self, kind: str, port: int) -> Command:
        """Connects one of our players."""
        player = self.stack.enter_context(Command("join", f"riptide-2.1+{kind}://127.0.0.1:{port}"))
        self.server.wait_for("client_connected")
        return player

    def exchange(self) -> None:
        """The page sends 1,000 reliable messages to three players, and each of them sends it 1,000; all arrive once."""
        ports = {"udp": self.port, "tcp": self.port, "ws": self.ports["ws"]}
        players = [self.other(kind, port) for kind, port in ports.items()]
        self.page.evaluate(
            f"""(() => {{ for (let number = 0; number < {COUNT}; number += 1)
                client.Send(riptide.Message.Create(riptide.MessageSendMode.Reliable, 10).AddUInt(number)); }})()"""
        )
        for player in players:
            numbers = [event["hex"][:8] for event in player.wait_for("message", COUNT)]
            assert sorted(numbers) == sorted(number.to_bytes(4, "little").hex() for number in range(COUNT))
        for sender, player in enumerate(players):
            # The messages of a player go to the others, too.
            for number in range(COUNT):
                player.send(json.dumps({"command": "send", "message": {"id": 11 + sender, "values": f"uint:{number}"}}))
        self.page.until(f"client.numbers.length >= {len(players) * COUNT}")
        seen = sorted(tuple(pair) for pair in self.page.evaluate("client.numbers"))
        assert seen == [(11 + sender, number) for sender in range(len(players)) for number in range(COUNT)], len(seen)
        self.page.until("client.Unacknowledged === 0 && client.SmoothRTT > 0")
        self.show()

    def hide(self) -> dict[str, Any]:
        """Opens another tab in front of the page for a minute. Returns what the page has seen."""
        self.page.evaluate(
            """(() => {
                globalThis.seen = { ticks: 0, slowest: 0, hidden: document.hidden };
                let last = performance.now();
                setInterval(() => {
                    seen.slowest = Math.max(seen.slowest, performance.now() - last);
                    last = performance.now();
                    seen.ticks += 1;
                }, 50);
                addEventListener("visibilitychange", () => (seen.hidden = document.hidden));
            })()"""
        )
        udp = self.other("udp", self.port)
        self.page.open_tab_in_front()
        self.page.until("document.hidden")
        ticks = self.page.evaluate("seen.ticks")
        time.sleep(HIDDEN)
        log = self.page.evaluate("client.log")
        assert self.page.evaluate("client.IsConnected && client.SmoothRTT > 0"), log
        udp.send(json.dumps({"command": "send", "message": {"id": 11, "values": "uint:7"}}))
        self.page.until("client.numbers.length === 1")
        seen = self.page.evaluate("({ ...seen, hidden: seen.hidden && document.hidden })")
        seen["ticks"] -= ticks
        # The timers of the page alone would be too slow for its heartbeats in Chromium.
        assert seen["hidden"] and seen["slowest"] > self.slowest_timer, seen
        assert not any('"client_disconnected"' in line for line in self.server.lines.queue)
        return seen

    def show(self) -> None:
        """Shows what the page knows, and keeps a picture of it if there is a folder for it."""
        self.page.evaluate(
            """document.body.innerText = `${navigator.userAgent}
                ${client._address}: client ${client.Id} has received ${client.numbers.length} messages, RTT ${client.SmoothRTT} ms`"""
        )
        picture = self.page.screenshot()
        assert picture.startswith(b"\x89PNG"), picture[:8]
        if PICTURES is not None:
            Path(PICTURES, f"{self.name}.png").write_bytes(picture)


def play(folder: str, browser: str, scheme: str) -> None:
    """A room in which a page and our players exchange messages."""
    with ExitStack() as stack:
        room = Room(stack, folder, browser, scheme)
        room.join()
        room.exchange()
        room.page.evaluate("client.Disconnect()")
        assert room.server.wait_for("client_disconnected")[0]["reason"] == "Disconnected"


def keep_place(folder: str, browser: str, scheme: str) -> dict[str, Any]:
    """A room whose player in a browser hides the tab."""
    with ExitStack() as stack:
        room = Room(stack, folder, browser, scheme)
        room.join()
        return room.hide()


def refuse(folder: str, browser: str, scheme: str) -> None:
    """A room that does not allow the page."""
    with ExitStack() as stack:
        room = Room(stack, folder, browser, scheme, "--ws-origin", "https://game.example")
        connect(room.page, room.url)  # type: ignore[arg-type]
        room.page.until("client.IsNotConnected")
        assert room.page.evaluate("client.log") == [["ConnectionFailed", 0, None]]
        assert room.server.wait_for("origin_refused")[0]["origin"] == room.address.rstrip("/")
