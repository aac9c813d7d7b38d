"""Events: facts of the rules and rulings of the referee (event.proto).

An event is encoded once.  Its public part and its private cards stay apart, so that the log and both seats share the
same bytes and leaving the private part out is all that redaction takes.
"""

from dataclasses import dataclass
from typing import Final

from unoduo.v1 import event_pb2 as pb

from referee.adjudication.rulings import MatchEvent
from referee.codec.errors import Malformed, join
from referee.codec.facts import decode_fact, fact_bytes
from referee.codec.rulings import decode_ruling, ruling_bytes
from referee.codec.wire import Field, Head
from referee.rules.cards import Card
from referee.rules.events import Event
from referee.rules.seats import Seat

_SEQUENCE: Final = Field(1)
_EVENT: Final = Head(2, present=True)


@dataclass(slots=True)
class EncodedEvent:
    """Holds the bytes of one event.

    `public` is its sequence number and its public part, with which both RecordedEvent and ObservedEvent begin; `cards`
    has one byte a private card and is empty if there is none; `private_to` is the one seat that may see them, None if
    there is no private part.
    """

    public: bytes
    cards: bytes
    private_to: Seat | None


def event_bytes(event: MatchEvent) -> bytes:
    """Returns the serialised message Event, the public part of an event."""
    return fact_bytes(event.fact) if isinstance(event, Event) else ruling_bytes(event)


def encode_event(sequence: int, event: MatchEvent) -> EncodedEvent:
    """Returns the bytes of an event with its sequence number."""
    told = event_bytes(event)
    public = _SEQUENCE[sequence] + _EVENT[len(told)] + told
    if isinstance(event, Event) and event.private_to is not None:
        return EncodedEvent(public, bytes(event.private_cards), event.private_to)
    return EncodedEvent(public, b"", None)


def decode_event(message: pb.Event, cards: tuple[Card, ...], private_to: Seat | None, path: str = "") -> MatchEvent:
    """Returns the event that a message and its private part make; `path` is where all three stand, for errors.

    Raises:
        Malformed: for no kind or one that this program does not know (field `event.kind`), an unset or unknown enum
            number, or a private part with a ruling (`private_to`) or without its seat.
    """
    if cards and private_to is None:
        raise Malformed(join(path, "private_to"), "must be set beside private cards")
    place = join(path, "event")
    fact = decode_fact(message, place)
    if fact is not None:
        return Event(fact, cards, private_to)
    ruling = decode_ruling(message, place)
    if ruling is None:
        raise Malformed(join(place, "kind"), "is missing or unknown")
    if private_to is not None:
        raise Malformed(join(path, "private_to"), "a ruling has no private part")
    return ruling
