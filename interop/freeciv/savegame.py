"""A game that the server saved: the parts that are compared."""

import csv
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = dict[str, str]


@dataclass
class Section:
    """The values of a section by name, and its tables."""

    values: dict[str, str] = field(default_factory=dict)
    tables: dict[str, list[Row]] = field(default_factory=dict)


def parse(path: Path) -> dict[str, Section]:
    """Returns all sections of a saved game by name."""
    sections: dict[str, Section] = {}
    section, lines = Section(), iter(path.read_text(encoding="utf-8").splitlines())
    for line in lines:
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), Section())
            continue
        name, equals, value = line.partition("=")
        if equals and value.startswith("{"):
            section.tables[name] = table(value[1:], lines)
        elif equals:
            section.values[name] = unquoted(value)
    return sections


def table(head: str, lines: Any) -> list[Row]:
    """Returns the rows up to the closing brace."""
    rows = []
    for line in lines:
        if line.startswith("}"):
            break
        rows.append(line)
    names, *cells = csv.reader([head, *rows], escapechar="\\", doublequote=False)
    return [dict(zip(names, row)) for row in cells]


def unquoted(value: str) -> str:
    """Returns a value without the quotes around it."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value
