"""Runs the questions of docs/tables.md on tables of the captures, and checks the answers with `gamewire inspect`.

`cargo xtask interop` runs this with the packages of `interop/requirements.txt`.
"""

import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).resolve().parents[2]
CAPTURE = ROOT / "vectors/teeworlds/captures/tw-0.6-ddnet-tken.pcap"
FREECIV = ROOT / "vectors/freeciv/captures/game.pcap"
# The questions in SQL and the programs in Python of the document; `main` reads them.
SQL: list[str] = []
PYTHON: list[str] = []

Rows = list[tuple[Any, ...]]


class Tables:
    """The tables of a capture, and what `gamewire inspect` prints of it."""

    def __init__(self, gamewire: Path, capture: Path, folder: Path) -> None:
        self.gamewire, self.capture, self.folder = gamewire, capture, folder
        self.inspect("--parquet", str(folder / "tables"))

    def inspect(self, *options: str) -> list[Any]:
        """Runs `gamewire inspect` and returns its JSON lines."""
        ran = subprocess.run([self.gamewire, "inspect", self.capture, "-q", *options], check=True, capture_output=True, text=True)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def ask(self, question: str) -> Rows:
        """Runs a question in the folder that contains the tables."""
        os.chdir(self.folder)
        return duckdb.sql(question).fetchall()

    def messages(self, name: str, *options: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Returns the datagrams with a message of this name, each with the message."""
        lines = self.inspect("--json", *options)
        return [(line, entry[name]) for line in lines for entry in line["messages"] if name in entry]


def chat(tables: Tables) -> None:
    """Who chats most."""
    expected = Counter((line["conversation"], text["client_id"]) for line, text in tables.messages("chat") if text["client_id"] >= 0)
    rows = tables.ask(SQL[0])
    assert {(row[0], row[1]): row[3] for row in rows} == expected and expected, (rows, expected)


def loss_by_minute(tables: Tables) -> Rows:
    """Resent chunks by minute."""
    seconds, micros = struct.unpack("<II", tables.capture.read_bytes()[24:32])
    start = datetime(1970, 1, 1) + timedelta(seconds=seconds, microseconds=micros)
    packets, resent = Counter(), Counter()
    latest: dict[tuple[int, str, int], float] = {}
    for line in tables.inspect("--json"):
        minute = (start + timedelta(seconds=line["time"])).replace(second=0, microsecond=0)
        packets[minute] += 1
        for chunk in (entry["chunk"] for entry in line["messages"] if entry.get("chunk", {}).get("repeated")):
            # A copy without the mark, or soon after the last one with it, was made by the network.
            known = (line["conversation"], line["direction"], chunk["sequence"])
            if chunk["chunk_resend"] and line["time"] - latest.get(known, -1) >= 0.01:
                resent[minute] += 1
                latest[known] = line["time"]
    expected = [(minute, packets[minute], resent[minute]) for minute in sorted(packets)]
    rows = tables.ask(SQL[1])
    assert rows == expected and sum(resent.values()) > 0, (rows, expected)
    return rows


def bytes_by_message(tables: Tables) -> None:
    """Messages and items with their bytes, as the totals have them."""
    totals = tables.inspect("-z", "--json")[0]
    expected = {(of["name"], of["client"] + of["server"], of["bytes"]) for of in totals["messages"]}
    expected |= {(of["name"].replace(".", ".item.", 1), of["client"] + of["server"], of["bytes"]) for of in totals["items"]}
    rows = tables.ask(SQL[2])
    assert set(rows) == expected and len(rows) == len(expected) > 20, set(rows) ^ expected


def snapshot_sizes(tables: Tables) -> None:
    """Number and sizes of snapshots."""
    sizes = defaultdict(list)
    for line, snapshot in tables.messages("snap_single"):
        sizes[line["conversation"]].append(len(snapshot["data"]) // 2)
    rows = tables.ask(SQL[3])
    assert [(row[0], row[1], row[3]) for row in rows] == [(of, len(all), max(all)) for of, all in sorted(sizes.items())], rows
    total = next(of for of in tables.inspect("-z", "--json")[0]["messages"] if of["name"] == "teeworlds.snap_single")
    assert sum(row[2] for row in rows) == total["bytes"] > 0, (rows, total)


def gold_by_turn(tables: Tables) -> None:
    """The gold of player 0 in the last packet of each turn."""

    def value(packet: dict[str, Any], name: str) -> Any:
        field = packet.get(name) or packet.get("as_before", {}).get(name)
        return field and field["value"]

    turns: dict[int, int] = {}
    games = [(line["frame"], value(packet, "turn")) for line, packet in tables.messages("game_info", "-V")]
    by_frame = [(frame, turn) for frame, turn in games if turn is not None]
    for line, packet in tables.messages("player_info", "-V"):
        known = [turn for frame, turn in by_frame if frame <= line["frame"]]
        gold = value(packet, "gold")
        if known and gold is not None and value(packet, "playerno") == 0:
            turns[known[-1]] = gold
    rows = tables.ask(SQL[4])
    assert dict(rows) == turns and len(turns) >= 3 and any(turns.values()), (rows, turns)


def polars_agrees(tables: Tables) -> None:
    """Polars reads the same."""
    os.chdir(tables.folder)
    found: dict[str, Any] = {}
    exec(next(block for block in PYTHON if "polars" in block), found)
    assert found["result"].rows() == loss_by_minute(tables), found["result"]


def nothing_is_left_over(tables: Tables) -> None:
    """Every field has a column."""
    rows = tables.ask("SELECT filename, other_fields FROM read_parquet('tables/*.*.parquet', union_by_name = true, filename = true) WHERE other_fields IS NOT NULL")
    assert not rows, rows[:3]


def main() -> int:
    """Runs the tests and reports like a cargo test program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gamewire", type=Path, required=True, help="the gamewire command, with the feature parquet")
    parser.add_argument("--questions", type=Path, required=True, help="docs/tables.md")
    options = parser.parse_args()
    gamewire, document = options.gamewire.resolve(), options.questions.read_text()
    SQL.extend(re.findall(r"```sql\n(.*?)```", document, re.DOTALL))
    PYTHON.extend(re.findall(r"```python\n(.*?)```", document, re.DOTALL))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        teeworlds, freeciv = Path(folder, "teeworlds"), Path(folder, "freeciv")
        teeworlds.mkdir(), freeciv.mkdir()
        teeworlds, freeciv = Tables(gamewire, CAPTURE, teeworlds), Tables(gamewire, FREECIV, freeciv)
        tests: list[tuple[Callable[[Tables], Any], Tables]] = [
            (chat, teeworlds),
            (loss_by_minute, teeworlds),
            (bytes_by_message, teeworlds),
            (snapshot_sizes, teeworlds),
            (gold_by_turn, freeciv),
            (polars_agrees, teeworlds),
            (nothing_is_left_over, teeworlds),
            (nothing_is_left_over, freeciv),
        ]
        for test, tables in tests:
            try:
                test(tables)
                failure = ""
            except Exception:  # any failure: the other tests still run
                failure = traceback.format_exc()
            failures += bool(failure)
            print(failure, end="")
            print(f"test tables::{test.__name__}::{tables.capture.stem} ... {'FAILED' if failure else 'ok'}", flush=True)
        os.chdir(ROOT)
    print(f"test result: {'FAILED' if failures else 'ok'}. {len(tests) - failures} passed; {failures} failed; 0 ignored")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
