"""Plays against the real servers, teeworlds-server 0.7.5 and DDNet-Server 16.4.

`cargo xtask interop` installs both where it may and runs this. Everything stays on loopback, and
every server that is started here is ended here.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

import player  # noqa: E402
from runner import run  # noqa: E402
from scenarios import asking, bots, maps, rcon, refusals, sessions  # noqa: E402

MODULES = (sessions, maps, rcon, refusals, asking, bots)
# They wait far more than they work.
AT_ONCE = 8


def use(gamewire: Path, examples: Path) -> None:
    """Where the programs are."""
    player.GAMEWIRE, bots.EXAMPLES = gamewire, examples


if __name__ == "__main__":
    sys.exit(run(__doc__, MODULES, AT_ONCE, use))
