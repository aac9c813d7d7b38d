"""One commit group of the SQLite store: refusals are judged write by write, the rest is one transaction."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import assert_never

from referee.store.base import INDEX_ORIGIN, BotRow, IndexRecord, IndexState
from referee.store.errors import (
    DealClosed,
    MatchSealed,
    StoreError,
    UnknownDeal,
    UnknownMatch,
    WrongBot,
    WrongIndex,
    WrongIndexHead,
    WrongNumber,
)
from referee.store.writes import (
    Append,
    CloseDeal,
    Create,
    PutBot,
    PutDeal,
    PutReady,
    ReplaceTokenDigest,
    Seal,
    SettleRestore,
    Write,
)

_TOKEN_COLUMNS = ("seat_a_token", "seat_b_token", "spectator_token")


class Transactions:
    """Applies groups of writes on one connection and remembers the ends of the open logs between them.

    Without `sync_entries` a group of entries alone waits for the disk with the next group that has anything else.
    """

    def __init__(self, connection: sqlite3.Connection, *, sync_entries: bool = True) -> None:
        self._db = connection
        self._sync_entries = sync_entries
        self._last: dict[int, int] = {}
        self._rows: list[tuple[int, int, bytes, bytes]] = []
        self._index = self.committed = _load_index(connection)

    def commit(self, group: Sequence[Write]) -> list[StoreError | None]:
        """Commits a group and returns the refusal, or None, of each write.

        Raises sqlite3.Error with nothing changed.
        """
        try:
            if all(isinstance(write, Append) for write in group):
                self._synchronize(self._sync_entries)
                outcomes = [self._apply(write) for write in group]
                self._insert_entries()
            else:
                self._synchronize(True)
                self._db.execute("BEGIN IMMEDIATE")
                outcomes = [self._apply(write) for write in group]
                self._insert_entries()
                self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._last.clear()
            self._rows.clear()
            self._index = self.committed
            raise
        self.committed = self._index
        return outcomes

    def _synchronize(self, full: bool) -> None:
        """Says whether the next commit returns when it is on the disk, and with it all those before it."""
        if not self._sync_entries:
            self._db.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")

    def _apply(self, write: Write) -> StoreError | None:
        if isinstance(write, Append):
            return self._append(write)
        if isinstance(write, Create):
            return self._create(write)
        if isinstance(write, PutReady):
            return self._put_ready(write)
        if isinstance(write, Seal):
            return self._seal(write)
        if isinstance(write, ReplaceTokenDigest):
            return self._replace_token_digest(write)
        if isinstance(write, PutDeal):
            return self._put_deal(write)
        if isinstance(write, CloseDeal):
            return self._close_deal(write)
        if isinstance(write, PutBot):
            return self._put_bot(write.row)
        if isinstance(write, SettleRestore):
            return None
        assert_never(write)

    def _append(self, write: Append) -> StoreError | None:
        last = self._last.get(write.number)
        if last is None:
            if (refusal := self._not_open(write.number)) is not None:
                return refusal
            last = self._last[write.number]
        if write.index != last + 1:
            return WrongIndex(write.number, last + 1, write.index)
        self._last[write.number] = write.index
        self._rows.append((write.number, write.index, write.head, write.data))
        return None

    def _create(self, write: Create) -> StoreError | None:
        row, secrets = write.row, write.secrets
        taken = self._db.execute("SELECT 1 FROM matches WHERE match_id = ?", (row.match_id,)).fetchone()
        if taken or row.number != self._index.next_number:
            return WrongNumber(f"match {row.number} is not the next one, or its id is taken")
        if self._db.execute("SELECT 1 FROM deals WHERE deal_id = ? AND closed", (secrets.deal_id,)).fetchone():
            return DealClosed()
        if (refusal := self._not_next(write.record)) is not None:
            return refusal
        self._db.execute(
            "INSERT INTO matches (number, match_id, header, h0, created, seat_a_token, seat_b_token, spectator_token) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (row.number, row.match_id, row.header, row.h0, row.created, *row.token_digests),
        )
        self._db.execute(
            "INSERT INTO secrets (match, deal_id, seed, salt, blind_key, bot_seeds) VALUES (?, ?, ?, ?, ?, ?)",
            (row.number, secrets.deal_id, secrets.seed, secrets.salt, secrets.blind_key, secrets.bot_seeds),
        )
        self._add_record(write.record, row.number + 1)
        self._last[row.number] = 0
        return None

    def _put_ready(self, write: PutReady) -> StoreError | None:
        if (refusal := self._not_open(write.number)) is not None:
            return refusal
        key = (write.number, write.seat)
        self._db.execute("INSERT OR IGNORE INTO readies (match, seat, entropy) VALUES (?, ?, ?)", (*key, write.entropy))
        (write.counts,) = self._db.execute("SELECT entropy FROM readies WHERE match = ? AND seat = ?", key).fetchone()
        return None

    def _seal(self, write: Seal) -> StoreError | None:
        if (refusal := self._not_open(write.number) or self._not_next(write.record)) is not None:
            return refusal
        self._db.execute("UPDATE matches SET seal = ? WHERE number = ?", (write.seal, write.number))
        self._reveal(write.reveals)
        self._db.execute("UPDATE secrets SET blind_key = x'' WHERE match = ?", (write.number,))
        self._add_record(write.record, self._index.next_number)
        del self._last[write.number]
        return None

    def _reveal(self, reveals: Mapping[int, bytes]) -> None:
        self._db.executemany(
            "UPDATE matches SET reveal = ? WHERE number = ? AND seal IS NOT NULL AND reveal IS NULL",
            [(reveal, number) for number, reveal in reveals.items()],
        )

    def _put_deal(self, write: PutDeal) -> StoreError | None:
        values = (write.deal_id, write.seed)
        self._db.execute("INSERT OR IGNORE INTO deals (deal_id, seed, closed) VALUES (?, ?, 0)", values)
        return None

    def _close_deal(self, write: CloseDeal) -> StoreError | None:
        if not self._db.execute("UPDATE deals SET closed = 1 WHERE deal_id = ?", (write.deal_id,)).rowcount:
            return UnknownDeal()
        self._reveal(write.reveals)
        return None

    def _replace_token_digest(self, write: ReplaceTokenDigest) -> StoreError | None:
        column = _TOKEN_COLUMNS[write.place]
        sql = f"UPDATE matches SET {column} = ? WHERE number = ?"
        changed = self._db.execute(sql, (write.digest, write.number)).rowcount
        return None if changed else UnknownMatch(write.number)

    def _put_bot(self, row: BotRow) -> StoreError | None:
        (number,) = self._db.execute(
            "SELECT COALESCE((SELECT number FROM bots WHERE name = ?), (SELECT COUNT(*) + 1 FROM bots))", (row.name,)
        ).fetchone()
        if row.number != number:
            return WrongBot(row.number, row.name)
        self._db.execute(
            "INSERT INTO bots (number, name, token) VALUES (?, ?, ?) "
            "ON CONFLICT (number) DO UPDATE SET token = excluded.token",
            (row.number, row.name, row.token_digest),
        )
        return None

    def _not_open(self, number: int) -> StoreError | None:
        """Returns why nothing can be added to a match; None where `_last` holds the end of its log from now on."""
        if number in self._last:
            return None
        row = self._db.execute(
            "SELECT seal IS NOT NULL, (SELECT COALESCE(MAX(idx), 0) FROM entries WHERE match = number) "
            "FROM matches WHERE number = ?",
            (number,),
        ).fetchone()
        if row is None:
            return UnknownMatch(number)
        sealed, last = row
        if sealed:
            return MatchSealed(number)
        self._last[number] = last
        return None

    def _not_next(self, record: IndexRecord) -> StoreError | None:
        head = self._index.head
        return None if record.previous == head else WrongIndexHead(head, record.previous)

    def _add_record(self, record: IndexRecord, next_number: int) -> None:
        self._db.execute(
            "INSERT INTO index_records (position, previous, bytes, head) VALUES (?, ?, ?, ?)",
            (self._index.length, record.previous, record.data, record.head),
        )
        self._index = IndexState(next_number, record.head, self._index.length + 1)

    def _insert_entries(self) -> None:
        """Inserts the entries of a group by one statement, which is a transaction of its own where none is open."""
        if self._rows:
            values = [value for row in self._rows for value in row]
            places = ", ".join(["(?, ?, ?, ?)"] * len(self._rows))
            self._db.execute(f"INSERT INTO entries (match, idx, head, bytes) VALUES {places}", values)
            self._rows.clear()


def _load_index(connection: sqlite3.Connection) -> IndexState:
    (next_number,) = connection.execute("SELECT COALESCE(MAX(number), 0) + 1 FROM matches").fetchone()
    last = connection.execute("SELECT position, head FROM index_records ORDER BY position DESC LIMIT 1").fetchone()
    if last is None:
        return IndexState(next_number, INDEX_ORIGIN, 0)
    position, head = last
    return IndexState(next_number, head, position + 1)
