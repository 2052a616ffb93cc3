"""Follows the README as a newcomer does: its programs in new projects, its commands on a capture.

`cargo xtask interop` runs this. All traffic stays on loopback.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent / "live"), str(HERE.parent / "freeciv")]

import commands  # noqa: E402
import programs  # noqa: E402
from runner import run  # noqa: E402

# Cargo uses all cores.
AT_ONCE = 1

if __name__ == "__main__":
    sys.exit(run(__doc__, (commands, programs), AT_ONCE))
