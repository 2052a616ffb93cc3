"""`gamewire proxy` that terminates both connections: in the same dialect, in the other version, and with rules."""

import hashlib
import json
import signal
import tempfile
import time
from pathlib import Path

import gamewire
import player
from proxy import Proxy
from servers import MAPS, RCON_PASSWORD, Server, data_folder

NO_07 = {"sv_sixup": "0"}


def visit(server: Server, proxy: Proxy, scheme: str) -> None:
    """A player behind the proxy and one on the server itself talk; the map arrives as the server has it."""
    original = (data_folder(server.kind) / "maps" / f"{MAPS[server.kind]}.map").read_bytes()
    direct = "tw-0.7+udp" if server.kind == "teeworlds" else "tw-0.6-tken+udp"
    native = player.Player(server.url(direct), "--name", "native")
    native.wait_for("entered")
    with tempfile.TemporaryDirectory() as maps:
        guest = player.Player(
            proxy.url(scheme), "--name", "guest", "--map-dir", maps, "--rcon", RCON_PASSWORD, "--command", "status"
        )
        guest.wait_for("entered")
        guest.command("say", text=f"hello in {scheme}")
        while (line := native.wait_for("chat"))["name"] != "guest":
            pass
        assert line["text"] == f"hello in {scheme}", line
        native.command("say", text="welcome")
        while (line := guest.wait_for("chat"))["name"] != "native":
            pass
        assert line["text"] == "welcome", line
        # Snapshots of ours are translated meanwhile.
        time.sleep(1)
        native.command("leave")
        left = guest.wait_for("left")
        assert left["name"] == "native", left
        guest.command("leave")
        session = guest.end()
        assert session.code == 0, session
        summary = session.summary
        assert summary["decode_errors"] == summary["snapshots"]["bad"] == 0, session
        assert summary["snapshots"]["good"] + summary["snapshots"]["empty"] > 10, session
        (file,) = Path(maps).iterdir()
        if scheme != "tw-0.7+udp" and server.kind == "teeworlds":
            reads_map(file)
        else:
            assert hashlib.sha256(file.read_bytes()).digest() == hashlib.sha256(original).digest(), session
    assert native.end().code == 0
    assert server.logs("leave player", "guest"), server.log()


def reads_map(file: Path) -> None:
    """Checks that a server of 0.6, which crashes on maps of 0.7, runs on a map that was converted."""
    server = Server("ddnet", sv_map="converted", **NO_07)
    for folder in (".local/share/ddnet/maps", ".teeworlds/maps"):
        path = server.folder / folder
        path.mkdir(parents=True)
        (path / "converted.map").write_bytes(file.read_bytes())
    with server:
        session = player.visit(server.url("tw-0.6-tken+udp"), "--name", "walker", entered=1)
        assert session.code == 0 and session.all("entered"), session


def visits(kind: str, schemes: tuple[str, ...], *options: str, **settings: str) -> None:
    """Players of all dialects, one after the other, through one proxy."""
    with Server(kind, **settings) as server, Proxy("teeworlds", server.port, *options) as proxy:
        for scheme in schemes:
            visit(server, proxy, scheme)
        proxy.stop()


def every_dialect_of_a_server_is_terminated() -> None:
    """Both connections have tokens, sequence numbers and snapshot deltas of their own."""
    visits("teeworlds", ("tw-0.7+udp",), "--terminate")
    visits("ddnet", ("tw-0.6.4+udp", "tw-0.6-tken+udp"), "--terminate", **NO_07)


def players_of_0_6_play_on_0_7() -> None:
    """Every dialect of 0.6 on teeworlds-server 0.7.5."""
    schemes = ("tw-0.6.4+udp", "tw-0.6-tken+udp", "tw-0.6.5+udp")
    visits("teeworlds", schemes, "--to-dialect", "0.7")


def players_of_0_7_play_on_0_6() -> None:
    """0.7 on DDNet with 0.7 switched off, of several releases, with and without tokens."""
    for kind, to in (("ddnet", "0.6-tken"), ("ddnet", "0.6"), ("ddnet-20", "0.6-tken")):
        visits(kind, ("tw-0.7+udp",), "--to-dialect", to, **NO_07)


