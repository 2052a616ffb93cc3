"""Traffic that is there now."""

import json
import re
import time
import urllib.request

from page import browser, demo, packets, pause, program, set_filter, show_only, summaries, until
from program import LIMIT
from program import until as wait_until
from screen import Terminal


def messages_of_every_dialect_arrive() -> None:
    with demo("--players", "1") as page:
        until(page, "gamewire.conversations.rows.size === 9")
        dialects = set(page.locator("#conversations tbody td:nth-child(3)").all_text_contents())
        expected = {"tw-0.6", "tw-0.6.5", "tw-0.6-tken", "tw-0.7", "riptide-2.0", "riptide-2.1", "freeciv-3.0"}
        assert dialects == expected, dialects
        before = page.evaluate("gamewire.list.next")
        until(page, f"gamewire.list.next > {before} + 200")
        page.locator("#conversations td:nth-child(4)", has_text="playing").nth(7).wait_for()
        page.locator("#conversations td:nth-child(4)", has_text=re.compile("^turn [0-9]+$")).wait_for()
        player = page.locator("#conversations tbody tr", has=page.locator("td:nth-child(2)", has_text="tw-0.6-1"))
        trip = player.locator("td:nth-child(9)").inner_text()
        # In milliseconds, of which the link alone takes more than 20.
        assert 20 < float(trip) < 10_000, trip
        until(page, "gamewire.charts.plots[0].data[1].some((rate) => rate > 10)")


def a_filter_shows_only_what_it_matches() -> None:
    with demo("--players", "1") as page:
        set_filter(page, "teeworlds.chat")
        until(page, "gamewire.list.rows.length > 30")
        assert all('"chat"' in text for text in packets(page)), packets(page)
        assert page.evaluate("gamewire.list.rows.every((row, at, all) => at === 0 || row.number > all[at - 1].number)")
        page.fill("#filter", "teeworlds.chatt")
        page.press("#filter", "Enter")
        page.locator("#filter-error").wait_for()
        assert "teeworlds.chat" in page.inner_text("#filter-error")


def a_conversation_that_is_chosen_is_shown_alone() -> None:
    with demo("--players", "1") as page:
        page.locator("#conversations tbody tr[data-conversation='3']").click()
        until(page, "gamewire.list.rows.length > 5 && gamewire.list.rows.every((row) => row.conversation === 3)")
        page.locator("#conversations tbody tr[data-conversation='3']").click()
        until(page, "gamewire.list.rows.some((row) => row.conversation !== 3)")


# Many rows arrive; before they are drawn, the pointer is over a row.
PICKED = """(() => {
    const { list } = gamewire;
    const last = list.rows.at(-1);
    const rows = Array.from({ length: 500 }, (_, at) => ({ ...last, number: last.number + 1 + at }));
    list.append({ rows, skipped: 0, unseen: 0, next: list.next });
    const box = list.box.getBoundingClientRect();
    return document.elementFromPoint(box.x + 200, box.y + box.height / 2).closest(".row") !== null;
})()"""

# The list is told to follow while the event of an earlier scroll has not come yet.
FOLLOWED = """new Promise((resolve) => {
    const { list } = gamewire;
    list.dispatch({ type: "chosen", number: list.rows[0].number });
    list.box.scrollTop -= 2000;
    list.follow();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(list.state.name === "following")));
})"""


def a_packet_of_a_list_that_moves_is_picked() -> None:
    with demo("--players", "4") as page:
        until(page, "gamewire.list.rows.length > 300")
        for _ in range(5):
            box = page.locator("#list").bounding_box()
            assert box is not None
            before = page.inner_text("#details-title")
            page.mouse.move(box["x"] + 200, box["y"] + box["height"] / 2)
            page.mouse.down()
            page.wait_for_timeout(150)
            page.mouse.up()
            until(page, f"document.getElementById('details-title').textContent !== {before!r}")
            page.click("#newest")
            # The picked row is out of sight: the same place has another packet.
            until(page, "gamewire.list.state.name === 'following' && !document.querySelector('.row[aria-selected=true]')")
        assert page.evaluate(FOLLOWED), "an earlier scroll does not end the following"
        assert page.evaluate(PICKED), "there is a row under the pointer before and after the list moves"


def chat_is_shown_alone() -> None:
    with demo("--players", "1") as page:
        show_only(page, "chat")
        until(page, "gamewire.list.rows.length > 10")
        shown = packets(page)
        # Of Teeworlds and Freeciv.
        names = ("say", "chat", "chat_msg", "early_chat_msg", "chat_msg_req")
        assert all(any(f'"{name}"' in text for name in names) for text in shown), shown
        assert any('"say"' in text for text in shown) and any('"chat"' in text for text in shown), shown
        page.fill("#filter", "riptide.connect")
        page.press("#filter", "Enter")
        page.locator("#no-rows").wait_for()


def pause_keeps_the_list_and_going_on_shows_what_is_new() -> None:
    with demo("--players", "1") as page:
        until(page, "gamewire.list.rows.length > 100")
        page.click("#pause")
        before = page.evaluate("gamewire.list.rows.length")
        time.sleep(1.5)
        assert page.evaluate("gamewire.list.rows.length") == before
        last = page.evaluate("gamewire.list.rows.at(-1).number")
        page.click("#pause")
        until(page, f"gamewire.list.rows.at(-1)?.number > {last}")


