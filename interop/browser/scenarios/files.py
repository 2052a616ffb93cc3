"""Captures."""

import base64
import json
from pathlib import Path

import gamewire
from page import FREECIV, RIPTIDE, SHOWN, TEEWORLDS, TEEWORLDS_MAP, browser, capture, program, set_filter, until


def pointing_at_a_field_marks_its_bytes_and_bits() -> None:
    with capture(TEEWORLDS) as page:
        page.locator(".row").nth(12).click()
        page.locator(".node", has_text="compression: true").hover()
        assert page.locator(".byte.part").count() == 1 and page.locator(".bit.marked").count() == 1
        assert page.inner_text(".bit.marked") == "1"
        # The token is bytes 3 to 6 of the datagram.
        page.locator(".node", has_text="token: ").first.hover()
        marked = page.locator("[data-source='0'] .byte.marked")
        assert [cell.get_attribute("data-at") for cell in marked.all()] == ["3", "4", "5", "6"]
        assert "".join(marked.all_text_contents()) == page.locator(".node.marked").inner_text().split(": ")[1].split()[0]
        # And pointing at a byte marks its field.
        page.locator("[data-source='0'] [data-at='2']").hover()
        assert "chunks: 3" in page.inner_text(".node.marked")


def bits_are_counted_from_the_lowest_one_in_riptide() -> None:
    with capture(RIPTIDE) as page:
        page.locator(".row", has_text="ack ").first.click()
        page.locator(".node", has_text="header: Ack").hover()
        shown = page.locator(".bits .bit")
        marks = [("marked" in (bit.get_attribute("class") or "")) for bit in shown.all()]
        assert marks == [False] * 4 + [True] * 4, marks
        assert page.locator(".acks .on").count() >= 1
        assert page.locator(".acks span").count() == 17


def a_snapshot_is_a_table_of_changes_and_a_picture() -> None:
    with capture(TEEWORLDS) as page:
        set_filter(page, "teeworlds.snapshot.character")
        page.locator(".row").nth(11).click()
        page.click("#tab-snapshot")
        page.locator(".changes tbody tr").first.wait_for()
        assert "character 0 (nameless tee)" in page.inner_text(".changes")
        # The x of the character in the packet is that of the picture's legend, in tiles.
        assert "nameless tee at 50, 12" in page.inner_text("#details-body")
        page.locator("canvas.picture").wait_for()


def a_snapshot_is_on_the_map_that_the_server_sent() -> None:
    with capture(TEEWORLDS_MAP) as page:
        set_filter(page, "teeworlds.snapshot.character")
        page.locator(".row").nth(20).click()
        page.click("#tab-snapshot")
        page.locator("canvas.picture").wait_for()
        assert "does not contain the map" not in page.inner_text("#details-body")
        solid = page.evaluate(
            "(() => { const canvas = document.querySelector('canvas.picture');"
            "const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;"
            "let count = 0; for (let at = 0; at < data.length; at += 4) count += data[at] === 0x86 && data[at + 1] === 0x8e;"
            "return count; })()"
        )
        assert solid > 5_000, solid


def a_freeciv_packet_has_its_baseline_and_the_map() -> None:
    with capture(FREECIV) as page:
        set_filter(page, "freeciv.player_info.playerno == 1")
        page.locator(".row").nth(1).click()
        page.get_by_text("not sent, as before").wait_for()
        bits = [int(text) for text in page.locator(".acks .on").all_text_contents()]
        listed = page.evaluate(
            "Array.from(document.querySelectorAll('.node')).filter((node) => node.textContent.includes('set')).length"
        )
        assert bits and listed, (bits, listed)
        page.click("#tab-map")
        page.get_by_text("tiles, ").wait_for()
        assert "28 × 56 tiles" in page.inner_text("#details-body")
        colors = page.evaluate(
            "(() => { const canvas = document.querySelector('canvas.picture');"
            "const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;"
            "const seen = new Set(); for (let at = 0; at < data.length; at += 400) seen.add(data[at] * 65536 + data[at + 1] * 256 + data[at + 2]);"
            "return seen.size; })()"
        )
        assert colors > 5, colors


def a_dropped_file_is_opened() -> None:
    with program("inspect", "--page=127.0.0.1:0") as (_, url), browser(url) as page:
        page.get_by_text("drop a capture here").wait_for()
        drop(page, RIPTIDE.name, RIPTIDE.read_bytes())
        page.locator(".row").first.wait_for()
        assert page.evaluate("gamewire.list.rows.length") == 74
        assert page.locator("#conversations tbody tr").count() == 3
        drop(page, "notes.txt", b"no capture at all")
        page.get_by_text("notes.txt: it is not a capture").wait_for()


def drop(page, name: str, content: bytes) -> None:
    """Drops a file on the page."""
    transfer = page.evaluate_handle(
        """([name, content]) => {
            const transfer = new DataTransfer();
            const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
            transfer.items.add(new File([bytes], name));
            return transfer;
        }""",
        [name, base64.b64encode(content).decode()],
    )
    page.dispatch_event("main", "dragover", {"dataTransfer": transfer})
    assert page.locator("#drop").is_visible()
    page.dispatch_event("main", "drop", {"dataTransfer": transfer})


