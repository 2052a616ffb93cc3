"""The gamewire command, as scripts run it. Every line that it prints with --json is checked against its schema."""

import functools
import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Optional

from program import LIMIT

try:
    import jsonschema
except ImportError:  # xtask says so if the package cannot be installed
    jsonschema = None  # type: ignore[assignment]

SCHEMAS = Path(__file__).resolve().parent.parent / "docs/schema"

# The command under test and the folder of the built examples; the runner sets them before a scenario starts.
GAMEWIRE = Path("gamewire")
EXAMPLES = Path("target/debug/examples")

Ended = subprocess.CompletedProcess[str]


def run(*arguments: str) -> Ended:
    """Runs the command to its end."""
    ended = subprocess.run(
        [GAMEWIRE, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    check_output(arguments, ended.stdout.splitlines())
    return ended


def schema_of(arguments: Sequence[str]) -> Optional[str]:
    """Returns the name of the schema of what the command prints with these arguments, if it has one."""
    if "--json" not in arguments:
        return None
    if arguments[0] == "join":
        protocols = ("tw", "teeworlds"), ("riptide",), ("freeciv",)
        name = next(names[-1] for names in protocols if arguments[1].startswith(names))
        return f"join-{name}"
    if arguments[0] == "replay":
        is_freeciv = "--listen" in arguments and arguments[arguments.index("--listen") + 1].startswith("freeciv")
        return "replay-freeciv" if is_freeciv else "replay"
    if arguments[0] == "serve":
        return f"serve-{arguments[1]}"
    if arguments[0] == "play":
        return "play-freeciv"
    return arguments[0] if arguments[0] in ("info", "demo", "inspect", "proxy") else None


@functools.cache
def validator(name: str) -> Any:
    """Returns the validator of a schema."""
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    return jsonschema.Draft202012Validator(schema)


def check_output(arguments: Sequence[str], lines: Iterable[str]) -> None:
    """Checks every line against the schema."""
    name = schema_of(arguments)
    if name is not None and jsonschema is not None:
        for line in lines:
            error = next(validator(name).iter_errors(json.loads(line)), None)
            assert error is None, f"{name}: {line}\n{error.message}"


def events(ended: Ended, kind: str) -> list[dict[str, Any]]:
    """All events of a kind that a run with --json printed."""
    printed = [json.loads(line) for line in ended.stdout.splitlines()]
    return [event for event in printed if event.get("event") == kind]


def failed(code: int, stderr: str, *words: str) -> None:
    """Checks for exit code 1 and a single error line that contains all the words."""
    assert code == 1, (code, stderr)
    errors = [line for line in stderr.splitlines() if line.startswith("error:")]
    assert len(errors) == 1 and all(word in errors[0] for word in words), stderr
    assert "panic" not in stderr, stderr
