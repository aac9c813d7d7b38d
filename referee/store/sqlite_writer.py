"""The writing of the SQLite store: group commit in the loop, patience with a full or busy disk, one telling a group.

Groups are committed on the thread of the loop. A thread beside it would overlap one commit with other work, but it gets
the interpreter lock back only when the loop goes idle or stays away from the system for a whole switch interval, and a
busy loop does neither. Measured under a busy loop: with a thread 200 rows a second and a delay of 0.3 to 1.2 s (p99),
here 58,000 rows a second and 0.5 ms. With an idle loop, and on a disk that takes 4 ms for a commit, both were equal.
"""

import sqlite3
from asyncio import AbstractEventLoop, Handle

from referee.store.base import StoreListener
from referee.store.directory import IndexMark, StoreDirectory
from referee.store.errors import StoreClosed, StoreError, StoreFatal, StoreGivenUp
from referee.store.sqlite_transaction import Transactions
from referee.store.writes import SettleRestore, Write, tell

_GROUP_LIMIT = 1024
_FIRST_DELAY_S = 0.005
_LONGEST_DELAY_S = 0.25
_PATIENCE_S = 0.1

# What an operator can set right while the matches wait: room, another program's lock, a read-only medium.
_PASSING = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY})


class GroupWriter:
    """Commits what was queued in one pass of the loop as one transaction, in the next, and tells the outcomes.

    A group that cannot be written for a passing reason is kept, joined by what is queued meanwhile, and tried again
    until `retry_limit_s` is over; its matches count as frozen after a tenth of a second. Any other error breaks the
    writer: all that waits and all that follows get StoreFatal.
    """

    def __init__(
        self,
        transactions: Transactions,
        directory: StoreDirectory,
        loop: AbstractEventLoop,
        listener: StoreListener | None,
        *,
        restored: bool,
        retry_limit_s: float,
    ) -> None:
        self.restored = restored
        self._transactions = transactions
        self._directory = directory
        self._loop = loop
        self._listener = listener
        self._retry_limit_s = retry_limit_s
        self._waiting: list[Write] = []
        self._next: Handle | None = None
        self._refusal: StoreError | None = None
        self._failing_since: float | None = None
        self._delay = _FIRST_DELAY_S
        self._frozen: set[int] = set()

    def submit(self, write: Write) -> None:
        """Takes a write and returns at once."""
        if self._refusal is not None:
            self._loop.call_soon(tell, self._loop, [(write, self._refusal)])
            return
        self._waiting.append(write)
        if self._next is None:
            self._next = self._loop.call_soon(self._flush)

    def break_off(self, error: Exception) -> StoreFatal:
        """Fails all that waits and all that follows, because the database is found broken; returns what they get."""
        fatal = StoreFatal(f"the store is broken: {type(error).__name__}: {error}")
        if self._refusal is None:
            self._refusal = fatal
            self._cancel_flush()
            self._loop.call_soon(self._fail_all, fatal)
        return fatal

    def close(self) -> None:
        """Writes what waits, or gives it up when that fails, and refuses all that follows."""
        while self._waiting and self._refusal is None:
            self._flush(last_try=True)
        self._cancel_flush()
        self._refusal = self._refusal or StoreClosed("the store is closed")

    def _cancel_flush(self) -> None:
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def _flush(self, *, last_try: bool = False) -> None:
        self._cancel_flush()
        group = self._waiting[:_GROUP_LIMIT]
        try:
            outcomes = self._commit(group)
        except Exception as error:
            if is_passing(error):
                self._wait_or_give_up(error, last_try=last_try)
            else:
                self.break_off(error)
            return
        self._finish(group, outcomes)

    def _commit(self, group: list[Write]) -> list[StoreError | None]:
        before = self._transactions.committed
        outcomes = self._transactions.commit(group)
        index = self._transactions.committed
        settles = any(isinstance(write, SettleRestore) for write in group)
        if settles or (index is not before and not self.restored):
            self._directory.write_mark(IndexMark(index.length, index.head))
            self.restored = False
        return outcomes

    def _wait_or_give_up(self, error: Exception, *, last_try: bool) -> None:
        now = self._loop.time()
        if self._failing_since is None:
            self._failing_since = now
        failing_for = now - self._failing_since
        if last_try or failing_for >= self._retry_limit_s:
            given_up = StoreGivenUp(f"the store gave up a write: {error}")
            self._finish(self._waiting, [given_up] * len(self._waiting))
            return
        if failing_for >= _PATIENCE_S:
            self._tell_frozen()
        self._next = self._loop.call_later(self._delay, self._flush)
        self._delay = min(2 * self._delay, _LONGEST_DELAY_S)

    def _fail_all(self, fatal: StoreFatal) -> None:
        self._finish(self._waiting, [fatal] * len(self._waiting))
        if self._listener is not None:
            self._listener.on_fatal(fatal)

    def _tell_frozen(self) -> None:
        new = {write.number for write in self._waiting} - self._frozen
        self._frozen |= new
        if new and self._listener is not None:
            self._listener.on_frozen(sorted(new))

    def _finish(self, group: list[Write], outcomes: list[StoreError | None]) -> None:
        """Takes a group off the queue, ends a freeze and tells each write its outcome."""
        self._waiting = self._waiting[len(group) :]
        if self._waiting:
            self._next = self._loop.call_soon(self._flush)
        self._failing_since = None
        self._delay = _FIRST_DELAY_S
        thawed, self._frozen = sorted(self._frozen), set()
        if thawed and self._listener is not None:
            self._listener.on_thawed(thawed)
        tell(self._loop, zip(group, outcomes, strict=True))


def is_passing(error: Exception) -> bool:
    """Returns whether waiting can help; errors of the sqlite3 module itself carry no code."""
    return isinstance(error, sqlite3.OperationalError) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING
