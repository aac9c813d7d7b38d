"""Where a referee is made to die, and how it is made to lie: done to its process from outside, never by its own code.

The hooks stand around the store, whose contract is the one place that every acknowledgement goes through.
"""

import os
import resource
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from referee.store.errors import StoreError
from referee.store.writes import Append, Create, PutReady, Seal, Write


class Point(StrEnum):
    """Names the moments at which a process dies."""

    BEFORE_COMMIT = "before an entry is committed"
    AFTER_COMMIT = "after an entry is committed, before anybody is told"
    IN_A_PAGE = "in the middle of the write of a page"
    DISK_ERROR = "when the disk reports an error in the middle of a page"
    BETWEEN_READIES = "after the first of two readies is committed"
    BEFORE_SEAL = "between the final entry and the seal"
    AFTER_SEAL = "after the seal, before its end is told"
    BEFORE_CREATE = "before a new match is committed"
    AFTER_CREATE = "after a new match is committed, before its tokens are told"
    READING_SECRETS = "when the secrets of a match are read to rebuild it"
    READING_ENTRIES = "when the entries of a match are read to rebuild it"


class Lie(StrEnum):
    """Names what a referee does that the journal must notice."""

    ACKNOWLEDGES_EARLY = "acknowledges entries and commits them later"
    TAKES_TWICE = "commits an action twice, and dies"
    TELLS_TWICE = "sends a message twice"


@dataclass(frozen=True, slots=True)
class Plan:
    """Holds what is to befall a process: at which passage of which point it dies, from 1, or how it lies."""

    point: Point | None = None
    passage: int = 1
    lie: Lie | None = None


_COMMITTING: dict[Point, tuple[type, bool]] = {
    Point.BEFORE_COMMIT: (Append, False),
    Point.AFTER_COMMIT: (Append, True),
    Point.BETWEEN_READIES: (PutReady, True),
    Point.BEFORE_SEAL: (Seal, False),
    Point.AFTER_SEAL: (Seal, True),
    Point.BEFORE_CREATE: (Create, False),
    Point.AFTER_CREATE: (Create, True),
}
_ONE_READY = "SELECT 1 FROM readies GROUP BY match HAVING COUNT(*) = 1"


def die() -> None:
    """Ends this process as a kill from outside does."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_at(point: Point, passage: int) -> None:
    """Lets this process die when it comes to a point for the nth time."""
    if point in (Point.READING_SECRETS, Point.READING_ENTRIES):
        _die_reading("read_secrets" if point is Point.READING_SECRETS else "read_entries", passage)
    elif point in (Point.IN_A_PAGE, Point.DISK_ERROR):
        _break_off_in_a_page(passage, at_once=point is Point.IN_A_PAGE)
    else:
        kind, after = _COMMITTING[point]
        _die_committing(kind, passage, after=after)


def _die_committing(kind: type, passage: int, *, after: bool) -> None:
    from referee.store.sqlite_transaction import Transactions

    commit = Transactions.commit
    passed = 0

    def commit_or_die(self: Transactions, group: Sequence[Write]) -> list[StoreError | None]:
        nonlocal passed
        passed += any(isinstance(write, kind) for write in group)
        if passed == passage and not after:
            die()
        outcomes = commit(self, group)
        if passed >= passage and (kind is not PutReady or self._db.execute(_ONE_READY).fetchone()):
            die()
        return outcomes

    Transactions.commit = commit_or_die  # type: ignore[method-assign]


def _break_off_in_a_page(passage: int, *, at_once: bool) -> None:
    """Lets the write-ahead log grow into the middle of its next page and no further.

    The system kills this process for trying, or tells it of an error.
    """
    from referee.store.sqlite_transaction import Transactions

    commit = Transactions.commit
    passed = 0

    def commit_cut_short(self: Transactions, group: Sequence[Write]) -> list[StoreError | None]:
        nonlocal passed
        passed += any(isinstance(write, Append) for write in group)
        if passed == passage:
            if at_once:
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            _let_end_in_a_page(self._db)
        return commit(self, group)

    Transactions.commit = commit_cut_short  # type: ignore[method-assign]


def _let_end_in_a_page(connection: Any) -> None:
    _, _, database = connection.execute("PRAGMA database_list").fetchone()
    (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
    written = os.stat(f"{database}-wal").st_size
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (written + page_bytes // 2, resource.RLIM_INFINITY))


def _die_reading(name: str, passage: int) -> None:
    from referee.store.sqlite import SqliteStore

    read = getattr(SqliteStore, name)
    passed = 0

    async def read_or_die(store: Any, *arguments: Any) -> Any:
        nonlocal passed
        passed += 1
        if passed >= passage:
            die()
        return await read(store, *arguments)

    setattr(SqliteStore, name, read_or_die)
