"""What to answer to an action whose decision is closed: the entry that closed it says so, as long as the log lasts."""

import asyncio
from typing import Final

from unoduo.v1 import session_pb2 as pb

from referee.adjudication.inputs import ActionTaken, Expired, RejectionLimit, Resume
from referee.adjudication.state import Decision
from referee.codec.entries import Entry, decode_entry
from referee.match import answers
from referee.match.inbox import ActionPost
from referee.rules.seats import Seat
from referee.store.base import Store

# Inputs that are about the seat whose decision they close.
_OF_THE_SEAT_ASKED: Final = (ActionTaken, Expired, RejectionLimit)


def accept(post: ActionPost, first_sequence: int, sequence: int) -> None:
    """Answers an action that was taken, by the numbers of the first and the last event of its entry."""
    attachment = post.attachment
    attachment.put(answers.accepted(attachment.handle, post.action_id, post.decision_id, first_sequence, sequence))


def answer_closed(entry: Entry | None, last: Decision | None, current: Decision | None, post: ActionPost) -> None:
    """Answers an action that came for another decision than the one open for its seat.

    `entry` is the one that closed the decision with the id that was sent, None if none did. `current` is the open
    decision, `last` the one that was closed before it; None if not known.
    """
    attachment = post.attachment
    if entry is not None and _is_same(entry, post):
        accept(post, entry.first_sequence, entry.last_sequence)
        return
    current_id = current.decision_id if current is not None and current.seat is attachment.seat else 0
    reason = _staleness(entry, last, post)
    attachment.put(answers.stale(attachment.handle, post.action_id, post.decision_id, reason, current_id))


async def closing_entry(store: Store, number: int, opened_by: int | None, entries: int) -> Entry | None:
    """Returns the entry that closed the decision opened by the entry with index `opened_by`; None if none did.

    `entries` is the index of the last committed entry. Raises StoreError.
    """
    index = opened_by or entries
    while index < entries:
        (stored,) = await store.read_entries(number, index, 1)
        entry = decode_entry(stored.data)
        if not isinstance(entry.input.kind, Resume):
            return entry
        # The same decision went on.
        index += 1
    return None


async def find_closing_entry(store: Store, number: int, entries: int, decision_id: int) -> Entry | None:
    """Returns the entry that closed the decision with this id in a log of which nothing is in memory, or None.

    The ids that entries name ascend, so that a few reads find one. Raises StoreError.
    """
    found = None
    first, last = 2, entries
    while decision_id and first <= last:
        middle = (first + last) // 2
        (stored,) = await store.read_entries(number, middle - 1, 1)
        entry = decode_entry(stored.data)
        named = entry.input.decision_id
        if named == decision_id and not isinstance(entry.input.kind, Resume):
            found = entry
        # An entry that lets a decision go on names it before the one that closes it.
        first, last = (middle + 1, last) if named <= decision_id else (first, middle - 1)
        await asyncio.sleep(0)
    return found


def _is_same(entry: Entry, post: ActionPost) -> bool:
    kind = entry.input.kind
    return (
        isinstance(kind, ActionTaken)
        and entry.input.seat is post.attachment.seat
        and kind.action_id == post.action_id
        and kind.action == post.action
    )


def _staleness(entry: Entry | None, last: Decision | None, post: ActionPost) -> pb.StaleReason.ValueType:
    if entry is None or not _was_asked(post.attachment.seat, entry, last):
        return pb.STALE_REASON_NOT_OPEN
    kind = entry.input.kind
    if not isinstance(kind, ActionTaken):
        return pb.STALE_REASON_EXPIRED
    return pb.STALE_REASON_CONFLICT if kind.action_id == post.action_id else pb.STALE_REASON_ANSWERED


def _was_asked(seat: Seat, entry: Entry, last: Decision | None) -> bool:
    """Returns whether an entry closed a decision of this seat."""
    if last is not None and last.decision_id == entry.input.decision_id:
        return last.seat is seat
    if isinstance(entry.input.kind, _OF_THE_SEAT_ASKED):
        return entry.input.seat is seat
    # What ends a match need not be about the seat that was asked, and no entry says who that was.
    return True
