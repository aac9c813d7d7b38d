"""A replay told to one seat once more, entry by entry (`PROTOCOL.md`, "The journal")."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from referee.adjudication.apply import apply, note_try
from referee.adjudication.inputs import ActionTaken, Expired, Input, RejectionLimit
from referee.adjudication.state import MatchState
from referee.codec.entries import Entry, decode_entry, encode_entry
from referee.codec.headers import Header
from referee.codec.observations import encode_decision, encode_view, observed_event
from referee.codec.seals import Reveal
from referee.deal.streams import SealedShuffler
from referee.log.byte_streams import SeekableSource
from referee.log.file_format import EntryPart, HeaderPart, read_parts
from referee.rules.legality import legal_actions
from referee.rules.observe import view
from referee.rules.seats import Seat

OF_THE_SEAT_ASKED: Final = (ActionTaken, Expired, RejectionLimit)
"""Inputs about the seat that is asked; without the deal only they tell which that is."""

_LENGTH_END: Final = 0x80


@dataclass(frozen=True, slots=True)
class Told:
    """Holds an entry and, of each of its events, the number and the serialised ObservedEvent for the seat.

    `asked` is the seat whose decision was open before it, None if none was or that is not known.
    """

    entry: Entry
    asked: Seat | None
    events: tuple[tuple[int, bytes], ...]


class Retelling:
    """Tells a file that was judged right; what it says is applied and not judged again. Holds one entry at a time.

    `sequence` and `head` are those of the last entry told, `is_over` says that there is no further one. Without a
    reveal there are neither views nor decisions, and `is_revealed` is false.
    """

    def __init__(self, stream: SeekableSource, header: Header, reveal: Reveal | None, seat: Seat) -> None:
        stream.seek(0)
        self.seat = seat
        self.deal_mode = header.deal_mode
        self.is_revealed = reveal is not None
        self.sequence = 0
        self.is_over = False
        self._parts = read_parts(stream)
        first = next(self._parts)
        # The reader yields the header first or raises.
        assert isinstance(first, HeaderPart)
        self.header_bytes = first.data
        self.head = first.head
        self._state = (
            None if reveal is None else MatchState(header.terms, partial(SealedShuffler, reveal.seed, reveal.deal_id))
        )

    def until(self, sequence: int) -> Iterator[Told]:
        """Yields the entries up to the one that ends with an event, or a later one if none does."""
        while self.sequence < sequence and (told := self._next()) is not None:
            yield told

    def rest(self) -> Iterator[Told]:
        """Yields the entries that are left."""
        while (told := self._next()) is not None:
            yield told

    def view(self) -> bytes | None:
        """Returns the serialised view of the seat after the last entry told, None if that is not known."""
        if self._state is None or self._state.rules is None:
            return None
        return encode_view(view(self._state.rules, self.seat))

    def decision(self, time_left_ms: int, tries_left: int) -> bytes | None:
        """Returns the serialised decision of the seat after the last entry told, None if it has none.

        A log has neither the time (milliseconds) nor the tries left at the moment that a decision was told.
        """
        if self._state is None or self._state.rules is None:
            return None
        due = self._state.decision
        if due is None or due.seat is not self.seat:
            return None
        return encode_decision(due.decision_id, due.phase, time_left_ms, tries_left, legal_actions(self._state.rules))

    def _next(self) -> Told | None:
        part = next(self._parts, None)
        if not isinstance(part, EntryPart):
            self.is_over = True
            return None
        entry = decode_entry(part.data)
        asked = self._asked(entry.input)
        if self._state is not None:
            for attempt in entry.tries:
                note_try(self._state, attempt)
            apply(self._state, entry.input, entry.events)
        self.sequence, self.head = entry.last_sequence, part.head
        encoded = encode_entry(entry).events
        shown = (_content(observed_event(event, self.seat)) for event in encoded)
        return Told(entry, asked, tuple(enumerate(shown, entry.first_sequence)))

    def _asked(self, cause: Input) -> Seat | None:
        if self._state is not None:
            return self._state.decision.seat if self._state.decision is not None else None
        return cause.seat if isinstance(cause.kind, OF_THE_SEAT_ASKED) else None


def _content(element: bytes) -> bytes:
    """Returns the message in an element of a repeated field, behind its tag and length."""
    place = 1
    while element[place] & _LENGTH_END:
        place += 1
    return element[place + 1 :]
