"""`gamewire proxy` between our clients and the real servers."""

import shutil
import subprocess
import time

import player
from program import LIMIT, until
from proxy import Proxy, content, ports, recorded
from servers import Server

# The kinds of servers, and the dialects that each speaks.
DIALECTS = (
    ("teeworlds", ("tw-0.7+udp",)),
    ("ddnet", ("tw-0.6.4+udp", "tw-0.6-tken+udp", "tw-0.7+udp")),
)


def every_dialect_passes_and_reads_back() -> None:
    """A player of each dialect joins, talks and leaves through one proxy; the recording has all of it."""
    for kind, schemes in DIALECTS:
        with Server(kind) as server, Proxy("teeworlds", server.port) as proxy:
            for scheme in schemes:
                session = player.visit(
                    proxy.url(scheme), "--name", "guest", "--say", "through", chat=lambda chat: chat["text"] == "through"
                )
                assert session.code == 0 and session.summary["decode_errors"] == 0, session
            assert server.count("chat", "guest: through") == len(schemes), server.log()
            summary = proxy.stop()
            assert summary["clients"] == len(schemes), summary
            dialects = {event["packet"]["dialect"] for event in proxy.all("packet")}
            assert len(dialects - {None}) == len(schemes), dialects


def each_file_of_a_rotation_shows_alone_what_was_seen_live() -> None:
    """Twelve players play in files of 60 kB; each file is decoded without the others."""
    for kind, schemes in DIALECTS:
        with Server(kind, sv_max_clients="12", sv_max_clients_per_ip="12") as server, Proxy("teeworlds", server.port, "--rotate-size", "60K") as proxy:
            guests = []
            for number in range(12):
                guests.append(player.Player(proxy.url(schemes[number % len(schemes)]), "--name", f"guest {number}"))
                guests[-1].wait_for("entered")
            for number, guest in enumerate(guests):
                guest.command("say", text=f"line {number}")
                assert server.logs("chat", f"line {number}"), server.log()
            for guest in guests:
                guest.command("leave")
                assert guest.end().code == 0
            proxy.stop()
            assert len(proxy.files()) >= 5, proxy.files()


def a_link_is_changed_while_a_player_plays() -> None:
    """Everything to the client is lost for a second; the player stays, and the proxy counts what was lost."""
    with Server("teeworlds") as server, Proxy("teeworlds", server.port) as proxy:
        guest = player.Player(proxy.url("tw-0.7+udp"), "--name", "guest")
        guest.wait_for("entered")
        proxy.command("link", direction="to_client", conditions="loss=100%")
        proxy.wait_for("link_changed")
        guest.command("say", text="into the dark")
        assert server.logs("chat", "into the dark"), server.log()
        # It is sent again, and lost again.
        time.sleep(1)
        proxy.command("link", direction="to_client", conditions="off")
        assert guest.wait_for("chat")["text"] == "into the dark", "it was sent again"
        guest.command("leave")
        assert guest.end().code == 0
        proxy.command("stop")
        assert proxy.process.wait(LIMIT) == 0
        proxy.reader.join()
        (summary,) = proxy.all("summary")
        assert summary["lost"] > 0 and summary["errors"] == 0, summary


def a_proxy_that_is_killed_leaves_a_whole_recording() -> None:
    """Killed while a player plays: everything up to then is in the file, which tshark reads as well."""
    with Server("teeworlds") as server, Proxy("teeworlds", server.port) as proxy:
        guest = player.Player(proxy.url("tw-0.7+udp"), "--name", "guest", "--say", "to the end")
        guest.wait_for("chat")
        until(lambda: len(proxy.all("packet")) > 20, "a packet is shown")
        shown = [content(event["packet"]) for event in proxy.all("packet")]
        # What is shown is written when the proxy next waits, which it does between these packets.
        proxy.wait_for("packet", count=len(shown) + 20)
        proxy.kill()
        packets = recorded(proxy.recording)
        read = [content(packet) for packet in packets if proxy.port in ports(packet)]
        assert read[: len(shown)] == shown and len(shown) > 20, (len(read), len(shown))
        assert len(packets) >= 2 * len(shown), (len(packets), len(shown))
        guest.process.kill()
        guest.end()
        if shutil.which("capinfos") and shutil.which("editcap"):
            printed = subprocess.run(["capinfos", proxy.recording], capture_output=True, text=True, check=True).stdout
            assert "client side" in printed and "server side" in printed, printed
            copy = proxy.folder / "first.pcapng"
            subprocess.run(["editcap", "-r", proxy.recording, copy, "1-10"], capture_output=True, check=True)
            assert len(recorded(copy)) == 10
