"""The committed end of a log, as far as seats are still to be told of it."""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from referee.codec.entries import decode_entry, encode_entry
from referee.codec.observations import encode_observation, observed_events
from referee.match.seats import Attachment
from referee.rules.seats import Seat
from referee.store.base import MatchRow, Store
from referee.store.errors import StoreError

_RECENT_BYTES: Final = 1024
_PAGE_BYTES: Final = 16 * 1024
_RETRY_S: Final = 1.0
# The place of spectators beside the seats in what is told.
_SPECTATOR: Final = 2


@dataclass(slots=True)
class RecentEntry:
    """Holds an entry as it is told: its last sequence number, the head after it, and its events.

    `told` has them as seat A, seat B and a spectator may see them.
    """

    sequence: int
    head: bytes
    told: tuple[bytes, bytes, bytes]

    @property
    def size(self) -> int:
        """Returns the bytes of the public parts."""
        return len(self.told[_SPECTATOR])


@dataclass(slots=True)
class Page:
    """Holds whole entries as one reader may see them: their events, and index, last number and head of the last one."""

    entry: int
    sequence: int
    head: bytes
    events: bytes


class Feed:
    """Is the committed end of one log, from which the seats are told.

    `entries` is the index of the last committed entry, `sequence` the number of its last event and `head` the head
    after it.
    It keeps the last entries, up to 1 KiB of public parts with what is private beside them, and the sequence number at
    which each entry ends (4 bytes an entry); what is older is read from the store.
    `on_added` is called after each entry.
    """

    def __init__(self, store: Store, number: int, h0: bytes) -> None:
        self.head = h0
        self.entries = 0
        self.sequence = 0
        self._store = store
        self._number = number
        self._recent: deque[RecentEntry] = deque()
        self._recent_bytes = 0
        self._ends = array("I")
        self.on_added: Callable[[], None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, entry: RecentEntry) -> None:
        """Adds the entry that was just committed."""
        self.head = entry.head
        self.entries += 1
        self.sequence = entry.sequence
        self._ends.append(self.sequence)
        self._recent.append(entry)
        self._recent_bytes += entry.size
        while self._recent_bytes > _RECENT_BYTES and len(self._recent) > 1:
            self._recent_bytes -= self._recent.popleft().size
        if self.on_added is not None:
            self.on_added()

    @property
    def knows_ends(self) -> bool:
        """Returns whether `entry_ending_at` knows all entries: not so for a match that is read from the store alone."""
        return len(self._ends) == self.entries

    def fill(self, ends: array[int], head: bytes) -> None:
        """Takes over a log that the store has already: the sequence number at which each entry ends, the last head."""
        self._ends = ends
        self.entries, self.sequence, self.head = len(ends), ends[-1] if ends else 0, head

    def entry_ending_at(self, sequence: int) -> int | None:
        """Returns the index of the entry whose last event has this sequence number, None if there is none."""
        place = bisect_left(self._ends, sequence)
        return place + 1 if place < len(self._ends) and self._ends[place] == sequence else None

    def forget(self) -> None:
        """Drops the recent events: the match has ended, and the store has them."""
        self._recent.clear()
        self._recent_bytes = 0

    def next_page(self, attachment: Attachment) -> bytes | None:
        """Returns a page of history for a seat that is behind what is kept here; if it must be read first, None.

        The session is woken when it was read.
        """
        page, attachment.page = attachment.page, None
        if page is None and not attachment.paging:
            attachment.paging = attachment.behind = attachment.fresh = True
            task = asyncio.get_running_loop().create_task(self._read_page(attachment))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return page

    def is_behind(self, attachment: Attachment) -> bool:
        """Returns whether the next events of this seat are kept in the store only."""
        return attachment.entry < self.entries - len(self._recent)

    def take(self, attachment: Attachment) -> bytes:
        """Returns the events up to the end of the log as the seat may see them, joined, and counts them as told."""
        seat, recent = attachment.seat, self._recent
        behind = self.entries - attachment.entry
        if behind == 1:
            events = recent[-1].told[seat]
        else:
            events = b"".join([recent[place].told[seat] for place in range(-behind, 0)])
        attachment.entry = self.entries
        attachment.sequence = self.sequence
        return events

    async def public_page(self, after: int, end: int) -> Page:
        """Returns the next entries after an index, up to another above it, as a spectator may see them.

        Raises StoreError.
        """
        first_kept = self.entries - len(self._recent) + 1
        if after + 1 < first_kept:
            return await self._read(after, end, None)
        kept = [self._recent[index - first_kept] for index in range(after + 1, end + 1)]
        return Page(end, kept[-1].sequence, kept[-1].head, b"".join([entry.told[_SPECTATOR] for entry in kept]))

    async def _read_page(self, attachment: Attachment) -> None:
        try:
            page = await self._read(attachment.entry, self.entries, attachment.seat)
        except StoreError:
            # It may go later; if the store is closing there will be nobody to tell.
            asyncio.get_running_loop().call_later(_RETRY_S, attachment.wake)
            return
        finally:
            attachment.paging = False
        attachment.entry, attachment.sequence = page.entry, page.sequence
        attachment.page = encode_observation(page.events, page.sequence, page.head, caught_up=False)
        attachment.wake()

    async def _read(self, after: int, end: int, seat: Seat | None) -> Page:
        # Where a page ends must not tell how much of an entry is hidden: tries, and what is private to others.
        page, reader = Page(after, 0, b"", b""), _SPECTATOR if seat is None else seat
        while page.entry < end:
            for row in await self._store.read_entries(self._number, page.entry, _PAGE_BYTES):
                # What is stored may not be told yet.
                if row.index > end:
                    break
                entry = decode_entry(row.data)
                told = observed_events(encode_entry(entry).events)[reader]
                if page.events and len(page.events) + len(told) > _PAGE_BYTES:
                    return page
                page.events += told
                page.entry, page.sequence, page.head = row.index, entry.last_sequence, row.head
        return page


async def stored_feed(store: Store, row: MatchRow) -> Feed:
    """Returns the end of a log of which only the store knows. Raises StoreError."""
    feed = Feed(store, row.number, row.h0)
    last = await store.read_last_entry(row.number)
    if last is not None:
        feed.head, feed.entries, feed.sequence = last.head, last.index, decode_entry(last.data).last_sequence
    return feed
