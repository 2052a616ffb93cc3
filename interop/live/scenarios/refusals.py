"""Every failure is one error line and exit code 1."""

import time

import gamewire
import player
from program import held_port
from servers import RCON_PASSWORD, Server


def failed(session: player.Session, *words: str) -> None:
    """Checks that a session failed with one error line that contains all the words."""
    gamewire.failed(session.code, session.stderr, *words)


def no_server_listens() -> None:
    """No server listens on the port."""
    for scheme in ("tw-0.6+udp", "tw-0.7+udp", "teeworlds"):
        failed(player.join(f"{scheme}://127.0.0.1:{held_port()}"), "127.0.0.1")


def the_password_is_wrong() -> None:
    """The server has a password."""
    for kind, scheme in (("teeworlds", "tw-0.7+udp"), ("ddnet", "tw-0.6+udp")):
        with Server(kind, password="right") as server:
            failed(player.join(server.url(scheme), "--password", "not it"), "password")
            session = player.visit(server.url(scheme), "--password", "right", entered=1)
            assert session.code == 0, session


def the_server_is_full() -> None:
    """The only slot is taken."""
    with Server("teeworlds", sv_max_clients="1") as server:
        guest = player.Player(server.url("tw-0.7+udp"))
        guest.wait_for("entered")
        failed(player.join(server.url("tw-0.7+udp")), "full")
        assert guest.leave().code == 0


def the_version_is_another() -> None:
    """A 0.6 client joins a server that supports only 0.7."""
    with Server("teeworlds") as server:
        for arguments in ((), ("--for", "2s")):
            session = player.join(server.url("tw-0.6+udp"), *arguments)
            failed(session, "does not support this dialect", server.url("tw-0.7+udp"))


def the_server_answers_in_another_dialect() -> None:
    """DDNet answers the CONNECT of 0.6.5 without a token."""
    with Server("ddnet") as server:
        session = player.join(server.url("tw-0.6.5+udp"))
        failed(session, "answers in tw-0.6", f"use {server.url('tw-0.6+udp')}")


def the_time_ends_before_the_entry() -> None:
    """Nothing listens, and a server that is suspended; both with less time than the timeout."""
    for scheme in ("tw-0.6+udp", "tw-0.7+udp"):
        failed(player.join(f"{scheme}://127.0.0.1:{held_port()}", "--for", "1s"), "no answer from")
    with Server("teeworlds") as server:
        server.freeze()
        failed(player.join(server.url("tw-0.7+udp"), "--for", "1s"), "no answer from")
        server.thaw()


def chat_lines_are_unsent() -> None:
    """There is less time than ten lines of chat need, of which a second passes before each."""
    with Server("teeworlds") as server:
        says = ["--say", "hello"] * 10
        failed(player.join(server.url("tw-0.7+udp"), *says, "--for", "7s"), "lines or messages were not sent")


def a_player_is_kicked() -> None:
    """The error contains the reason of the kick."""
    for kind, scheme in (("teeworlds", "tw-0.7+udp"), ("ddnet", "tw-0.6+udp")):
        with Server(kind) as server:
            guest = player.Player(server.url(scheme), "--name", "victim")
            guest.wait_for("entered")
            rcon = ("--rcon", RCON_PASSWORD, "--command", "kick 0 enough")
            admin = player.visit(server.url(scheme), "--name", "admin", *rcon, left=1)
            assert admin.code == 0, admin
            failed(guest.end(), "enough")


def the_server_falls_silent() -> None:
    """The server sends nothing for ten seconds."""
    with Server("teeworlds") as server:
        guest = player.Player(server.url("tw-0.7+udp"))
        guest.wait_for("entered")
        server.freeze()
        began = time.monotonic()
        session = guest.end()
        server.thaw()
        failed(session, "10 s")
        assert time.monotonic() - began > 8, session


def the_server_ends() -> None:
    """The server shuts down."""
    server = Server("ddnet")
    with server:
        guest = player.Player(server.url("tw-0.6+udp"))
        guest.wait_for("entered")
    failed(guest.end())
