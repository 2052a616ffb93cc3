"""Plays against pytide-networking 2.1.0a0, the Python port of Riptide, in both roles.

`cargo xtask interop` installs it where it may and runs this. Everything stays on loopback, and
every program that is started here is ended here.
"""

import argparse
import inspect
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

MODULES = ("theirs_at_ours", "ours_at_theirs", "rooms", "bots")
# They wait far more than they work. The Python port keeps its state in globals, hence processes.
AT_ONCE = 6


def scenarios() -> dict[str, Callable[[], None]]:
    """Every function of the modules that is documented as a scenario, by name."""
    found = {}
    for name in MODULES:
        module = __import__(name)
        for scenario, function in vars(module).items():
            if (
                inspect.isfunction(function)
                and function.__module__ == name
                and not inspect.signature(function).parameters
            ):
                found[f"{name}::{scenario}"] = function
    return found


def outcome(name: str, gamewire: Path, examples: Path) -> str:
    """Runs one; what went wrong, or nothing."""
    import bots
    import ours

    ours.GAMEWIRE, bots.EXAMPLES = gamewire, examples
    try:
        scenarios()[name]()
    except Exception:  # whatever it is, the other scenarios go on
        return traceback.format_exc()
    return ""


def main() -> int:
    """Runs the scenarios and ends like a test program of cargo."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gamewire", type=Path, help="the gamewire command")
    parser.add_argument("--examples", type=Path, help="the folder of the built examples")
    parser.add_argument("names", nargs="*", help="only scenarios whose name holds one of these")
    told = parser.parse_args()
    chosen = [name for name in scenarios() if not told.names or any(part in name for part in told.names)]
    failed = 0
    with ProcessPoolExecutor(AT_ONCE) as pool:
        programs = [told.gamewire.resolve()] * len(chosen), [told.examples.resolve()] * len(chosen)
        for name, wrong in zip(chosen, pool.map(outcome, chosen, *programs)):
            print(f"test {name} ... {'FAILED' if wrong else 'ok'}", flush=True)
            failed += bool(wrong)
            print(wrong, end="")
    passed = len(chosen) - failed
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed; 0 ignored")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
