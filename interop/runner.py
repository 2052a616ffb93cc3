"""Runs the scenarios of a folder and reports like a cargo test program."""

import argparse
import inspect
import os
import resource
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from pathlib import Path
from types import ModuleType

import gamewire

Scenario = Callable[..., None]

# Scenarios that keep a core busy run one for each core, and one more for when they wait.
CORES = (os.cpu_count() or 1) + 1


class Skipped(Exception):
    """A program that a scenario needs is missing."""


def long(scenario: Scenario) -> Scenario:
    """Marks a scenario that runs with --long only."""
    scenario.is_long = True  # type: ignore[attr-defined]
    return scenario


def scenarios(modules: Sequence[ModuleType]) -> dict[str, Scenario]:
    """Returns every scenario of the modules by name: a function whose parameters are a scratch folder, whether to take longer
    than in every run, both or none."""
    return {
        f"{module.__name__.split('.')[-1]}::{name}": function
        for module in modules
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and set(inspect.signature(function).parameters) <= {"folder", "is_long"}
    }


def outcome(scenario: Scenario, command: Path, examples: Path, is_long: bool) -> tuple[str, str, float]:
    """Runs a scenario. Returns `ok`, `FAILED` or why it was ignored, the traceback of a failure, and the seconds."""
    gamewire.GAMEWIRE, gamewire.EXAMPLES = command, examples
    began = time.monotonic()
    word, failure = "ok", ""
    try:
        with tempfile.TemporaryDirectory(prefix="gamewire-interop-") as folder:
            given = {"folder": folder, "is_long": is_long}
            scenario(**{name: given[name] for name in inspect.signature(scenario).parameters})
    except Skipped as reason:
        word = f"ignored, {reason}"
    except Exception:  # any failure: the other scenarios still run
        word, failure = "FAILED", traceback.format_exc()
    return word, failure, time.monotonic() - began


def processor_seconds() -> float:
    """Returns the processor time of this process and of the ended ones that it has started."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(of.ru_utime + of.ru_stime for of in used)


def run(
    about: str, modules: Sequence[ModuleType], at_once: int, pool_class: Callable[[int], Executor] = ThreadPoolExecutor
) -> int:
    """Runs the chosen scenarios, `at_once` at a time, and returns the exit code."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--gamewire", type=Path, help="the gamewire command")
    parser.add_argument("--examples", type=Path, help="the folder of the built examples")
    parser.add_argument("--list", action="store_true", help="only print the names")
    parser.add_argument("--long", action="store_true", help="longer games and more clients, and scenarios that take minutes")
    parser.add_argument("names", nargs="*", help="run only scenarios whose name contains one of these")
    options = parser.parse_args()
    named = {
        name: scenario
        for name, scenario in scenarios(modules).items()
        if not options.names or any(part in name for part in options.names)
    }
    chosen = {name: it for name, it in named.items() if options.long or not hasattr(it, "is_long")}
    if options.list:
        print("\n".join(chosen))
        return 0
    given = options.gamewire.resolve(), options.examples.resolve(), options.long
    failures = ignored = 0
    began = time.monotonic()
    with pool_class(at_once) as pool:
        running = {pool.submit(outcome, scenario, *given): name for name, scenario in chosen.items()}
        for done in as_completed(running):
            word, failure, seconds = done.result()
            is_ignored = word.startswith("ignored")
            report = f"test {running[done]} ... {word}" + ("" if is_ignored else f" ({seconds:.1f} s)")
            failures += bool(failure)
            ignored += is_ignored
            print(f"{report}\n{failure}", end="", flush=True)
    passed = len(chosen) - failures - ignored
    shorter = sum("is_long" in inspect.signature(it).parameters for it in chosen.values())
    if not options.long and len(named) - len(chosen) + shorter > 0:
        print(f"left to --long: {len(named) - len(chosen)} scenarios, and more of {shorter} others")
    print(
        f"test result: {'FAILED' if failures else 'ok'}. {passed} passed; {failures} failed; {ignored} ignored; "
        f"finished in {time.monotonic() - began:.0f} s, {processor_seconds():.0f} s of processor time"
    )
    return 1 if failures else 0
