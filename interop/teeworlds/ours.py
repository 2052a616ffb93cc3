"""The datagrams of a capture as `gamewire inspect` decodes them."""

import json
import subprocess
from pathlib import Path
from typing import Any, Iterator


def datagrams(gamewire: Path, capture: Path) -> Iterator[dict[str, Any]]:
    """Yields every datagram as an object with plain values: numbers, texts, lists, objects."""
    command = [gamewire, "inspect", "--json", "--verbose", capture]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as inspect:
        for line in inspect.stdout:
            datagram = json.loads(line)
            del datagram["sources"]
            yield plain(datagram)
    if inspect.returncode != 0:
        raise RuntimeError(f"gamewire inspect {capture.name} ended with {inspect.returncode}")


def plain(value: Any) -> Any:
    """Returns a value without the additions of `--verbose`."""
    if isinstance(value, list):
        return [plain(member) for member in value]
    if not isinstance(value, dict):
        return value
    if "bits" in value and "value" in value:
        return value["value"]
    return {name: plain(member) for name, member in value.items()}


def message(entry: dict[str, Any]) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Returns the name and fields of a message, and the chunk around it."""
    chunk = entry.get("chunk", {})
    (name, fields), = ((name, fields) for name, fields in entry.items() if name != "chunk")
    return name, fields, chunk
