"""Plays against the real freeciv-server, 3.0.6, 3.1.4 and 3.2.6 of Debian.

`cargo xtask interop` installs them if possible and runs this. All traffic stays on loopback, and every
server that is started here is also stopped here.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from runner import run  # noqa: E402
from scenarios import agents, bots, capabilities, chunks, commands, examples, games, itineraries, legality, observers, orders, phases, proxy, refusals, servers, sessions, treaties, wars  # noqa: E402

MODULES = (games, wars, phases, sessions, servers, agents, orders, treaties, itineraries, legality, bots, observers, chunks, refusals, examples, commands, proxy, capabilities)
# A game of several players keeps two cores busy.
AT_ONCE = 3

if __name__ == "__main__":
    sys.exit(run(__doc__, MODULES, AT_ONCE))
