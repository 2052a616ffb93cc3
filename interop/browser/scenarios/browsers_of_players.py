"""Players in Chromium and Firefox, over WebSocket and over WebSocket with TLS."""

from players import keep_place, play, refuse
from runner import long


def chromium_over_tls(folder: str) -> None:
    play(folder, "chromium", "wss")


def firefox(folder: str) -> None:
    play(folder, "firefox", "ws")


def firefox_over_tls(folder: str) -> None:
    play(folder, "firefox", "wss")


def a_page_of_another_origin_is_refused_over_tls(folder: str) -> None:
    refuse(folder, "firefox", "wss")


@long
def a_hidden_tab_of_chromium_keeps_its_place(folder: str) -> None:
    keep_place(folder, "chromium", "wss")


@long
def a_hidden_tab_of_firefox_keeps_its_place(folder: str) -> None:
    keep_place(folder, "firefox", "wss")
