"""Bytes from a bug report."""

import json
import subprocess
from pathlib import Path

import gamewire
from page import CAPTURES, browser, program, until

ACK = "0000  10 00 00 04 54 68 65 20  73 65 72 76 65 72 00     ....The server.\n"


def pasted_bytes_are_explained_and_their_link_opens_them_again() -> None:
    with program("inspect", "--page=127.0.0.1:0") as (_, url), browser(url) as page:
        page.click("#paste")
        page.fill("#paste-hex", ACK)
        page.click("#paste-explain")
        page.locator(".node.message", has_text="close").wait_for()
        assert page.inner_text("#details-title").startswith("Pasted bytes as tw-0.6 datagram")
        assert "reason: \"The server\"" in page.inner_text(".fields")
        link = page.evaluate("location.href")
        assert "hex=" in link
        page.goto("about:blank")
        page.goto(link)
        page.locator(".node.message", has_text="close").wait_for()
        page.locator(".ways button", has_text="tw-0.6.5 datagram").first.click()
        until(page, "document.getElementById('details-title').textContent.includes('tw-0.6.5')")


def other_text_is_refused_with_its_place() -> None:
    with program("inspect", "--page=127.0.0.1:0") as (_, url), browser(url) as page:
        page.keyboard.press("x")
        for text, error in [("10 zz", "character 4"), ("", "there are no bytes"), ("123", "one digit of two")]:
            page.fill("#paste-hex", text)
            page.click("#paste-explain")
            page.get_by_text(error).wait_for()


def odd_vectors_are_read_as_inspect_reads_them(folder: str) -> None:
    """The datagrams of the captures that are shortest and longest in each dialect: guessed, or asked for and then equal."""
    chosen = []
    for path in sorted(CAPTURES.glob("teeworlds/captures/*.pcap")):
        lines = [json.loads(line) for line in gamewire.run("inspect", str(path), "--json", "-V").stdout.splitlines()]
        odd = sorted(lines, key=oddness)
        chosen += [(line["dialect"], line) for line in odd[-5:]]
    assert len(chosen) >= 30, len(chosen)
    asked = 0
    with program("inspect", "--page=127.0.0.1:0") as (_, url), browser(url) as page:
        for dialect, line in chosen[:30]:
            bytes_ = line["sources"][0]["bytes"]
            answer = explain(page, bytes_, "")
            if not answer["is_certain"] or not answer["way"].startswith(f"{dialect} "):
                asked += 1
                answer = explain(page, bytes_, f"{dialect} datagram {line['direction']}")
            assert [source["hex"] for source in answer["shown"]["sources"]] == [source["bytes"] for source in line["sources"]]
            from scenarios.files import leaves, spans

            # What only the conversation shows, such as the base of a snapshot, is not in a single datagram.
            known = set(spans(line))
            found = set(leaves(answer["shown"]["tree"]))
            assert found <= known or known <= found, (dialect, bytes_, sorted(found ^ known)[:5])
    print(f"{asked} of 30 were asked for")


def oddness(line: dict) -> int:
    """Returns how many different bytes a datagram has, and how many of them are not text."""
    data = bytes.fromhex(line["sources"][0]["bytes"])
    return len(set(data)) + sum(byte > 126 for byte in data)


def explain(page, bytes_: str, way: str) -> dict:
    """Explains bytes as the page does."""
    return page.evaluate(
        "([hex, way]) => fetch('/api/explain', {method: 'POST', headers: {'content-type': 'application/json'},"
        "body: JSON.stringify({hex, way})}).then((answer) => answer.json())",
        [bytes_, way],
    )
