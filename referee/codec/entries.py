"""Entries of the log (log.proto, PROTOCOL.md "The log").

Entries are values: nothing changes one after its construction (not frozen for speed, see `rules.actions`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from unoduo.v1 import log_pb2 as pb

from referee.adjudication.inputs import Input, RejectedTry
from referee.adjudication.rulings import MatchEvent
from referee.codec.enums import CARDS, SEATS
from referee.codec.errors import Malformed
from referee.codec.events import EncodedEvent, decode_event, encode_event
from referee.codec.inputs import decode_input, decode_try, input_bytes, try_bytes
from referee.codec.strict import parse, require_same, require_size
from referee.codec.wire import Field, Head, message_field

_BLIND_SIZE: Final = 16

_INDEX: Final = Field(1)
_BLIND: Final = Head(2)
_INPUT: Final = Head(3, present=True)
_TRY: Final = message_field(4)
_RECORDED_EVENT: Final = Head(5, present=True)
_PRIVATE_CARDS: Final = Head(3)
_PRIVATE_TO: Final = SEATS.fields(4)


@dataclass(slots=True)
class Entry:
    """Holds one input and all that it caused.

    `index` counts from 1, `blind` has 16 bytes, `tries` are the tries rejected since the last entry in the order
    judged, `events` are numbered on from `first_sequence` and at least one.
    """

    index: int
    blind: bytes
    input: Input
    tries: tuple[RejectedTry, ...]
    first_sequence: int
    events: tuple[MatchEvent, ...]

    @property
    def last_sequence(self) -> int:
        """Returns the number of the last event."""
        return self.first_sequence + len(self.events) - 1


@dataclass(slots=True)
class EncodedEntry:
    """Holds an entry as it is stored and, in the same order, the bytes of its events for the seats."""

    data: bytes
    events: tuple[EncodedEvent, ...]


def encode_entry(entry: Entry) -> EncodedEntry:
    """Returns the bytes of an entry: those of deterministic protobuf serialisation, joined from the events' bytes."""
    events = tuple(map(encode_event, count(entry.first_sequence), entry.events))
    cause = input_bytes(entry.input)
    parts = [_INDEX[entry.index], _BLIND[len(entry.blind)], entry.blind, _INPUT[len(cause)], cause]
    if entry.tries:
        parts += [_TRY(try_bytes(attempt)) for attempt in entry.tries]
    for event in events:
        public = event.public
        if event.private_to is None:
            parts += (_RECORDED_EVENT[len(public)], public)
        else:
            private = _PRIVATE_CARDS[len(event.cards)] + event.cards + _PRIVATE_TO[event.private_to]
            parts += (_RECORDED_EVENT[len(public) + len(private)], public, private)
    return EncodedEntry(b"".join(parts), events)


def decode_entry(data: bytes) -> Entry:
    """Returns the entry that stored bytes hold.

    Raises:
        Malformed: naming the field, as in `entry.events[3].event.cards_played.color`, for whatever no entry has:
            unknown fields, a form that is not canonical, enum numbers unset or unknown, events not numbered on.
    """
    message = parse(pb.Entry, data, "entry")
    if not message.events:
        raise Malformed("entry.events", "an entry has at least one event")
    entry = Entry(
        message.index,
        require_size(message.blind, (_BLIND_SIZE,), "entry.blind"),
        decode_input(message.input, "entry.input"),
        tuple(decode_try(attempt, f"entry.tries[{place}]") for place, attempt in enumerate(message.tries)),
        message.events[0].sequence,
        _decode_events(message.events),
    )
    require_same(data, encode_entry(entry).data, "entry")
    return entry


def _decode_events(records: Sequence[pb.RecordedEvent]) -> tuple[MatchEvent, ...]:
    first = records[0].sequence
    events = []
    for place, record in enumerate(records):
        path = f"entry.events[{place}]"
        if record.sequence != first + place:
            raise Malformed(f"{path}.sequence", f"must be {first + place}, not {record.sequence}")
        cards = CARDS.decode_all(record.private_cards, f"{path}.private_cards")
        private_to = SEATS.decode_optional(record.private_to, f"{path}.private_to")
        events.append(decode_event(record.event, cards, private_to, path))
    return tuple(events)
