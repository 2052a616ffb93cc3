"""Plays against the real freeciv-server, 3.0.6 of Debian.

`cargo xtask interop` installs it where it may and runs this. Everything stays on loopback, and
every server that is started here is ended here.
"""

import argparse
import inspect
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import command
import puppet
from scenarios import bots, chunks, examples, games, observers, refusals

MODULES = (games, bots, observers, chunks, refusals, examples)
# A game of several players is work for two cores.
AT_ONCE = 3


def scenarios() -> dict[str, Callable[[], None]]:
    """Every function of the modules that is meant to be run, by name."""
    return {
        f"{module.__name__.split('.')[-1]}::{name}": function
        for module in MODULES
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not inspect.signature(function).parameters
    }


def outcome(scenario: Callable[[], None]) -> tuple[str, float]:
    """Runs one; what went wrong, or nothing, and how many seconds it took."""
    began = time.monotonic()
    try:
        scenario()
    except Exception:  # whatever it is, the other scenarios go on
        return traceback.format_exc(), time.monotonic() - began
    return "", time.monotonic() - began


def main() -> int:
    """Runs the scenarios and ends like a test program of cargo."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gamewire", type=Path, help="the gamewire command")
    parser.add_argument("--examples", type=Path, help="the folder of the built examples")
    parser.add_argument("--list", action="store_true", help="only print the names")
    parser.add_argument("names", nargs="*", help="only scenarios whose name holds one of these")
    told = parser.parse_args()
    chosen = {
        name: scenario
        for name, scenario in scenarios().items()
        if not told.names or any(part in name for part in told.names)
    }
    if told.list:
        print("\n".join(chosen))
        return 0
    command.GAMEWIRE, puppet.EXAMPLES = told.gamewire.resolve(), told.examples.resolve()
    failed = 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for name, (wrong, seconds) in zip(chosen, pool.map(outcome, chosen.values())):
            print(f"test {name} ... {'FAILED' if wrong else 'ok'} ({seconds:.1f} s)", flush=True)
            failed += bool(wrong)
            print(wrong, end="")
    passed = len(chosen) - failed
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed; 0 ignored")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
