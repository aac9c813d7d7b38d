"""Rows a second that SQLite makes durable in groups of one size: what no store of the referee can exceed."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.store.sqlite_schema import connect, prepare

_MATCHES = 50
# About an entry of one action.
_ENTRY_BYTES = 150


@contextmanager
def bare_commits(group: int) -> Iterator[Callable[[], int]]:
    """Yields a function that commits one group of rows, with the settings of the store, and returns their number."""
    with TemporaryDirectory() as folder, closing(connect(Path(folder) / "rows.db")) as connection:
        prepare(connection)
        yield _committer(connection, group)


def _committer(connection: sqlite3.Connection, group: int) -> Callable[[], int]:
    places = ", ".join(["(?, ?, ?, ?)"] * group)
    insert = f"INSERT INTO entries (match, idx, head, bytes) VALUES {places}"
    row = 0

    def commit() -> int:
        nonlocal row
        values: list[int | bytes] = []
        for _ in range(group):
            values += row % _MATCHES, row // _MATCHES, os.urandom(32), os.urandom(_ENTRY_BYTES)
            row += 1
        connection.execute(insert, values)
        return group

    return commit
