"""A store in one SQLite file, for everything that must outlive the referee."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TypeVar

from referee.store.base import (
    BotRow,
    DealRow,
    IndexRecord,
    IndexState,
    MatchRow,
    SealRow,
    Secrets,
    StoredEntry,
    StoreListener,
)
from referee.store.directory import IndexMark, StoreDirectory
from referee.store.errors import StoreClosed, StoreGivenUp, StoreUnavailable
from referee.store.paging import page
from referee.store.queued import QueuedStore
from referee.store.sqlite_schema import DATABASE_ERRORS, connect, prepare
from referee.store.sqlite_transaction import Transactions
from referee.store.sqlite_writer import GroupWriter, is_passing
from referee.store.writes import Write

Connect = Callable[[Path], sqlite3.Connection]
T = TypeVar("T")

_ROW = (
    "SELECT number, match_id, header, h0, created, seat_a_token, seat_b_token, spectator_token, "
    "seal IS NOT NULL, reveal IS NOT NULL FROM matches"
)


class SqliteStore(QueuedStore):
    """Keeps everything in `directory/referee.db`; fulfils `referee.store.base.Store`.

    Everything happens on the thread of the loop (`sqlite_writer` says why). While writes fail for want of room, because
    another program holds the database or because it is read-only, they are tried again for `retry_limit_s` seconds.
    Without `sync_entries` a match under way may lose its last entries when the machine itself stops, though not when
    this process does: half as fast again, for a referee that drops such a match. `connect` makes the connection; tests
    give one that can be made to fail.
    """

    def __init__(
        self, directory: Path, *, retry_limit_s: float = 60.0, sync_entries: bool = True, connect: Connect = connect
    ) -> None:
        self._directory = StoreDirectory(directory)
        self._retry_limit_s = retry_limit_s
        self._sync_entries = sync_entries
        self._connect = connect
        self._closed = False

    @property
    def restored(self) -> bool:
        """Returns whether the database is a backup; see `referee.store.base.Store`."""
        return self._writer.restored

    async def open(self, listener: StoreListener | None = None) -> None:
        """Takes sole ownership of the directory; see `referee.store.base.Store`."""
        self._loop = asyncio.get_running_loop()
        with ExitStack() as undo:
            self._directory.acquire()
            undo.callback(self._directory.release)
            try:
                self._db = undo.enter_context(closing(self._connect(self._directory.database)))
                prepare(self._db)
                self._transactions = Transactions(self._db, sync_entries=self._sync_entries)
                restored = _is_behind(self._db, self._directory, self._transactions.committed)
                self._directory.sync()
            except (*DATABASE_ERRORS, OSError) as error:
                raise StoreUnavailable(f"{self._directory.database} cannot be used: {error}") from error
            self._files = undo.pop_all()
        self._writer = GroupWriter(
            self._transactions,
            self._directory,
            self._loop,
            listener,
            restored=restored,
            retry_limit_s=self._retry_limit_s,
        )

    async def close(self) -> None:
        """Finishes what is queued and releases the directory; see `referee.store.base.Store`."""
        self._writer.close()
        self._closed = True
        self._files.close()

    def index_state(self) -> IndexState:
        """Returns the committed end of the referee's index."""
        return self._transactions.committed

    async def index_records(self, start: int, limit: int) -> list[IndexRecord]:
        """Returns records of the referee's index."""
        sql = "SELECT previous, bytes, head FROM index_records WHERE position >= ? ORDER BY position LIMIT ?"
        return self._read(lambda db: [IndexRecord(*row) for row in db.execute(sql, (start, limit))])

    async def readies(self, number: int) -> tuple[bytes | None, bytes | None]:
        """Returns the entropy of seats A and B."""
        sql = "SELECT seat, entropy FROM readies WHERE match = ?"
        given: dict[int, bytes] = self._read(lambda db: dict(db.execute(sql, (number,))))
        return given.get(0), given.get(1)

    async def read_match(self, number: int) -> MatchRow | None:
        """Returns the row of a match."""
        return next(iter(self._read_rows(f"{_ROW} WHERE number = ?", number)), None)

    async def find_match(self, match_id: bytes) -> MatchRow | None:
        """Returns the row of the match with this id."""
        return next(iter(self._read_rows(f"{_ROW} WHERE match_id = ?", match_id)), None)

    async def unfinished(self) -> list[MatchRow]:
        """Returns the rows of all matches without a seal."""
        return self._read_rows(f"{_ROW} WHERE seal IS NULL ORDER BY number")

    async def list_matches(self, after_number: int, limit: int) -> list[MatchRow]:
        """Returns rows by number."""
        return self._read_rows(f"{_ROW} WHERE number > ? ORDER BY number LIMIT ?", after_number, limit)

    async def deal_matches(self, deal_id: bytes) -> list[MatchRow]:
        """Returns the rows of all matches of a deal."""
        of_deal = "number IN (SELECT match FROM secrets WHERE deal_id = ?)"
        return self._read_rows(f"{_ROW} WHERE {of_deal} ORDER BY number", deal_id)

    async def read_deal(self, deal_id: bytes) -> DealRow | None:
        """Returns a deal that matches share."""
        return next(iter(self._read_deals("WHERE deal_id = ?", deal_id)), None)

    async def open_deals(self) -> list[DealRow]:
        """Returns the shared deals that take more matches."""
        return self._read_deals("WHERE NOT closed ORDER BY deal_id")

    async def bots(self) -> list[BotRow]:
        """Returns the rows of all bots."""
        sql = "SELECT number, name, token FROM bots ORDER BY number"
        return self._read(lambda db: [BotRow(*row) for row in db.execute(sql)])

    async def read_secrets(self, number: int) -> Secrets | None:
        """Returns the secrets of a match."""
        sql = "SELECT deal_id, seed, salt, blind_key, bot_seeds FROM secrets WHERE match = ?"
        row = self._read(lambda db: db.execute(sql, (number,)).fetchone())
        return None if row is None else Secrets(*row)

    async def read_seal(self, number: int) -> SealRow | None:
        """Returns the seal of a match."""
        sql = "SELECT number, seal, reveal FROM matches WHERE number = ? AND seal IS NOT NULL"
        row = self._read(lambda db: db.execute(sql, (number,)).fetchone())
        return None if row is None else SealRow(*row)

    async def read_entries(self, number: int, after_index: int, max_bytes: int) -> list[StoredEntry]:
        """Returns the next entries of a match."""
        sql = "SELECT idx, head, bytes FROM entries WHERE match = ? AND idx > ? ORDER BY idx"
        return self._read(
            lambda db: page((StoredEntry(*row) for row in db.execute(sql, (number, after_index))), max_bytes)
        )

    async def read_last_entry(self, number: int) -> StoredEntry | None:
        """Returns the last entry of a match."""
        sql = "SELECT idx, head, bytes FROM entries WHERE match = ? ORDER BY idx DESC LIMIT 1"
        row = self._read(lambda db: db.execute(sql, (number,)).fetchone())
        return None if row is None else StoredEntry(*row)

    def _submit(self, write: Write) -> None:
        self._writer.submit(write)

    def _read_rows(self, sql: str, *parameters: int | bytes) -> list[MatchRow]:
        def read(db: sqlite3.Connection) -> list[MatchRow]:
            return [_match_row(*row) for row in db.execute(sql, parameters)]

        return self._read(read)

    def _read_deals(self, clause: str, *parameters: bytes) -> list[DealRow]:
        sql = f"SELECT deal_id, seed, closed FROM deals {clause}"
        rows = self._read(lambda db: db.execute(sql, parameters).fetchall())
        return [DealRow(deal_id, seed, bool(closed)) for deal_id, seed, closed in rows]

    def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Returns what a query finds; a database that cannot be read is broken for writing too."""
        if self._closed:
            raise StoreClosed("the store is closed")
        try:
            return query(self._db)
        except DATABASE_ERRORS as error:
            if is_passing(error):
                raise StoreGivenUp(f"the store could not be read: {error}") from error
            raise self._writer.break_off(error) from error


def _match_row(
    number: int,
    match_id: bytes,
    header: bytes,
    h0: bytes,
    created: str,
    seat_a_token: bytes,
    seat_b_token: bytes,
    spectator_token: bytes,
    ended: int,
    revealed: int,
) -> MatchRow:
    digests = seat_a_token, seat_b_token, spectator_token
    return MatchRow(number, match_id, header, h0, created, digests, bool(ended), bool(revealed))


def _is_behind(db: sqlite3.Connection, directory: StoreDirectory, index: IndexState) -> bool:
    """Returns whether the index of a database lacks the record that its directory remembers.

    A database that is new gets its mark here, so that a mark that is missing later tells of a backup.
    """
    mark = directory.read_mark()
    if mark is None and index.length == 0:
        directory.write_mark(IndexMark(0, index.head))
        return False
    if mark is None or mark.length > index.length:
        return True
    if mark.length == 0:
        return False
    row = db.execute("SELECT head FROM index_records WHERE position = ?", (mark.length - 1,)).fetchone()
    return row is None or bool(row[0] != mark.head)
