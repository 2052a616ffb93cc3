"""The gamewire command, as scripts run it."""

import json
import subprocess
from pathlib import Path
from typing import Any

# The command under test and the folder of the built examples; the runner sets them before a scenario starts.
GAMEWIRE = Path("gamewire")
EXAMPLES = Path("target/debug/examples")

Ended = subprocess.CompletedProcess[str]


def run(*arguments: str, limit: float = 60) -> Ended:
    """Runs the command to its end."""
    return subprocess.run(
        [GAMEWIRE, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit, check=False
    )


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
