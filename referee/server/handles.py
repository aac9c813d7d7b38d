"""The handles of one session: the seats that it holds, and those that have ended."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from referee.match.faults import Fault, ProblemReason
from referee.match.seats import Attachment, Hold
from referee.rules.seats import Seat


class Place(NamedTuple):
    """Names a seat of a match, and says whether it was asked for by the token of the seat."""

    match_id: bytes
    seat: Seat
    by_token: bool


class Handles:
    """Knows the seats of a session by handle, and the last handles that have ended, up to `max_ended`.

    What was ended before those is forgotten, so that a session may go on for ever.
    """

    def __init__(self, max_ended: int) -> None:
        self._max_ended = max_ended
        self._active: dict[int, Attachment] = {}
        self._places: dict[int, Place] = {}
        # A seat can be joined again under another handle while the first one is still there.
        self._held: Counter[Place] = Counter()
        # A detached handle is answered without its match, an ended one by it.
        self._ended: dict[int, Attachment | None] = {}

    def __len__(self) -> int:
        """Returns how many handles have not ended."""
        return len(self._active)

    def __iter__(self) -> Iterator[Attachment]:
        """Yields the seats of the handles that have not ended."""
        return iter([*self._active.values()])

    def __contains__(self, handle: int) -> bool:
        """Returns whether a handle is in use, or was as far as is known."""
        return handle in self._active or handle in self._ended

    def add(self, attachment: Attachment, place: Place) -> None:
        """Adds a seat that is about to be joined."""
        self._active[attachment.handle] = attachment
        self._places[attachment.handle] = place
        self._held[place] += 1

    def holds(self, place: Place) -> bool:
        """Returns whether a handle that has not ended was added with this place."""
        return place in self._held

    def end(self, handle: int) -> None:
        """Learns that nothing but answers comes for a handle any more; one that was granted no seat was never used."""
        attachment, place = self._active.pop(handle), self._places.pop(handle)
        self._held[place] -= 1
        if not self._held[place]:
            del self._held[place]
        if not attachment.grant:
            return
        self._ended[handle] = attachment if attachment.hold is Hold.ENDED else None
        if len(self._ended) > self._max_ended:
            del self._ended[next(iter(self._ended))]

    def await_answers(self) -> bool:
        """Returns whether something that was said for an ended handle is to be answered yet."""
        return any(seat is not None and seat.match.is_answering(seat) for seat in self._ended.values())

    def active(self, handle: int) -> Attachment | None:
        """Returns the seat of a handle that has not ended, else None."""
        return self._active.get(handle)

    def seat(self, handle: int) -> Attachment:
        """Returns the seat to which an item for this handle goes. Raises Fault if there is none."""
        attachment = self._active.get(handle)
        if attachment is not None:
            return attachment
        if handle not in self._ended:
            raise Fault(ProblemReason.HANDLE_UNKNOWN, field="handle")
        attachment = self._ended[handle]
        if attachment is None:
            raise Fault(ProblemReason.HANDLE_ENDED)
        return attachment
