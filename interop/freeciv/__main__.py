"""Plays against the real freeciv-server, 3.0.6 of Debian.

`cargo xtask interop` installs it where it may and runs this. Everything stays on loopback, and
every server that is started here is ended here.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

import command  # noqa: E402
import puppet  # noqa: E402
from runner import run  # noqa: E402
from scenarios import bots, chunks, examples, games, observers, refusals  # noqa: E402

MODULES = (games, bots, observers, chunks, refusals, examples)
# A game of several players is work for two cores.
AT_ONCE = 3


def use(gamewire: Path, examples_folder: Path) -> None:
    """Where the programs are."""
    command.GAMEWIRE, puppet.EXAMPLES = gamewire, examples_folder


if __name__ == "__main__":
    sys.exit(run(__doc__, MODULES, AT_ONCE, use))