def the_loss_of_the_link_is_changed() -> None:
    with demo("--players", "1", "--impair", "delay=5ms") as page:
        until(page, "gamewire.conversations.rows.size === 9")
        assert " 0 lost" in page.inner_text("#totals")
        until(page, "document.getElementById('link').value === 'delay=5ms'")
        page.fill("#link", "loss=30%,delay=5ms")
        page.click("#link-set")
        page.get_by_text("done: link both loss=30%,delay=5ms").wait_for()
        until(page, "/ [1-9][0-9]+ lost/.test(document.getElementById('totals').textContent)")
        page.select_option("#only", "lost")
        input_lost = "lost on the link to the server: input"
        until(page, "gamewire.list.rows.length > 3 && gamewire.list.rows.every((row) => row.lost)")
        until(page, f"gamewire.list.rows.slice(-5).some((row) => row.summary.includes({input_lost!r}))")
        pause(page)
        assert all("lost on the link to the" in text for text in summaries(page))
        # Its bytes are read as those of the same dialect, and it has a link to the packet that arrived here.
        page.locator(".row", has_text=input_lost).last.click()
        page.locator(".node.message", has_text="input").wait_for()
        page.locator(".notes button", has_text="it arrived here as packet").click()
        page.locator(".notes", has_text="after it arrived here").wait_for()
        page.click("#details-back")
        page.locator(".notes", has_text="its receiver never got it").wait_for()
        page.fill("#link", "loss=200%")
        page.click("#link-set")
        page.get_by_text("expected a fraction").wait_for()


def what_is_downloaded_is_what_was_shown(folder: str) -> None:
    import json

    import gamewire

    with demo("--players", "1") as page:
        until(page, "gamewire.list.next > 2000")
        page.click("#pause")
        with page.expect_download() as download:
            page.click("#download-pcapng")
        download.value.save_as(f"{folder}/live.pcapng")
        with page.expect_download() as download:
            page.click("#download-ndjson")
        download.value.save_as(f"{folder}/live.ndjson")
    read = gamewire.run("inspect", f"{folder}/live.pcapng", "-z", "--json")
    totals = json.loads(read.stdout)
    assert read.returncode == 0 and len(totals["conversations"]) == 9, read
    with open(f"{folder}/live.ndjson") as lines:
        kinds = {json.loads(line)["protocol"] for line in lines}
    assert kinds == {"teeworlds", "riptide", "freeciv"}, kinds


def a_program_that_has_ended_leaves_what_it_sent() -> None:
    with program("demo", "--json", "--page", "127.0.0.1:0", "--players", "1") as (process, url), browser(
        url, 1400, 900, "light", "ERR_INCOMPLETE", "ERR_CONNECTION"
    ) as page:
        until(page, "gamewire.list.rows.length > 100")
        process.terminate()
        process.wait(LIMIT)
        page.get_by_text("The program does not answer").wait_for()
        assert page.evaluate("gamewire.list.rows.length") > 100
        page.evaluate("gamewire.events.close()")


def the_page_fits_narrow_windows_and_dark_rooms() -> None:
    with demo("--players", "1", width=390, height=800, scheme="dark") as page:
        until(page, "gamewire.list.rows.length > 20")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert all(int(part) < 60 for part in background[4:-1].split(",")), background


# A player's row on the terminal: the name, and the last four columns.
PLAYER = re.compile(r"([a-z]+-\S+) .* ([0-9.]*) +([0-9]+) +([0-9]+) +([0-9]+) *$")


def the_terminal_has_the_figures_of_the_page_and_messages_stay_for_a_second() -> None:
    terminal = Terminal("demo", "--page", "127.0.0.1:0", "--players", "1")
    terminal.waits_for_rows(lambda rows: sum("turn" in row or "playing" in row for row in rows) == 9)
    url = re.search(r"http://\S+/", terminal.rows()[0])
    assert url is not None, terminal.rows()

    def figures() -> dict[str, list[int]]:
        with urllib.request.urlopen(f"{url[0]}api/status", timeout=LIMIT) as answer:
            status = json.load(answer)
        sides = ("to_server", "to_client")
        return {
            known["name"]: [sum(known[side][name] for side in sides) for name in ("lost", "resent")] + [known["errors"]]
            for known in status["conversations"]
        }

    def shown() -> dict[str, list[int]]:
        terminal.read()
        found = [PLAYER.match(row) for row in terminal.rows()]
        return {row[1]: [int(row[column]) for column in (3, 4, 5)] for row in found if row is not None}

    # It is drawn ten times a second.
    before = figures()
    wait_until(lambda: len(shown()) == 9 and all(values >= before[name] for name, values in shown().items()), terminal.rows)
    found, after = shown(), figures()
    for name, values in found.items():
        assert all(low <= value <= high for low, value, high in zip(before[name], values, after[name])), (name, values)
    began, changes, messages = time.monotonic(), 0, terminal.rows()[12:23]
    while time.monotonic() < began + 5:
        time.sleep(0.05)
        terminal.read()
        changes += messages != terminal.rows()[12:23]
        messages = terminal.rows()[12:23]
    # Each second they change once, in one or two drawn parts.
    assert changes <= 14, changes
    terminal.type("q")
    assert terminal.ends("errors") == 0
