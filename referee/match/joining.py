"""Where a seat begins to be told: at the end of the log, or behind the last event that its client knows."""

from typing import Final

from referee.adjudication.state import Lifecycle
from referee.codec.entries import decode_entry
from referee.match import answers
from referee.match.faults import Fault, ProblemReason
from referee.match.feed import Feed
from referee.match.seats import Attachment, Resume
from referee.store.base import MatchRow, Store

_FORKED_FIELD: Final = "join.after_sequence"


def place(feed: Feed, attachment: Attachment) -> bool:
    """Places a seat that is about to be joined at the end or the start of the log, and returns whether it wants that.

    If not, `find_place` finds the place that it does want.
    """
    if attachment.resume is None:
        attachment.entry, attachment.sequence = feed.entries, feed.sequence
        return True
    return attachment.resume.sequence == 0


async def find_place(store: Store, number: int, feed: Feed, attachment: Attachment) -> None:
    """Places a seat that is about to be joined behind the last entry that its client knows.

    Raises Fault FORKED, and StoreError.
    """
    if attachment.resume is not None:
        attachment.entry = await find_entry(store, number, feed, attachment.resume)
        attachment.sequence = attachment.resume.sequence


async def find_entry(store: Store, number: int, feed: Feed, resume: Resume) -> int:
    """Returns the index of the last entry that a client knows, 0 if it knows none.

    Raises Fault FORKED if the log has no entry that ends there, or another head after it, and StoreError.
    """
    if resume.sequence == 0:
        return 0
    index = await _entry_ending_at(store, number, feed, resume.sequence)
    if index is None or await _head_after(store, number, feed, index) != resume.head:
        raise Fault(ProblemReason.FORKED, field=_FORKED_FIELD)
    return index


def welcome(attachment: Attachment, row: MatchRow, lifecycle: Lifecycle) -> None:
    """Answers a join that was granted, and lets the seat be told what is due to it."""
    attachment.put(
        answers.joined(attachment.handle, row.match_id, attachment.seat, row.header, lifecycle, attachment.join_number)
    )
    attachment.wake()


async def _entry_ending_at(store: Store, number: int, feed: Feed, sequence: int) -> int | None:
    """Returns the index of the entry whose last event has this sequence number, None if there is none."""
    if feed.knows_ends:
        return feed.entry_ending_at(sequence)
    first, last = 1, feed.entries
    while first <= last:
        middle = (first + last) // 2
        (stored,) = await store.read_entries(number, middle - 1, 1)
        end = decode_entry(stored.data).last_sequence
        if end == sequence:
            return middle
        first, last = (middle + 1, last) if end < sequence else (first, middle - 1)
    return None


async def _head_after(store: Store, number: int, feed: Feed, index: int) -> bytes:
    if index == feed.entries:
        return feed.head
    (stored,) = await store.read_entries(number, index - 1, 1)
    return stored.head
