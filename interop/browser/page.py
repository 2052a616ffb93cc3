"""A program with a page, and the page in a browser."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

import gamewire
from runner import Skipped

CAPTURES = Path("vectors").resolve()
TEEWORLDS = CAPTURES / "teeworlds/captures/tw-0.7-two-clients.pcap"
FREECIV = CAPTURES / "freeciv/captures/game.pcap"
RIPTIDE = CAPTURES / "riptide/captures/pytide-2.1.0a0-udp.pcapng"


@contextmanager
def program(*arguments: str, **options: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Runs the command until the end of the block, and returns it with the address of its page."""
    options.setdefault("stdout", subprocess.DEVNULL)
    process = subprocess.Popen([gamewire.GAMEWIRE, *arguments], stderr=subprocess.PIPE, text=True, **options)
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        assert line.startswith("page: "), line + process.stderr.read()
        yield process, line.removeprefix("page: ").strip()
    finally:
        process.terminate()
        process.wait(20)
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
        size = {"width": width, "height": height}
        page = launched.new_page(viewport=size, color_scheme=scheme)
        page.set_default_timeout(20_000)
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"script: {error}"))
        page.on("request", lambda request: request.url.startswith((url.split("#")[0], "data:", "blob:")) or troubles.append(request.url))
        page.on("dialog", lambda dialog: troubles.append(f"dialog: {dialog.message}"))
        page.goto(url)
        until(page, "globalThis.gamewire !== undefined")
        yield page
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


def until(page: Page, expression: str, seconds: float = 20) -> None:
    """Waits until an expression holds. The page's own policy forbids what Playwright does for this."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, (expression, page.inner_text("body"))
        page.wait_for_timeout(50)


def set_filter(page: Page, text: str) -> None:
    """Types a filter, and waits until the list is read again."""
    page.fill("#filter", text)
    with page.expect_response(lambda response: "/api/packets" in response.url):
        page.press("#filter", "Enter")


def summaries(page: Page) -> list[str]:
    """Returns the summaries of the rows that can be seen."""
    return page.locator(".row .x").all_text_contents()
