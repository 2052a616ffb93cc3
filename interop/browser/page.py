"""A program with a page, and the page in a browser."""

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

import gamewire
from program import LIMIT, Watchdog
from runner import Skipped

CAPTURES = Path("vectors").resolve()
TEEWORLDS = CAPTURES / "teeworlds/captures/tw-0.7-two-clients.pcap"
# Its server sent the map.
TEEWORLDS_MAP = CAPTURES / "teeworlds/captures/tw-0.7-ddnet-20.pcap"
FREECIV = CAPTURES / "freeciv/captures/game.pcap"
RIPTIDE = CAPTURES / "riptide/captures/pytide-2.1.0a0-udp.pcapng"


# The last object that the page has received with each set of members.
RECEIVED = """(() => {
    const { parse } = JSON;
    globalThis.received = new Map();
    JSON.parse = (text) => {
        const value = parse(text);
        if (value !== null && typeof value === "object" && !Array.isArray(value)) received.set(Object.keys(value).join(), value);
        return value;
    };
})()"""


def check_received(page: Page) -> None:
    """Checks what the page has received against its schema."""
    for value in page.evaluate("[...received.values()]") if gamewire.jsonschema is not None else []:
        # A command that was executed, and a request that was refused.
        if value and value.keys() != {"error"}:
            assert gamewire.validator("page").is_valid(value), f"not in docs/schema/page.json: {json.dumps(value)[:4000]}"


@contextmanager
def program(*arguments: str, **options: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Runs the command until the end of the block, and returns it with the address of its page."""
    options.setdefault("stdout", subprocess.DEVNULL)
    process = subprocess.Popen([gamewire.GAMEWIRE, *arguments], stderr=subprocess.PIPE, text=True, **options)
    assert process.stderr is not None
    try:
        with Watchdog(process):
            line = process.stderr.readline()
            # A fleet may say before the page is there that it is not connected.
            while line.startswith("warning: NATS"):
                line = process.stderr.readline()
        assert line.startswith("page: "), line + process.stderr.read()
        yield process, line.removeprefix("page: ").strip()
    finally:
        process.terminate()
        process.wait(LIMIT)
        process.stderr.close()


@contextmanager
def browser(url: str, width: int = 1400, height: int = 900, scheme: str = "light", *expected: str) -> Iterator[Page]:
    """Opens an address. A message on the console, an error in a script or a request to elsewhere fails."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise Skipped("no chromium")
    troubles: list[str] = []
    with sync_playwright() as playwright:
        # As root Chromium cannot use its sandbox.
        launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        # A context can have several pages.
        page = launched.new_context(viewport={"width": width, "height": height}, color_scheme=scheme).new_page()
        page.set_default_timeout(LIMIT * 1000)
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"script: {error}"))
        page.on("request", lambda request: request.url.startswith((url.split("#")[0], "data:", "blob:")) or troubles.append(request.url))
        page.on("dialog", lambda dialog: troubles.append(f"dialog: {dialog.message}"))
        page.add_init_script(RECEIVED)
        page.goto(url)
        until(page, "globalThis.gamewire !== undefined", lambda: troubles)
        yield page
        check_received(page)
        launched.close()
    known = ("status of 400", *expected)
    troubles = [trouble for trouble in troubles if not any(part in trouble for part in known)]
    assert not troubles, troubles


@contextmanager
def capture(path: Path, *arguments: str, **size: Any) -> Iterator[Page]:
    """Shows a capture."""
    with program("inspect", "--page=127.0.0.1:0", *arguments, str(path)) as (_, url), browser(url, **size) as page:
        page.locator(".row").first.wait_for()
        yield page


@contextmanager
def demo(*arguments: str, **size: Any) -> Iterator[Page]:
    """Shows the demo."""
    with program("demo", "--json", "--page", "127.0.0.1:0", *arguments) as (_, url), browser(url, **size) as page:
        page.locator(".row").first.wait_for()
        yield page


def until(page: Page, expression: str, details: Callable[[], object] = lambda: "") -> None:
    """Waits until an expression holds. The page's own policy forbids what Playwright does for this."""
    end = time.monotonic() + LIMIT
    while not page.evaluate(expression):
        assert time.monotonic() < end, (expression, page.inner_text("body"), details())
        page.wait_for_timeout(50)


# There are rows, and they are drawn.
SHOWN = "gamewire.list.rows.length > 0 && !gamewire.list.isDrawing"


def pause(page: Page) -> None:
    """Stops the list, so that its rows stay where they are."""
    page.click("#pause")
    until(page, "gamewire.list.isPaused && !gamewire.list.isDrawing")


def show_only(page: Page, kind: str) -> None:
    """Chooses the packets of a kind, and waits until the list shows rows of it."""
    page.select_option("#only", kind)
    until(page, f"gamewire.list.state.selection.only === {json.dumps(kind)} && {SHOWN}")


def set_filter(page: Page, text: str) -> None:
    """Types a filter, and waits until the list shows rows of it."""
    page.fill("#filter", text)
    page.press("#filter", "Enter")
    until(page, f"gamewire.list.state.selection.filter === {json.dumps(text)} && {SHOWN}")


def summaries(page: Page) -> list[str]:
    """Returns the summaries of the rows that can be seen."""
    return page.locator(".row .x").all_text_contents()


# The newest rows.
PACKETS = """Promise.all(gamewire.list.rows.slice(-30).map(async ({ number }) =>
    (await fetch(`/api/packet?source=${gamewire.source}&number=${number}`)).text()))"""


def packets(page: Page) -> list[str]:
    """Returns the packets of the newest rows, whole: a summary is cut if a packet has many messages."""
    return page.evaluate(PACKETS)
