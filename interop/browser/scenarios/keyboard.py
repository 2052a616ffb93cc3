"""The page without a mouse."""

from page import TEEWORLDS, capture, demo, until


def every_control_is_reached_by_tab() -> None:
    with demo("--players", "1") as page:
        until(page, "gamewire.conversations.rows.size === 9")
        # A picked packet stops the list, so that there is a way back to the newest ones.
        page.keyboard.press("ArrowUp")
        page.locator("#newest:enabled").wait_for()
        wanted = set(page.evaluate(
            "Array.from(document.querySelectorAll('header button, header a, header select, .bar button, .bar input, .bar select,"
            "#controls button, #controls input, #controls select, #list')).filter((element) => element.offsetParent).map((element) => element.id || element.textContent)"
        ))
        reached = set()
        for _ in range(80):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("document.activeElement.id || document.activeElement.textContent"))
        assert wanted <= reached, wanted - reached


def keys_alone_find_the_bytes_of_a_field() -> None:
    with capture(TEEWORLDS) as page:
        page.keyboard.press("/")
        page.keyboard.type("teeworlds.start_info")
        page.keyboard.press("Enter")
        until(page, "gamewire.list.rows.length === 2")
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowDown")
        page.locator(".node", has_text="name: ").first.wait_for()
        page.keyboard.press("Enter")
        for _ in range(40):
            if page.locator(".node.marked", has_text="name: \"nameless tee\"").count():
                break
            page.keyboard.press("ArrowDown")
        marked = "".join(page.locator(".letter.marked").all_text_contents())
        assert marked.rstrip("·") == "nameless tee", marked
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.id") == "list"


def keys_choose_a_conversation_and_pause() -> None:
    with demo("--players", "1") as page:
        until(page, "gamewire.conversations.rows.size === 9")
        page.keyboard.press("c")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        until(page, "gamewire.selection.conversation === 2")
        page.keyboard.press("Escape")
        page.keyboard.press(" ")
        until(page, "gamewire.list.isPaused")
        page.keyboard.press("?")
        page.locator("#help-dialog[open]").wait_for()
        page.keyboard.press("Escape")
        page.keyboard.press("x")
        page.locator("#paste-dialog[open]").wait_for()
