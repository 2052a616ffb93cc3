"""Tables of a capture."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gamewire import _native


class Table:
    """A table in a Parquet file. Polars, DuckDB and pandas can read `path`, and take the table itself as Arrow."""

    def __init__(self, path: Path):
        self.path = path
        """The file."""

    @property
    def name(self) -> str:
        """The name: `packets`, `PROTOCOL.MESSAGE` or `PROTOCOL.item.ITEM`."""
        return self.path.name.removesuffix(".parquet")

    def to_arrow(self) -> Any:
        """Returns the table as a `pyarrow.Table`. Needs pyarrow."""
        from pyarrow import parquet

        return parquet.read_table(self.path)

    def to_pandas(self) -> Any:
        """Returns the table as a `pandas.DataFrame`. Needs pandas and pyarrow."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Returns the table as a `polars.DataFrame`. Needs polars."""
        import polars

        return polars.read_parquet(self.path)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Exports the table by the Arrow PyCapsule interface. Needs pyarrow or polars."""
        try:
            table = self.to_arrow()
        except ImportError:
            table = self.to_polars()
        return table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<Table {self.name}>"


class Tables(Mapping[str, Table]):
    """The tables of a capture by name. A folder that was made for them is removed with this object."""

    def __init__(self, folder: Path, damage: list[str], rows: int, owner: Any = None):
        self.folder = folder
        """The folder of the Parquet files."""
        self.damage = damage
        """Descriptions of the damage of the capture."""
        self.rows = rows
        """Number of rows of all tables."""
        self._owner = owner
        self._tables = {table.name: table for table in map(Table, sorted(folder.glob("*.parquet")))}

    def __getitem__(self, name: str) -> Table:
        if name not in self._tables:
            raise KeyError(f"no table {name!r}: use one of {', '.join(self)}")
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        return f"<Tables {', '.join(self)}>"


def tables(
    source: str | os.PathLike[str] | bytes,
    folder: str | os.PathLike[str] | None = None,
    *,
    filter: str | None = None,
    messages: str | os.PathLike[str] | None = None,
) -> Tables:
    """Reads a capture into tables: one for the packets, and one for each type of message and item.

    `folder` must have no Parquet files; by default it is a temporary one, which lasts as long as the result. The columns
    are described in docs/tables.md. Raises what `gamewire.open` raises.
    """
    owner = None
    if folder is None:
        owner = tempfile.TemporaryDirectory(prefix="gamewire-tables-")
        folder = owner.name
    path = Path(folder)
    damage, rows = _native.write_tables(source, path, filter, messages)
    return Tables(path, damage, rows, owner)
