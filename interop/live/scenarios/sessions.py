"""Whole sessions: join, chat, ten seconds of snapshots, leave."""

import gamewire
import player
from servers import Server


def play(kind: str, scheme: str, dialect: str) -> None:
    """A player joins, sends a chat line, stays for ten seconds and leaves."""
    with Server(kind) as server:
        hello = f"hello over {dialect}"
        session = player.join(server.url(scheme), "--name", "visitor", "--say", hello, "--duration", "12s")
        assert session.code == 0, session
        assert session.one("connected")["dialect"] == dialect, session
        assert server.logs("chat", "visitor", hello), server.log()
        assert server.logs("leave player", "visitor"), server.log()
        snapshots = session.summary["snapshots"]
        assert snapshots["good"] + snapshots["empty"] >= 200, session
        assert snapshots["bad"] == 0, session
        assert session.summary["decode_errors"] == 0, session
        assert session.one("closed")["by"] == "us", session


def teeworlds_in_0_7() -> None:
    """teeworlds-server 0.7.5."""
    play("teeworlds", "tw-0.7+udp", "tw-0.7")


def ddnet_in_0_6_with_tken() -> None:
    """DDNet-Server, with its token dialect, which it chooses itself."""
    play("ddnet", "tw-0.6+udp", "tw-0.6-tken")


def ddnet_in_0_6_without_tokens() -> None:
    """DDNet-Server, as a client without tokens."""
    play("ddnet", "tw-0.6.4+udp", "tw-0.6")


def ddnet_in_0_7() -> None:
    """DDNet-Server, as a 0.7 client."""
    play("ddnet", "tw-0.7+udp", "tw-0.7")


def teeworlds_detected_by_a_query() -> None:
    """A URL without a dialect: a query detects it."""
    with Server("teeworlds") as server:
        session = player.join(server.url("teeworlds"), "--duration", "2s")
        assert session.code == 0, session
        assert session.one("connected")["dialect"] == "tw-0.7", session


def a_third_of_all_datagrams_lost() -> None:
    """Every third datagram is dropped in both directions for half a minute; chat arrives once and in order."""
    lines = [f"line {number:02}" for number in range(20)]
    with Server("teeworlds") as server:
        says = [word for line in lines for word in ("--say", line)]
        session = player.join(
            server.url("tw-0.7+udp"), "--name", "lossy", "--duration", "30s", "--impair", "drop-every=3", *says, limit=90
        )
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
        session = player.join(server.url("tw-0.6+udp"), "--duration", "3s", "--record", path)
        assert session.code == 0, session
        explained = gamewire.run("inspect", path, "-z", "--json")
        assert explained.returncode == 0, explained
        crossed = session.summary["datagrams"]
        totals = player.json_of(explained)
        assert totals["frames"]["datagrams"] == crossed["sent"] + crossed["received"], (totals, session)
