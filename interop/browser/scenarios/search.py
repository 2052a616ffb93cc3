"""The whole list, of which the page has only a part."""

from page import TEEWORLDS, capture, demo, until

LAST = "gamewire.list.rows.at(-1).number"


def end_and_home_go_to_the_last_and_the_first_packet() -> None:
    with capture(TEEWORLDS) as page:
        end = page.evaluate("gamewire.sources[0].next") - 1
        assert page.evaluate(LAST) < end
        page.focus("#list")
        page.keyboard.press("End")
        until(page, f"gamewire.list.chosen === {end}")
        page.locator(f"#packet-{end}").wait_for()
        assert page.inner_text("#details-title") == f"Packet {end}"
        page.keyboard.press("Home")
        until(page, "gamewire.list.chosen === 1")
        page.locator("#packet-1").wait_for()


def a_text_is_found_in_rows_that_are_not_loaded() -> None:
    with capture(TEEWORLDS) as page:
        page.keyboard.press("f")
        page.keyboard.type("CLOSE")
        page.keyboard.press("Shift+Enter")
        until(page, "gamewire.list.chosen > 1000")
        page.locator(".row[aria-selected=true] mark", has_text="close").wait_for()
        # After the last one, the search continues at the first packet.
        page.fill("#search", "connect token")
        for _ in range(3):
            page.keyboard.press("Enter")
            page.wait_for_timeout(500)
            until(page, "!gamewire.list.isDrawing && gamewire.list.state.name === 'file'")
        page.locator(".row[aria-selected=true] mark", has_text="connect token").wait_for()
        page.fill("#search", "no such text")
        page.keyboard.press("Enter")
        page.get_by_text('No packet of the list contains "no such text".').wait_for()
        page.fill("#search", "")
        until(page, "document.getElementById('found').hidden")


def a_search_of_live_traffic_stays_at_what_it_finds() -> None:
    with demo("--players", "1") as page:
        until(page, "gamewire.list.next > 1500")
        page.keyboard.press("f")
        page.keyboard.type("server_info")
        page.keyboard.press("Enter")
        until(page, "gamewire.list.chosen !== null && gamewire.list.state.name === 'scrolled'")
        assert page.evaluate("gamewire.list.chosen") < 1000
        page.locator(".row[aria-selected=true] mark").wait_for()