def the_page_has_what_inspect_prints() -> None:
    """Every row of the capture, and the fields of some packets, are those of `inspect`."""
    printed = gamewire.run("inspect", str(RIPTIDE), "--json", "-V").stdout.splitlines()
    with program("inspect", "--page=127.0.0.1:0", str(RIPTIDE)) as (_, url), browser(url) as page:
        page.locator(".row").first.wait_for()
        for number, line in enumerate(printed, 1):
            known = json.loads(line)
            shown = page.evaluate(f"fetch('/api/packet?number={number}').then((answer) => answer.json())")
            assert [source["hex"] for source in shown["sources"]] == [source["bytes"] for source in known["sources"]]
            assert sorted(leaves(shown["tree"])) == sorted(spans(known)), (number, line)


def leaves(nodes: list) -> list[tuple[int, int, int]]:
    """Returns source and bits of every field of a tree."""
    found = []
    for node in nodes:
        if node["k"] == "field":
            found.append((node["s"], *node["b"]))
        found += leaves(node.get("c", []))
    return found


def spans(value: object) -> list[tuple[int, int, int]]:
    """Returns source and bits of every field of a line of JSON."""
    if isinstance(value, list):
        return [span for part in value for span in spans(part)]
    if not isinstance(value, dict):
        return []
    if set(value) >= {"value", "source", "bits"}:
        return [(value["source"], *value["bits"])]
    return [span for name, part in value.items() if name not in ("sources", "warnings", "errors") for span in spans(part)]


def a_file_that_changes_while_it_is_shown_stays_as_it_was(folder: str) -> None:
    path = Path(folder) / "game.pcapng"
    path.write_bytes(RIPTIDE.read_bytes())
    with capture(path) as page:
        path.write_bytes(b"\0" * 100)
        page.locator(".row").nth(3).click()
        page.locator(".node").first.wait_for()
        assert page.evaluate("gamewire.list.rows.length") == 74


# Every request for rows is answered and drawn.
LOADED = f"gamewire.list.state.request === null && {SHOWN}"


def scroll(page, top: int) -> None:
    """Scrolls the list, and waits until it has the rows there."""
    page.evaluate(f"gamewire.list.box.scrollTop = {top}")
    page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    until(page, LOADED)


def rows_are_loaded_again_after_a_failed_request() -> None:
    with program("inspect", "--page=127.0.0.1:0", str(TEEWORLDS)) as (_, url), browser(
        url, 1400, 900, "light", "ERR_FAILED"
    ) as page:
        page.locator(".row").first.wait_for()
        page.route("**/api/packets?*", lambda route: route.abort())
        scroll(page, 1_000_000)
        page.get_by_text("The program does not answer").wait_for()
        assert page.evaluate("gamewire.list.rows.length") == 500
        page.unroute("**/api/packets?*")
        scroll(page, 5_000)
        scroll(page, 1_000_000)
        assert page.evaluate("gamewire.list.rows.length") == 1000


def a_page_starts_although_files_and_answers_failed_once() -> None:
    """As when a busy machine closes connections: a module, the style and the first answers."""
    wanted = ["**/assets/list_state.js", "**/assets/page.css", "**/api/about?*", "**/api/fields?*", "**/api/status?*"]
    with program("inspect", "--page=127.0.0.1:0", str(TEEWORLDS)) as (_, url), browser(
        url, 1400, 900, "light", "ERR_FAILED"
    ) as page:
        page.locator(".row").first.wait_for()
        failed: list[str] = []

        def fail_once(route) -> None:
            kind = route.request.url.split("?")[0]
            if kind in failed:
                route.continue_()
            else:
                failed.append(kind)
                route.abort()

        for pattern in wanted:
            page.route(pattern, fail_once)
        page.reload()
        page.locator(".row").first.wait_for()
        assert len(failed) == len(wanted), failed
        assert page.locator("#notices").is_hidden()


def a_long_file_keeps_some_rows_and_the_place_that_is_seen() -> None:
    """No capture exceeds the real limit, so the list has a smaller one here."""

    def limit(route) -> None:
        script = route.fetch()
        route.fulfill(response=script, body=script.text().replace("MAX_ROWS = 20000", "MAX_ROWS = 1000"))

    def seen() -> list[int]:
        """Returns the number of kept rows, of the first one, and of the one at the top of the list."""
        top = "gamewire.list.rows[Math.floor(gamewire.list.box.scrollTop / 22)].number"
        return page.evaluate(f"[gamewire.list.rows.length, gamewire.list.rows[0].number, {top}]")

    with capture(TEEWORLDS) as page:
        page.route("**/assets/list_state.js", limit)
        page.reload()
        page.locator(".row").first.wait_for()
        scroll(page, 1_000_000)
        scroll(page, 970 * 22)
        # 500 rows were added at the end, and as many dropped at the start.
        assert seen() == [1000, 501, 971], seen()
        scroll(page, 5 * 22)
        assert seen() == [1000, 1, 506], seen()
        # The dropped rows can be requested again.
        scroll(page, 1_000_000)
        assert seen()[:2] == [1000, 501], seen()


def a_new_name_of_a_player_is_drawn() -> None:
    with capture(TEEWORLDS) as page:
        names = page.locator(".row .c")
        names.filter(has_text="nameless tee").first.wait_for()
        page.evaluate("gamewire.events.close()")
        page.evaluate("gamewire.list.setNames([{ number: 1, name: 'ann' }, { number: 2, name: 'bob' }])")
        names.filter(has_text="ann").first.wait_for()