def answers(kind: str, versions: tuple[str, ...], **settings: str) -> None:
    """`info` and `join` with teeworlds://, which query every version at the same time, in every mode of the proxy.

    The versions are those that the server speaks. A proxy that translates answers in all of them."""
    modes = [(), ("--terminate",), ("--rules", "rules.toml"), *(("--to-dialect", version) for version in versions)]
    with Server(kind, **settings) as server, tempfile.TemporaryDirectory() as folder:
        rules = Path(folder, "rules.toml")
        rules.write_text(RULES)
        for mode in modes:
            options = [str(rules) if option == rules.name else option for option in mode]
            with Proxy("teeworlds", server.port, *options) as proxy:
                ended = gamewire.run("info", proxy.url("teeworlds"), "--json")
                assert ended.returncode == 0, (mode, ended)
                found = [json.loads(line) for line in ended.stdout.splitlines()]
                # A terminating proxy answers in 0.6 with at most 75 bytes, which may have no room for the map.
                may_lack = {answer["map"] for answer in found if mode and answer["dialect"] != "tw-0.7"} & {""}
                assert all(answer["map"] in {MAPS[kind], *may_lack} for answer in found), (mode, found)
                assert all(answer["name"].startswith("gamewire") for answer in found), (mode, found)
                is_of_06 = any(version != "tw-0.7" for version in versions)
                wanted = {"tw-0.6", "tw-0.6-ddnet"} if is_of_06 else set()
                wanted |= {"tw-0.7"} if "tw-0.7" in versions else set()
                translated = {"tw-0.6", "tw-0.6-ddnet", "tw-0.7"}
                dialects = {answer["dialect"] for answer in found}
                assert dialects == (translated if "--to-dialect" in mode else wanted), (mode, dialects)
                session = player.visit(proxy.url("teeworlds"), "--name", "guest", entered=1)
                assert session.code == 0 and session.all("entered"), (mode, session)
                # A terminating proxy asks once in each format, however often it is asked.
                proxy.stop(min_share=0.5)


def teeworlds_answers_questions_in_every_mode() -> None:
    """A server that speaks 0.7 only."""
    answers("teeworlds", ("tw-0.7",))


def ddnet_answers_questions_in_every_mode() -> None:
    """A server that speaks both versions, and one with 0.7 switched off."""
    answers("ddnet", ("tw-0.6", "tw-0.6-tken", "tw-0.7"))
    answers("ddnet", ("tw-0.6-tken",), **NO_07)


def newer_ddnet_answers_questions_in_every_mode() -> None:
    """Later releases of DDNet."""
    for kind in ("ddnet-19", "ddnet-20"):
        answers(kind, ("tw-0.6-tken", "tw-0.7"))


RULES = """
[[rule]]
match = 'teeworlds.say.text contains "spam"'
action = "drop"

[[rule]]
match = 'teeworlds.say.text == "rude"'
action = "set"
field = "text"
value = "polite"

[[rule]]
match = 'teeworlds.say.text == "first"'
action = "delay"
milliseconds = 8000
"""


def rules_edit_block_and_delay_chat() -> None:
    """Only the messages that the rules leave reach the real server."""
    for kind, scheme in (("teeworlds", "tw-0.7+udp"), ("ddnet", "tw-0.6-tken+udp")):
        with Server(kind) as server, tempfile.TemporaryDirectory() as folder:
            rules = Path(folder, "rules.toml")
            rules.write_text(RULES)
            with Proxy("teeworlds", server.port, "--rules", str(rules)) as proxy:
                lines = [option for line in ("first", "spam spam", "rude", "fine") for option in ("--say", line)]
                # The first line comes last.
                session = player.visit(
                    proxy.url(scheme), "--name", "guest", *lines, chat=lambda chat: chat["text"] == "first"
                )
                said = [event["text"] for event in session.all("chat") if event["name"] == "guest"]
                assert said == ["polite", "fine", "first"], session
                assert server.count("chat", "spam") == 0, server.log()
                proxy.stop()


def rules_are_read_again() -> None:
    """SIGHUP replaces the rules for players who are there. A file with an error changes nothing."""
    with Server("teeworlds") as server, tempfile.TemporaryDirectory() as folder:
        rules = Path(folder, "rules.toml")
        rules.write_text(RULES)
        with Proxy("teeworlds", server.port, "--rules", str(rules)) as proxy:
            guest = player.Player(proxy.url("tw-0.7+udp"), "--name", "guest")
            guest.wait_for("entered")
            rules.write_text(RULES + "[[rule]]\nmatch = 'teeworlds.sya'\naction = \"drop\"")
            proxy.process.send_signal(signal.SIGHUP)
            assert "did you mean teeworlds.say?" in proxy.wait_for("rules_rejected")["error"], proxy.events
            rules.write_text(RULES.replace('"spam"', '"eggs"'))
            proxy.process.send_signal(signal.SIGHUP)
            changed = proxy.wait_for("rules_changed")
            assert (changed["rules"], changed["added"], changed["removed"]) == (3, 1, 1), changed
            for text in ("eggs", "spam"):
                guest.command("say", text=text)
            while (line := guest.wait_for("chat"))["name"] != "guest":
                pass
            assert line["text"] == "spam", line
            assert guest.leave().code == 0
            proxy.stop()
