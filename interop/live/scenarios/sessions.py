"""Whole sessions: in, a word, ten seconds of snapshots, out."""

import player
from servers import Server

def session(kind: str, scheme: str, dialect: str) -> None:
    """A player joins, says hello, stays for ten seconds and leaves."""
    with Server(kind) as server:
        hello = f"hello over {dialect}"
        visit = player.join(server.url(scheme), "--name", "visitor", "--say", hello, "--for", "12s")
        assert visit.code == 0, visit
        assert visit.one("connected")["dialect"] == dialect, visit
        assert server.logs("chat", "visitor", hello), server.log()
        assert server.logs("leave player", "visitor"), server.log()
        snapshots = visit.summary["snapshots"]
        assert snapshots["good"] + snapshots["empty"] >= 200, visit
        assert snapshots["bad"] == 0, visit
        assert visit.summary["undecodable"] == 0, visit
        assert visit.one("closed")["by"] == "us", visit


def teeworlds_in_0_7() -> None:
    """teeworlds-server 0.7.5."""
    session("teeworlds", "tw-0.7+udp", "tw-0.7")


def ddnet_in_0_6_with_tken() -> None:
    """DDNet-Server, with its token dialect."""
    session("ddnet", "tw-0.6+udp", "tw-0.6-tken")


def ddnet_in_0_6_without_tokens() -> None:
    """DDNet-Server, as a client without tokens."""
    session("ddnet", "tw-0.6.4+udp", "tw-0.6")


def ddnet_in_0_7() -> None:
    """DDNet-Server, as a 0.7 client."""
    session("ddnet", "tw-0.7+udp", "tw-0.7")


def teeworlds_found_by_asking() -> None:
    """A URL without a dialect: the server is asked."""
    with Server("teeworlds") as server:
        visit = player.join(server.url("teeworlds"), "--for", "2s")
        assert visit.code == 0, visit
        assert visit.one("connected")["dialect"] == "tw-0.7", visit


def a_third_of_all_datagrams_lost() -> None:
    """Every third datagram is dropped, each way, for half a minute: chat arrives once and in order."""
    lines = [f"line {number:02}" for number in range(20)]
    with Server("teeworlds") as server:
        says = [word for line in lines for word in ("--say", line)]
        visit = player.join(
            server.url("tw-0.7+udp"), "--name", "lossy", "--for", "30s", "--bad-link", "drop-every=3", *says, limit=90
        )
        assert visit.code == 0, visit
        heard = [event["text"] for event in visit.all("chat") if event["name"] == "lossy"]
        assert heard == lines, visit
        logged = [line.rsplit("lossy: ", 1)[1] for line in server.log().splitlines() if "[chat]" in line and "lossy: " in line]
        assert logged == lines, server.log()
        assert visit.summary["resent"] > 0, visit
        assert visit.summary["snapshots"]["bad"] == 0, visit


def a_recording_is_explained_by_inspect(folder: str) -> None:
    """--record writes what crossed the socket; `inspect` reads it without an error."""
    with Server("ddnet") as server:
        path = f"{folder}/session.pcapng"
        visit = player.join(server.url("tw-0.6+udp"), "--for", "3s", "--record", path)
        assert visit.code == 0, visit
        explained = player.run("inspect", path, "-z", "--json")
        assert explained.returncode == 0, explained
        crossed = visit.summary["datagrams"]
        totals = player.json_of(explained)
        assert totals["frames"]["datagrams"] == crossed["sent"] + crossed["received"], (totals, visit)
