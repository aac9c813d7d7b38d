"""How the tests make a disk fail: a store whose connection they can reach, and a hand on its database."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from referee.store.sqlite import SqliteStore
from referee.store.sqlite_schema import connect
from tests.store.contract import Listener


class Disk:
    """Makes the connection of a store and keeps it, to change its limits later."""

    def __init__(self) -> None:
        self.connection: sqlite3.Connection | None = None

    def connect(self, database: Path) -> sqlite3.Connection:
        self.connection = connect(database)
        return self.connection

    def pragma(self, name: str, value: int) -> int:
        assert self.connection is not None
        self.connection.execute(f"PRAGMA {name} = {value}")
        (now,) = self.connection.execute(f"PRAGMA {name}").fetchone()
        return int(now)

    def fill(self) -> None:
        """Leaves no room for another page."""
        self.pragma("max_page_count", 1)

    def make_room(self) -> None:
        self.pragma("max_page_count", 1 << 30)

    def set_read_only(self, on: bool) -> None:
        self.pragma("query_only", int(on))


@asynccontextmanager
async def opened(
    directory: Path, listener: Listener | None = None, disk: Disk | None = None, retry_limit_s: float = 60.0
) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(directory, retry_limit_s=retry_limit_s, connect=(disk or Disk()).connect)
    await store.open(listener)
    try:
        yield store
    finally:
        await store.close()
