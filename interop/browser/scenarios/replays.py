"""A replay that the page controls."""

import subprocess

import gamewire
from page import TEEWORLDS, browser, program, until


def a_replay_goes_on_step_by_step() -> None:
    arguments = ["replay", str(TEEWORLDS), "--listen", "teeworlds://127.0.0.1:0", "--json", "--page", "127.0.0.1:0"]
    with program(*arguments, stdout=subprocess.PIPE) as (process, url):
        assert process.stdout is not None
        listening = __import__("json").loads(process.stdout.readline())
        viewer = subprocess.Popen(
            [gamewire.GAMEWIRE, "join", f"tw-0.7+udp://127.0.0.1:{listening['port']}", "--for", "60s"],
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
                page.wait_for_timeout(1_000)
                paused = page.evaluate(snapshots)
                page.wait_for_timeout(1_500)
                assert page.evaluate(snapshots) - paused < 3, "a paused replay sends nothing new"
                paused = page.evaluate(snapshots)
                for _ in range(10):
                    page.click("#replay-step")
                until(page, f"{snapshots} > {paused}")
                page.click("#replay-play")
                until(page, f"{snapshots} > {paused} + 50")
        finally:
            viewer.terminate()
            viewer.wait(20)
