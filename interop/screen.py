"""The gamewire command on a terminal of its own."""

import os
import pty
import re
import subprocess
import termios
from collections.abc import Callable
from typing import Optional

import gamewire
from program import LIMIT, until


class Terminal:
    """The command on a terminal of 24 rows and 80 columns."""

    def __init__(self, *arguments: str, environment: Optional[dict[str, str]] = None) -> None:
        self.ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, 80))
        self.before = termios.tcgetattr(theirs)
        self.process = subprocess.Popen(
            [gamewire.GAMEWIRE, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, **(environment or {})},
        )
        # Kept open, so that the modes can be read after the command has ended.
        self.theirs = theirs
        self.shown = ""
        os.set_blocking(self.ours, False)

    def type(self, keys: str) -> None:
        """Types keys."""
        os.write(self.ours, keys.encode())

    def read(self) -> str:
        """Returns everything that was printed so far."""
        try:
            while True:
                self.shown += os.read(self.ours, 4096).decode()
        except BlockingIOError:
            return self.shown

    def waits_for(self, text: str) -> None:
        """Reads until the screen has shown the text."""
        until(lambda: text in self.read(), lambda: (text, self.shown))

    def waits_for_rows(self, has_come: Callable[[list[str]], bool]) -> None:
        """Reads until the rows of the screen are as they must become."""
        until(lambda: self.read() and has_come(self.rows()), self.rows)

    def rows(self) -> list[str]:
        """Returns what the screen shows, without styles. Lines are not broken."""
        rows, row, column = [""], 0, 0
        for token in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|.", self.shown, re.DOTALL):
            if token == "\r":
                column = 0
            elif token == "\n":
                row += 1
                rows.extend([""] * (row + 1 - len(rows)))
            elif token.startswith("\x1b") and token.endswith("H"):
                row, column = (int(part) - 1 for part in token[2:-1].split(";"))
                rows.extend([""] * (row + 1 - len(rows)))
            elif token.startswith("\x1b") and token.endswith("A"):
                row -= int(token[2:-1])
            elif token.startswith("\x1b") and token.endswith("J"):
                rows[row:] = [rows[row][:column]]
            elif not token.startswith("\x1b"):
                rows[row] = rows[row][:column].ljust(column) + token + rows[row][column + 1 :]
                column += 1
        return rows

    def ends(self, last: str) -> int:
        """Waits for the end and the last text, checks that the terminal is as it was, and returns the exit code."""
        code = self.process.wait(LIMIT)
        assert termios.tcgetattr(self.theirs) == self.before
        self.waits_for(last)
        for descriptor in (self.ours, self.theirs):
            os.close(descriptor)
        return code
