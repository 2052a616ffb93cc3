"""A game as the server saved it, as far as it is compared."""

import csv
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = dict[str, str]


@dataclass
class Section:
    """The values of a section by their names, and its tables."""

    values: dict[str, str] = field(default_factory=dict)
    tables: dict[str, list[Row]] = field(default_factory=dict)


def parse(path: Path) -> dict[str, Section]:
    """All sections of a saved game."""
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
    """The rows up to the closing brace."""
    rows = []
    for line in lines:
        if line.startswith("}"):
            break
        rows.append(line)
    names, *cells = csv.reader([head, *rows], escapechar="\\", doublequote=False)
    return [dict(zip(names, row)) for row in cells]


def unquoted(value: str) -> str:
    """A value without the marks around it."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value
