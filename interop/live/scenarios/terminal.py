"""`gamewire join` on a terminal: a prompt, whose line output does not interrupt."""

import signal

import player
from screen import Terminal
from servers import Server


def output_does_not_interrupt_a_line() -> None:
    """Chat arrives while a line is typed: it is printed above, and the line continues."""
    with Server("teeworlds") as server:
        terminal = Terminal("join", server.url("tw-0.7+udp"), "--name", "typist")
        terminal.waits_for("> ")
        terminal.type("half a x\x7fli")
        terminal.waits_for("half a li")
        other = player.Player(server.url("tw-0.7+udp"), "--name", "talker", "--say", "in between")
        terminal.waits_for("talker: in between")
        terminal.waits_for_rows(lambda rows: rows[-1] == "> half a li")
        terminal.type("ne\n")
        assert server.logs("chat", "typist", "half a line"), server.log()
        assert any(row.endswith("talker: in between") for row in terminal.rows()), terminal.rows()
        assert other.leave().code == 0
        terminal.type("/quit\n")
        assert terminal.ends("closed") == 0


def ctrl_d_and_ctrl_c_leave() -> None:
    """Ctrl-D on an empty line, and the signal of Ctrl-C; the terminal is as it was before."""
    with Server("teeworlds") as server:
        for leave in (lambda terminal: terminal.type("\x04"), lambda terminal: terminal.process.send_signal(signal.SIGINT)):
            terminal = Terminal("join", server.url("tw-0.7+udp"))
            terminal.waits_for("> ")
            leave(terminal)
            assert terminal.ends("closed") == 0
