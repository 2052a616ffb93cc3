"""Tests the C# package in unity/ on mono, against a stand-in for Riptide and against our server.

`cargo xtask interop` installs mono if possible and runs this. All traffic stays on loopback, and every program that is
started here is also stopped here.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

sys.path.append(str(Path(__file__).resolve().parent.parent / "riptide"))

import at_ours  # noqa: E402
import encrypted  # noqa: E402
import generated  # noqa: E402
import package  # noqa: E402
import plain_game  # noqa: E402
from runner import CORES, run  # noqa: E402

MODULES = (at_ours, encrypted, generated, package, plain_game)

if __name__ == "__main__":
    sys.exit(run(__doc__, MODULES, CORES))
