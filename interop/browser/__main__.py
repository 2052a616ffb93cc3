"""Uses the page in headless Chromium as a person would.

`cargo xtask interop` installs Chromium if possible and runs this. All traffic stays on loopback, and every program
that is started here is also stopped here.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from runner import run  # noqa: E402
from scenarios import browsers_of_players, files, fleet, hex, hostile, keyboard, live, lossy_players, replays, rooms, search, tabs, tasks, webgl  # noqa: E402

MODULES = (live, files, hex, replays, hostile, keyboard, search, tabs, tasks, fleet, rooms, browsers_of_players, lossy_players, webgl)
# Each has a browser of its own.
AT_ONCE = 2

if __name__ == "__main__":
    sys.exit(run(__doc__, MODULES, AT_ONCE))
