"""`gamewire` as a script runs it."""

import json
import subprocess
from pathlib import Path
from typing import Any

# The command under test; set once, before anything runs.
GAMEWIRE = Path("gamewire")


def run(*arguments: str, limit: float = 60) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end."""
    return subprocess.run(
        [GAMEWIRE, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit, check=False
    )


def refused(ended: subprocess.CompletedProcess[str], *words: str) -> None:
    """Exit 1, and one line of talk with all the words."""
    assert ended.returncode == 1, ended
    errors = [line for line in ended.stderr.splitlines() if line.startswith("error:")]
    assert len(errors) == 1 and all(word in errors[0] for word in words), ended
    assert "panic" not in ended.stderr, ended


def events(ended: subprocess.CompletedProcess[str], kind: str) -> list[dict[str, Any]]:
    """All events of a kind that a run with --json told."""
    told = [json.loads(line) for line in ended.stdout.splitlines()]
    return [event for event in told if event.get("event") == kind]
