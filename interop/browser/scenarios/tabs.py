"""Several tabs and pages of one browser, and connections that do nothing."""

import re
import socket
import time
from urllib.parse import urlsplit

from page import TEEWORLDS, browser, demo, program, until
from scenarios.hostile import connections, request

TABS = 6
SHOW = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))"
# The notes of the packets that count as resent.
RESENT = """fetch("/api/packets?only=resent&limit=1000").then((answer) => answer.json()).then(({ rows }) =>
    Promise.all(rows.map(async ({ number }) => (await fetch(`/api/packet?number=${number}`)).text())))"""
ANSWERED = "Promise.race([fetch('/api/about').then(({ status }) => status), new Promise((resolve) => setTimeout(resolve, 60000, 'hangs'))])"


def six_tabs_do_not_block_each_other() -> None:
    with program("demo", "--json", "--page", "127.0.0.1:0", "--players", "1") as (_, url), browser(url) as page:
        tabs = [page, *(page.context.new_page() for _ in range(TABS - 1))]
        for tab in tabs[1:]:
            tab.goto(url)
            until(tab, "globalThis.gamewire !== undefined")
        for tab in tabs:
            assert tab.evaluate(ANSWERED) == 200
            before = tab.evaluate("gamewire.list.next")
            until(tab, f"gamewire.list.next > {before} + 50")
        assert connections(urlsplit(url).port) <= TABS


def a_hidden_tab_requests_nothing_and_goes_on_when_it_is_shown() -> None:
    with demo("--players", "1") as page:
        until(page, "gamewire.list.rows.length > 100 && gamewire.events !== null")
        page.evaluate(SHOW % "true")
        assert page.evaluate("gamewire.events === null")
        requests: list[str] = []
        page.on("request", lambda sent: requests.append(sent.url))
        before = page.evaluate("gamewire.list.next")
        page.wait_for_timeout(2_000)
        assert requests == [] and page.evaluate("gamewire.list.next") == before, requests
        page.evaluate(SHOW % "false")
        until(page, f"gamewire.list.state.name === 'following' && gamewire.list.next > {before} + 100")
        # Rows that are not followed stay.
        page.keyboard.press("ArrowUp")
        until(page, "gamewire.list.state.name === 'scrolled'")
        chosen = page.evaluate("gamewire.list.chosen")
        page.evaluate(SHOW % "true")
        page.evaluate(SHOW % "false")
        until(page, "gamewire.events !== null && !gamewire.list.state.isEnd")
        assert page.evaluate("gamewire.list.chosen") == chosen
        page.keyboard.press("End")
        until(page, "gamewire.list.state.name === 'following'")


def a_page_that_is_opened_late_has_charts_of_what_was_before() -> None:
    with program("demo", "--json", "--page", "127.0.0.1:0", "--players", "1") as (_, url):
        time.sleep(6)
        with browser(url) as page:
            until(page, "gamewire.charts.history.length > 4 && gamewire.charts.plots[0].data[1].some((rate) => rate > 10)")
            page.locator("#conversations tbody tr[data-conversation='3']").click()
            until(page, "gamewire.charts.chosen === 3 && gamewire.charts.plots[0].data[1].length > 3")


def copies_by_the_network_do_not_count_as_resent() -> None:
    with demo("--players", "1", "--impair", "delay=15ms,jitter=5ms,duplicate=20%") as page:
        until(page, "gamewire.list.next > 3000")
        # A busy machine sends some messages again, after more time than a copy takes.
        notes = " ".join(page.evaluate(RESENT))
        assert all(float(time) >= 0.01 for time in re.findall("([0-9.]+) s earlier", notes)), notes


def pages_on_one_host_keep_their_own_tokens() -> None:
    with program("inspect", "--page=0.0.0.0:0", str(TEEWORLDS)) as (_, one), program("inspect", "--page=0.0.0.0:0", str(TEEWORLDS)) as (_, two):
        urls = [url.replace("0.0.0.0", "127.0.0.1") for url in (one, two)]
        expected = [url.split("?")[0] for url in urls]
        with browser(urls[0], 1400, 900, "light", *expected) as page:
            for url in [urls[1], *expected]:
                page.goto(url)
                until(page, "globalThis.gamewire !== undefined && gamewire.list.rows.length > 100")


def g4_idle_connections_do_not_lock_the_page() -> None:
    with program("inspect", "--page=127.0.0.1:0", str(TEEWORLDS)) as (_, url):
        port = urlsplit(url).port
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(70)]
        began = time.monotonic()
        for _ in range(3):
            assert request(url, "GET", "/api/about")[0] == 200
        assert time.monotonic() - began < 30
        for connection in idle:
            # Closed by the page.
            connection.settimeout(120)
            try:
                assert connection.recv(1) == b""
            except ConnectionError:
                pass
            connection.close()
