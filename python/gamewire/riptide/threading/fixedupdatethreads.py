"""A thread that updates a client or server."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Thread
from typing import Any


class FixedUpdateThread(Thread):
    """A thread that calls a function at equal intervals, until `requestClose` is called."""

    def __init__(self, function: Callable[[], Any], timestep: float = 1 / 50.0):
        """`timestep`: seconds between two calls."""
        super().__init__()
        self.shouldFinish = False
        self.function = function
        self.timestep = timestep

    def run(self) -> None:
        """Calls the function until the thread has to end."""
        while not self.shouldFinish:
            begin = time.monotonic()
            self.function()
            time.sleep(max(0.0, begin + self.timestep - time.monotonic()))

    def requestClose(self) -> None:
        """Ends the thread after the current call."""
        self.shouldFinish = True
