"""A newcomer's five tasks, with nothing but the page."""

from page import TEEWORLDS, capture, demo, pause, set_filter, show_only, summaries, until


def find_the_chat_line_of_a_player() -> None:
    with demo("--players", "1") as page:
        set_filter(page, 'teeworlds.chat.text contains "tw-0.7-1"')
        page.locator(".row", has_text="tw-0.7-1 has received").first.wait_for()
        # Its name is also in what the server says of it.
        assert all("tw-0.7-1" in text for text in summaries(page)), summaries(page)


def find_the_datagrams_that_were_lost() -> None:
    with demo("--players", "1", "--impair", "loss=10%") as page:
        show_only(page, "lost")
        pause(page)
        page.locator(".row.lost").last.click()
        page.get_by_text("its receiver never got it").wait_for()
        assert page.locator(".byte").count() > 0


def find_what_changed_in_a_snapshot() -> None:
    with capture(TEEWORLDS) as page:
        set_filter(page, "teeworlds.snapshot.character")
        page.locator(".row").nth(5).click()
        page.click("#tab-snapshot")
        page.locator(".changes tbody tr").first.wait_for()
        assert page.locator(".changes thead").inner_text().split() == ["Item", "Field", "Before", "Now"]


def find_why_a_message_was_resent() -> None:
    with demo("--players", "2", "--impair", "loss=20%,delay=10ms") as page:
        show_only(page, "resent")
        pause(page)
        page.locator(".row.resent").last.click()
        page.locator(".notes", has_text="was sent before").wait_for()
        page.locator(".notes button", has_text="first sent in packet").click()
        until(page, "gamewire.details.asked === `${gamewire.source}/${gamewire.list.chosen}`")
        assert page.input_value("#only") == "", "the list shows all packets around it"
        page.locator(".row[aria-selected=true]").wait_for()


def find_the_bytes_of_a_field() -> None:
    with capture(TEEWORLDS) as page:
        set_filter(page, "teeworlds.start_info")
        page.locator(".row").first.click()
        page.locator(".node", has_text="skin_part_names").first.hover()
        assert page.locator(".byte.marked").count() >= 6
