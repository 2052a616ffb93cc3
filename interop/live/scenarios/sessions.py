"""Sessions without a dialect, over a lossy link, and recorded."""

import gamewire
import player
from servers import Server


def teeworlds_detected_by_a_query() -> None:
    """A URL without a dialect: a query detects it."""
    with Server("teeworlds") as server:
        session = player.visit(server.url("teeworlds"), entered=1)
        assert session.code == 0, session
        assert session.one("connected")["dialect"] == "tw-0.7", session


def a_third_of_all_datagrams_lost() -> None:
    """Every third datagram is dropped in both directions; twenty lines of chat arrive once and in order."""
    lines = [f"line {number:02}" for number in range(20)]
    with Server("teeworlds") as server:
        says = [word for line in lines for word in ("--say", line)]
        session = player.visit(
            server.url("tw-0.7+udp"), "--name", "lossy", "--impair", "drop-every=3", *says,
            chat=lambda chat: chat["text"] == lines[-1],
        )  # fmt: skip
        assert session.code == 0, session
        received = [event["text"] for event in session.all("chat") if event["name"] == "lossy"]
        assert received == lines, session
        logged = [line.rsplit("lossy: ", 1)[1] for line in server.log().splitlines() if "[chat]" in line and "lossy: " in line]
        assert logged == lines, server.log()
        assert session.summary["resent"] > 0, session
        assert session.summary["snapshots"]["bad"] == 0, session


def a_recording_is_explained_by_inspect(folder: str) -> None:
    """--record writes the traffic of the socket; `inspect` reads it without an error."""
    with Server("ddnet") as server:
        path = f"{folder}/session.pcapng"
        session = player.visit(server.url("tw-0.6+udp"), "--say", "recorded", "--record", path, entered=1, chat=1)
        assert session.code == 0, session
        explained = gamewire.run("inspect", path, "-z", "--json")
        assert explained.returncode == 0, explained
        crossed = session.summary["datagrams"]
        totals = player.json_of(explained)
        assert totals["frames"]["datagrams"] == crossed["sent"] + crossed["received"], (totals, session)
