"""Bytes from a bug report."""

import json
from pathlib import Path

import gamewire
from page import CAPTURES, browser, program, until
from scenarios.files import leaves, spans

# Captures, and the number of packets from each.
ODD = [("teeworlds/captures/*.pcap", 3), ("riptide/captures/*.pcapng", 3), ("freeciv/captures/game.pcap", 6)]
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
        for text, error in [("10 zz", "character 4"), ("", "there are no bytes"), ("123", "only one hexadecimal digit")]:
            page.fill("#paste-hex", text)
            page.click("#paste-explain")
            page.get_by_text(error).wait_for()


def odd_vectors_are_read_as_inspect_reads_them() -> None:
    """The packets of real programs with the oddest bytes: the page guesses the dialect or is asked for it, and has the fields
    of `inspect`."""
    chosen = [line for pattern, count in ODD for path in sorted(CAPTURES.glob(pattern)) for line in oddest(path, count)]
    assert len(chosen) == 30, len(chosen)
    asked = 0
    with program("inspect", "--page=127.0.0.1:0") as (_, url), browser(url) as page:
        for line in chosen:
            data = line["sources"][0]["bytes"]
            answer = explain(page, data, "")
            if answer["is_certain"]:
                assert answer["way"].startswith(f"{line['dialect']} "), (answer["way"], line["dialect"], data)
            else:
                asked += 1
                answer = explain(page, data, way(line))
            assert [source["hex"] for source in answer["shown"]["sources"]] == [source["bytes"] for source in line["sources"]]
            # What only the conversation shows, such as the base of a snapshot, is not in a single packet.
            known, found = set(spans(line)), set(leaves(answer["shown"]["tree"]))
            assert found <= known or known <= found, (line["dialect"], data, sorted(found ^ known)[:5])
    print(f"{asked} of 30 were asked for")


def way(line: dict) -> str:
    """Returns the page's name of the way to read a packet."""
    content = "stream" if "run" in line or line["protocol"] == "freeciv" else "datagram"
    sender = "" if line["protocol"] == "riptide" else f" {line['direction']}"
    return f"{line['dialect']} {content}{sender}"


def oddest(path: Path, count: int) -> list[dict]:
    """Returns the packets of a capture with the oddest bytes, as `inspect` reads them."""
    lines = [json.loads(line) for line in gamewire.run("inspect", str(path), "--json", "-V").stdout.splitlines()]
    return sorted(lines, key=oddness)[-count:]


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
