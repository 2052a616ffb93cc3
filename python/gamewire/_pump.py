"""Events of a native object for an event loop of asyncio."""

from __future__ import annotations

import asyncio
import atexit
import threading
import weakref
from collections.abc import Callable
from typing import Any, Protocol


class Source(Protocol):
    """A native object that has events."""

    def next_event(self, timeout: float | None) -> Any: ...


class Pump:
    """A thread that waits for the events of a native object, and passes them to an event loop in order.

    It ends with the last event, with `stop()`, and with the event loop.
    """

    MAX_WAIT = 0.1
    """Maximum seconds between two checks whether it has to end."""

    def __init__(self, source: Source, on_event: Callable[[Any], None], on_end: Callable[[Exception | None], None]):
        self._source = source
        self._on_event = on_event
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._stopped = threading.Event()
        # A daemon, so that a program that ends without closing is not held up.
        self._thread = threading.Thread(target=self._run, name="gamewire", daemon=True)
        self._thread.start()
        _PUMPS.add(self)

    def stop(self) -> None:
        """Ends the thread within `MAX_WAIT`."""
        self._stopped.set()

    def join(self) -> None:
        """Waits until the thread has ended, but not much longer than `MAX_WAIT`."""
        self._thread.join(10 * self.MAX_WAIT)

    def _run(self) -> None:
        error: Exception | None = None
        try:
            while not self._stopped.is_set():
                event = self._source.next_event(self.MAX_WAIT)
                if event is not None:
                    self._loop.call_soon_threadsafe(self._on_event, event)
                elif self._loop.is_closed():
                    return
        except Exception as caught:
            error = caught
        try:
            self._loop.call_soon_threadsafe(self._on_end, error)
        except RuntimeError:
            # The loop is closed: nothing waits for events.
            pass


_PUMPS: weakref.WeakSet[Pump] = weakref.WeakSet()


@atexit.register
def _end_threads() -> None:
    """Ends all threads before the interpreter. A native call that returns later would crash the program."""
    pumps = list(_PUMPS)
    for pump in pumps:
        pump.stop()
    for pump in pumps:
        pump.join()
