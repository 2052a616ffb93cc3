"""`gamewire join` on a terminal: a prompt, whose line output does not interrupt."""

import os
import pty
import re
import signal
import subprocess
import termios
import time

import gamewire
import player
from servers import Server


class Terminal:
    """The command on a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.ours, theirs = pty.openpty()
        self.before = termios.tcgetattr(theirs)
        self.process = subprocess.Popen([gamewire.GAMEWIRE, *arguments], stdin=theirs, stdout=theirs, stderr=theirs)
        # Kept open, so that the modes can be read after the command has ended.
        self.theirs = theirs
        self.shown = ""
        os.set_blocking(self.ours, False)

    def type(self, keys: str) -> None:
        """Types keys."""
        os.write(self.ours, keys.encode())

    def waits_for(self, text: str, seconds: float = 10) -> None:
        """Reads until the screen has shown the text."""
        end = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < end, (text, self.shown)
            try:
                self.shown += os.read(self.ours, 4096).decode()
            except BlockingIOError:
                time.sleep(0.02)

    def rows(self) -> list[str]:
        """Returns what the screen shows: the last text of each row, without styles."""
        plain = re.sub(r"\x1b\[[0-9;]*m", "", self.shown)
        return [row.rstrip("\r").split("\r\x1b[K")[-1] for row in plain.split("\n")]

    def ends(self) -> int:
        """Waits for the end, checks that the terminal is as it was, and returns the exit code."""
        code = self.process.wait(10)
        assert termios.tcgetattr(self.theirs) == self.before
        self.waits_for("closed")
        for descriptor in (self.ours, self.theirs):
            os.close(descriptor)
        return code


def output_does_not_interrupt_a_line() -> None:
    """Chat arrives while a line is typed: it is printed above, and the line goes on."""
    with Server("teeworlds") as server:
        terminal = Terminal("join", server.url("tw-0.7+udp"), "--name", "typist")
        terminal.waits_for("> ")
        terminal.type("half a x\x7fli")
        terminal.waits_for("half a li")
        other = player.Player(server.url("tw-0.7+udp"), "--name", "talker", "--say", "in between", "--for", "2s")
        terminal.waits_for("talker: in between")
        assert terminal.rows()[-1] == "> half a li", terminal.rows()
        terminal.type("ne\n")
        assert server.logs("chat", "typist", "half a line"), server.log()
        assert any(row.endswith("talker: in between") for row in terminal.rows()), terminal.rows()
        assert other.end().code == 0
        terminal.type("/quit\n")
        assert terminal.ends() == 0


def ctrl_d_and_ctrl_c_leave() -> None:
    """Ctrl-D on an empty line, and the signal of Ctrl-C; the terminal is as it was before."""
    with Server("teeworlds") as server:
        for leave in (lambda terminal: terminal.type("\x04"), lambda terminal: terminal.process.send_signal(signal.SIGINT)):
            terminal = Terminal("join", server.url("tw-0.7+udp"))
            terminal.waits_for("> ")
            leave(terminal)
            assert terminal.ends() == 0
