"""Plays, serves and watches real multiplayer games: Freeciv, Teeworlds and Riptide.

* `gamewire.freeciv`: players and agents on unmodified Freeciv servers.
* `gamewire.teeworlds`: players on Teeworlds and DDNet servers.
* `gamewire.riptide`: Riptide servers and clients, by the names of its Python port and for asyncio.
* `gamewire.inspect`: captures of all three. `gamewire.open` reads one.

The log of connections is that of the logger `gamewire` in the module `logging`.
"""

from gamewire._native import VERSION as __version__
from gamewire._native import ClosedError, Error
from gamewire.inspect import explain, open

__all__ = ["ClosedError", "Error", "__version__", "explain", "open"]
