"""What a session has to send: answers in their order, then whatever its seats are due, in rotation."""

import asyncio
from collections import deque
from typing import Final

from referee.match.seats import Attachment
from referee.server.handles import Handles
from referee.server.limits import Limits

# Measured with fifty seats a session: with 2 passes a message carries the news of 8 moves, with 4 of 11, with 6 of 14
# and with 12 of no more. A pass of an idle loop takes 2 us.
_PASSES: Final = 6


class Outbox:
    """Builds the responses of one session; fulfils `referee.match.seats.SeatPort`.

    A seat that has news is only marked; what it is told is built when it is written, so that a slow client costs no
    memory. Seats take turns, one item each, and those that must decide come before those that read history.
    """

    def __init__(self, limits: Limits) -> None:
        self.handles = Handles(limits.max_ended_handles)
        self._limits = limits
        self._answers: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._marked: set[int] = set()
        self._dirty: deque[Attachment] = deque()
        self._behind: deque[Attachment] = deque()
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._half_closed = False
        self._finished = False

    def put(self, handle: int, item: bytes) -> None:
        """Takes an encoded item."""
        self._answers.append(item)
        self._waiting_bytes += len(item)
        self._news.set()

    def wake(self, handle: int) -> None:
        """Marks a seat that has news."""
        if handle in self._marked:
            return
        attachment = self.handles.active(handle)
        if attachment is not None:
            self._marked.add(handle)
            self._dirty.append(attachment)
            self._news.set()

    def ended(self, handle: int) -> None:
        """Learns that only answers come for a handle from now on."""
        self.handles.end(handle)
        # The number may be taken again while this seat still stands in its turn.
        self._marked.discard(handle)

    def half_close(self) -> None:
        """Learns that the client says no more: the session ends with its last handle, and the last answer for it."""
        self._half_closed = True
        self._news.set()

    def finish(self) -> None:
        """Ends the session behind the answers that wait; seats are told nothing more."""
        self._finished = True
        self._news.set()
        self._room.set()

    async def next_message(self) -> bytes | None:
        """Returns the next response as soon as there is something to say, or None when the session is over."""
        while True:
            # Before the look, because a match that is given up by it puts answers.
            self._news.clear()
            if message := self._build():
                return message
            if self._is_over():
                return None
            await self._news.wait()
            if len(self.handles) > 1:
                # What other seats are due in these passes of the loop goes along: a message costs more than what is in
                # it.
                for _ in range(_PASSES):
                    await asyncio.sleep(0)

    async def wait_for_room(self) -> None:
        """Returns once not too many answers wait: a client that does not read is not read either."""
        while self._waiting_bytes > self._limits.max_waiting_bytes and not self._finished:
            self._room.clear()
            await self._room.wait()

    def _is_over(self) -> bool:
        return self._finished or (self._half_closed and not self.handles and not self.handles.await_answers())

    def _build(self) -> bytes:
        parts: list[bytes] = []
        room = self._limits.max_response_bytes
        while self._answers and (not parts or len(self._answers[0]) <= room):
            item = self._answers.popleft()
            parts.append(item)
            room -= len(item)
            self._waiting_bytes -= len(item)
        self._room.set()
        # What a seat is told may have been caused by an answer to it, so answers go first, all of them.
        if not self._answers and not self._finished:
            self._add_news(parts, room)
        return b"".join(parts)

    def _add_news(self, parts: list[bytes], room: int) -> None:
        while self._dirty or self._behind:
            if self._dirty:
                attachment = self._dirty.popleft()
                if attachment.match.is_behind(attachment):
                    self._behind.append(attachment)
                    continue
            else:
                attachment = self._behind.popleft()
            self._marked.discard(attachment.handle)
            item = attachment.match.next_item(attachment)
            if item is None:
                continue
            if parts and len(item) > room:
                self.put(attachment.handle, item)
                return
            parts.append(item)
            room -= len(item)
