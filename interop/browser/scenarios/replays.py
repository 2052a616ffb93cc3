"""A replay that the page controls."""

import json
import subprocess
import time

from playwright.sync_api import Page

import gamewire
from page import TEEWORLDS, browser, program, until
from program import LIMIT, Watchdog


def has_stopped(page: Page, snapshots: str) -> int:
    """Waits until a paused replay has sent nothing new for a second and a half. Returns the number of snapshots."""
    end = time.monotonic() + LIMIT
    before, now = -1, page.evaluate(snapshots)
    while now - before >= 3 or before < 0:
        assert time.monotonic() < end, "a paused replay sends nothing new"
        page.wait_for_timeout(1_500)
        before, now = now, page.evaluate(snapshots)
    return int(now)


def a_replay_goes_on_step_by_step() -> None:
    arguments = ["replay", str(TEEWORLDS), "--listen", "teeworlds://127.0.0.1:0", "--json", "--page", "127.0.0.1:0"]
    with program(*arguments, stdout=subprocess.PIPE) as (process, url):
        assert process.stdout is not None
        with Watchdog(process):
            listening = json.loads(process.stdout.readline())
        viewer = subprocess.Popen(
            [gamewire.GAMEWIRE, "join", f"tw-0.7+udp://127.0.0.1:{listening['port']}", "--for", f"{LIMIT}s"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        try:
            with browser(url) as page:
                until(page, "gamewire.list.rows.some((row) => row.summary.includes('snap'))")
                page.click("#replay-pause")
                page.get_by_text("done: pause").wait_for()
                snapshots = "gamewire.list.rows.filter((row) => row.sender === 'server' && row.summary.includes('snap_')).length"
                paused = has_stopped(page, snapshots)
                for _ in range(10):
                    page.click("#replay-step")
                until(page, f"{snapshots} > {paused}")
                page.click("#replay-play")
                until(page, f"{snapshots} > {paused} + 50")
        finally:
            viewer.terminate()
            viewer.wait(LIMIT)
