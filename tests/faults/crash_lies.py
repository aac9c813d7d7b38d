"""How a referee is made to break its word, so that it is seen that the journal notices."""

from collections.abc import Sequence
from dataclasses import replace

from referee.log.heads import entry_head
from referee.store.errors import StoreError
from referee.store.writes import Append, Write
from tests.faults.crash_points import Lie, die

_HELD_BACK = 10_000


def lie(kind: Lie, passage: int) -> None:
    """Lets this process lie, where it does so once at the nth occasion."""
    if kind is Lie.ACKNOWLEDGES_EARLY:
        _acknowledge_early()
    elif kind is Lie.TAKES_TWICE:
        _take_twice(passage)
    else:
        _tell_twice(passage)


def _acknowledge_early() -> None:
    from referee.store.sqlite_transaction import Transactions

    commit = Transactions.commit
    held_back: list[Write] = []

    def pretend(self: Transactions, group: Sequence[Write]) -> list[StoreError | None]:
        if all(isinstance(write, Append) for write in group) and len(held_back) < _HELD_BACK:
            held_back.extend(group)
            return [None] * len(group)
        late, held_back[:] = [*held_back], []
        return commit(self, [*late, *group])[len(late) :]

    Transactions.commit = pretend  # type: ignore[method-assign]


def _take_twice(passage: int) -> None:
    from referee.store.sqlite_transaction import Transactions

    commit = Transactions.commit
    passed = 0

    def commit_twice(self: Transactions, group: Sequence[Write]) -> list[StoreError | None]:
        nonlocal passed
        outcomes = commit(self, group)
        appends = [write for write in group if isinstance(write, Append)]
        passed += bool(appends)
        if passed == passage:
            commit(self, [_again(write) for write in appends])
            die()
        return outcomes

    Transactions.commit = commit_twice  # type: ignore[method-assign]


def _again(write: Append) -> Append:
    """Returns the same input with the same events as the entry that follows."""
    from unoduo.v1 import log_pb2

    entry = log_pb2.Entry.FromString(write.data)
    entry.index += 1
    for event in entry.events:
        event.sequence += len(entry.events)
    data = entry.SerializeToString(deterministic=True)
    return replace(write, index=write.index + 1, head=entry_head(write.head, data), data=data)


def _tell_twice(passage: int) -> None:
    from referee.server.outbox import Outbox

    next_message = Outbox.next_message
    passed = 0
    again: dict[Outbox, bytes] = {}

    async def next_or_last(self: Outbox) -> bytes | None:
        nonlocal passed
        if self in again:
            return again.pop(self)
        message = await next_message(self)
        passed += 1
        if passed == passage and message is not None:
            again[self] = message
        return message

    Outbox.next_message = next_or_last  # type: ignore[method-assign]
