"""Runs the scenarios of a folder and reports like a cargo test program."""

import argparse
import inspect
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from types import ModuleType

import gamewire

Scenario = Callable[..., None]


class Skipped(Exception):
    """A program that a scenario needs is missing."""


def scenarios(modules: Sequence[ModuleType]) -> dict[str, Scenario]:
    """Returns every scenario of the modules by name: a function without parameters, or with a scratch folder."""
    return {
        f"{module.__name__.split('.')[-1]}::{name}": function
        for module in modules
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and set(inspect.signature(function).parameters) <= {"folder"}
    }


def outcome(scenario: Scenario, command: Path, examples: Path) -> tuple[str, str, float]:
    """Runs a scenario. Returns `ok`, `FAILED` or why it was ignored, the traceback of a failure, and the seconds."""
    gamewire.GAMEWIRE, gamewire.EXAMPLES = command, examples
    began = time.monotonic()
    word, failure = "ok", ""
    try:
        if inspect.signature(scenario).parameters:
            with tempfile.TemporaryDirectory(prefix="gamewire-interop-") as folder:
                scenario(folder)
        else:
            scenario()
    except Skipped as reason:
        word = f"ignored, {reason}"
    except Exception:  # any failure: the other scenarios still run
        word, failure = "FAILED", traceback.format_exc()
    return word, failure, time.monotonic() - began


def run(
    about: str, modules: Sequence[ModuleType], at_once: int, pool_class: Callable[[int], Executor] = ThreadPoolExecutor
) -> int:
    """Runs the chosen scenarios, `at_once` at a time, and returns the exit code."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--gamewire", type=Path, help="the gamewire command")
    parser.add_argument("--examples", type=Path, help="the folder of the built examples")
    parser.add_argument("--list", action="store_true", help="only print the names")
    parser.add_argument("names", nargs="*", help="run only scenarios whose name contains one of these")
    options = parser.parse_args()
    chosen = {
        name: scenario
        for name, scenario in scenarios(modules).items()
        if not options.names or any(part in name for part in options.names)
    }
    if options.list:
        print("\n".join(chosen))
        return 0
    paths = repeat(options.gamewire.resolve()), repeat(options.examples.resolve())
    failures = ignored = 0
    with pool_class(at_once) as pool:
        for name, (word, failure, seconds) in zip(chosen, pool.map(outcome, chosen.values(), *paths)):
            is_ignored = word.startswith("ignored")
            print(f"test {name} ... {word}" + ("" if is_ignored else f" ({seconds:.1f} s)"), flush=True)
            failures += bool(failure)
            ignored += is_ignored
            print(failure, end="")
    passed = len(chosen) - failures - ignored
    print(f"test result: {'FAILED' if failures else 'ok'}. {passed} passed; {failures} failed; {ignored} ignored")
    return 1 if failures else 0
