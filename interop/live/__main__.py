"""Plays against the real servers, teeworlds-server 0.7.5 and DDNet-Server 16.4, 19.1 and 20.1.

`cargo xtask interop` installs them if possible and runs this. All traffic stays on loopback, and every
server that is started here is also stopped here.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from runner import run  # noqa: E402
from scenarios import (  # noqa: E402
    bots,
    commands,
    logins,
    maps,
    prediction,
    proxy,
    queries,
    rcon,
    refusals,
    releases,
    replays,
    sessions,
    tees,
    terminal,
    translated,
)

MODULES = (logins, releases, sessions, maps, rcon, refusals, queries, bots, tees, prediction, commands, terminal, proxy, translated, replays)
# The scenarios wait most of the time.
AT_ONCE = 8

if __name__ == "__main__":
    sys.exit(run(__doc__, MODULES, AT_ONCE))
