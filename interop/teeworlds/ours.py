"""What `gamewire inspect` makes of a capture."""

import json
import subprocess
from pathlib import Path
from typing import Any, Iterator


def datagrams(gamewire: Path, capture: Path) -> Iterator[dict[str, Any]]:
    """Every datagram as an object, fields as plain values: numbers, texts, lists, objects."""
    command = [gamewire, "inspect", "--json", "--verbose", capture]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as inspect:
        for line in inspect.stdout:
            datagram = json.loads(line)
            del datagram["sources"]
            yield plain(datagram)
    if inspect.returncode != 0:
        raise RuntimeError(f"gamewire inspect {capture.name} ended with {inspect.returncode}")


def plain(told: Any) -> Any:
    """Takes away what `--verbose` adds to a field, which is all but its value."""
    if isinstance(told, list):
        return [plain(member) for member in told]
    if not isinstance(told, dict):
        return told
    if "bits" in told and "value" in told:
        return told["value"]
    return {name: plain(value) for name, value in told.items()}


def message(entry: dict[str, Any]) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Name and fields of a message, and the chunk around it."""
    chunk = entry.get("chunk", {})
    (name, fields), = ((name, fields) for name, fields in entry.items() if name != "chunk")
    return name, fields, chunk
