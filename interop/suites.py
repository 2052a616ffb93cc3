"""Programs of Debian's later suites, which `cargo xtask interop` unpacks into folders of their own."""

import os
from pathlib import Path

from runner import Skipped

ROOTS = Path(os.environ.get("GAMEWIRE_SUITES", "target/suites")).resolve()


def program(suite: str, name: str) -> list[str]:
    """Returns the start of the command line of a game in a suite. It needs the suite's own loader and libraries."""
    root = ROOTS / suite
    loaders = sorted(root.glob("usr/lib/*-linux-gnu/ld-linux*.so.*"))
    path = root / "usr/games" / name
    if not loaders or not path.exists():
        reason = os.environ.get(f"GAMEWIRE_MISSING_{suite.upper()}", f"{root} has none; run cargo xtask interop")
        raise Skipped(f"no {name} of Debian's suite {suite}: {reason}")
    libraries = loaders[0].parent
    return [str(loaders[0]), "--library-path", f"{libraries}:{libraries}/libproxy", str(path)]
