"""Plays against pytide-networking 2.1.0a0, the Python port of Riptide, in both roles.

`cargo xtask interop` installs it if possible and runs this. All traffic stays on loopback, and every
program that is started here is also stopped here.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

import bots  # noqa: E402
import figures  # noqa: E402
import networks  # noqa: E402
import ours_at_theirs  # noqa: E402
import proxied  # noqa: E402
import relays  # noqa: E402
import replayed  # noqa: E402
import rooms  # noqa: E402
import stalls  # noqa: E402
import theirs_at_ours  # noqa: E402
from runner import run  # noqa: E402

MODULES = (theirs_at_ours, ours_at_theirs, relays, figures, bots, networks, proxied, replayed, rooms, stalls)
# The scenarios wait most of the time.
AT_ONCE = 6

if __name__ == "__main__":
    # The Python port keeps its state in globals, so each scenario needs a process.
    sys.exit(run(__doc__, MODULES, AT_ONCE, ProcessPoolExecutor))
