"""Runs the scenarios of a folder, and ends like a test program of cargo."""

import argparse
import inspect
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

Scenario = Callable[..., None]


def scenarios(modules: Sequence[ModuleType]) -> dict[str, Scenario]:
    """Every function of the modules that is meant to be run, by name."""
    return {
        f"{module.__name__.split('.')[-1]}::{name}": function
        for module in modules
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and set(inspect.signature(function).parameters) <= {"folder"}
    }


def outcome(scenario: Scenario) -> tuple[str, float]:
    """Runs one; what went wrong, or nothing, and how many seconds it took."""
    began = time.monotonic()
    wrong = ""
    try:
        if inspect.signature(scenario).parameters:
            with tempfile.TemporaryDirectory(prefix="gamewire-interop-") as folder:
                scenario(folder)
        else:
            scenario()
    except Exception:  # whatever it is, the other scenarios go on
        wrong = traceback.format_exc()
    return wrong, time.monotonic() - began


def run(
    about: str, modules: Sequence[ModuleType], at_once: int, use: Callable[[Path, Path], None]
) -> int:
    """All of it: `use` is told where the gamewire command is, and the folder of the built examples."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--gamewire", type=Path, help="the gamewire command")
    parser.add_argument("--examples", type=Path, help="the folder of the built examples")
    parser.add_argument("--list", action="store_true", help="only print the names")
    parser.add_argument("names", nargs="*", help="only scenarios whose name holds one of these")
    told = parser.parse_args()
    chosen = {
        name: scenario
        for name, scenario in scenarios(modules).items()
        if not told.names or any(part in name for part in told.names)
    }
    if told.list:
        print("\n".join(chosen))
        return 0
    use(told.gamewire.resolve(), told.examples.resolve())
    failed = 0
    with ThreadPoolExecutor(at_once) as pool:
        for name, (wrong, seconds) in zip(chosen, pool.map(outcome, chosen.values())):
            print(f"test {name} ... {'FAILED' if wrong else 'ok'} ({seconds:.1f} s)", flush=True)
            failed += bool(wrong)
            print(wrong, end="")
    passed = len(chosen) - failed
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed; 0 ignored")
    return 1 if failed else 0
