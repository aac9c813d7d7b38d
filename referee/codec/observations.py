"""What a seat receives, as bytes (observation.proto, session.proto).

Everything here is joined from pieces that are encoded once.  A private part reaches a seat only by `observed_event`,
which leaves it out for everybody but its owner, as `rules.observe` does.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from referee.codec.actions import action_bytes
from referee.codec.enums import CARDS, COLORS, PENDING_KINDS, PHASES, SEATS
from referee.codec.events import EncodedEvent
from referee.codec.wire import Field, Head, message_field
from referee.rules.actions import Action
from referee.rules.observe import View
from referee.rules.seats import Seat
from referee.rules.state import Phase

_A: Final = Seat.A
_B: Final = Seat.B

_EVENT: Final = Head(1, present=True)
_PRIVATE_CARDS: Final = Head(3)

_SEQUENCE: Final = Field(2)
_HEAD: Final = Head(3)
_CAUGHT_UP: Final = Field(4)
_VIEW: Final = Head(5, present=True)
_DECISION: Final = Head(6, present=True)
_CLOCK: Final = Head(7, present=True)
_OPPONENT_CLOCK: Final = Head(8, present=True)
_OPPONENT_PRESENCE: Final = Head(9, present=True)

_BANK_MS: Final = Field(1)
_IS_RUNNING: Final = Field(2)[True]
_CLOCK_TIME_LEFT_MS: Final = Field(3)
_PRESENT: Final = Field(1)
_FORFEIT_IN_MS: Final = Field(2, present=True)

_DECISION_ID: Final = Field(1)
_DECISION_PHASE: Final = PHASES.fields(2)
_TIME_LEFT_MS: Final = Field(3)
_TRIES_LEFT: Final = Field(4)
_LEGAL: Final = message_field(5)

# Fields of an enum, by member.
_VIEW_SEAT: Final = SEATS.fields(1)
_VIEW_PHASE: Final = PHASES.fields(2)
_VIEW_ACTOR: Final = SEATS.fields(3)
_V4: Final = Field(4)
_VIEW_FIRST_DRAFTER: Final = SEATS.fields(5)
_V6, _V7, _V8, _V9 = (Field(number) for number in range(6, 10))
_VIEW_HAND: Final = Head(10)
_VIEW_OWN_CARD: Final = CARDS.fields(11)
_V12: Final = Field(12)
_VIEW_DISCARD_PILE: Final = Head(13)
_V14: Final = Field(14)
_VIEW_KNOWN_TAIL: Final = Head(15)
_VIEW_COLOR: Final = COLORS.fields(16)
_VIEW_FREE_COLOR: Final = COLORS.fields(17)
_VIEW_PENDING_KIND: Final = PENDING_KINDS.fields(18)
_VIEW_PENDING_BY: Final = SEATS.fields(19)
_V20: Final = Field(20)

_ITEM: Final = Head(1, present=True)
_HANDLE: Final = Field(1)
# By the number of the kind in ResponseItem.
_KINDS: Final = tuple(Head(number, present=True) for number in range(11))


def observed_event(event: EncodedEvent, seat: Seat | None) -> bytes:
    """Returns one element of `Observation.events` as `seat` may see it; None is a spectator (RULES.md R14)."""
    if seat is not None and event.private_to is seat:
        seen = event.public + _PRIVATE_CARDS[len(event.cards)] + event.cards
        return _EVENT[len(seen)] + seen
    return _EVENT[len(event.public)] + event.public


def observed_events(events: Sequence[EncodedEvent]) -> tuple[bytes, bytes, bytes]:
    """Returns the elements of `Observation.events` that seat A, seat B and a spectator may see, joined.

    Whoever sees nothing private shares the bytes of the spectator.
    """
    public = b"".join([_EVENT[len(event.public)] + event.public for event in events])
    owners = [event.private_to for event in events]
    seen_by_a = _joined(events, _A) if _A in owners else public
    seen_by_b = _joined(events, _B) if _B in owners else public
    return seen_by_a, seen_by_b, public


def _joined(events: Sequence[EncodedEvent], seat: Seat) -> bytes:
    return b"".join([observed_event(event, seat) for event in events])


def encode_view(view: View) -> bytes:
    """Returns the serialised message View; the lines follow its fields."""
    hand, discard_pile, known_tail = bytes(view.hand), bytes(view.discard), bytes(view.known_tail)
    return b"".join(
        (
            _VIEW_SEAT[view.seat],
            _VIEW_PHASE[view.phase],
            _VIEW_ACTOR[view.actor],
            _V4[view.round],
            _VIEW_FIRST_DRAFTER[view.first_drafter],
            _V6[view.turns],
            _V7[view.stall],
            _V8[view.totals[0]],
            _V9[view.totals[1]],
            _VIEW_HAND[len(hand)],
            hand,
            _VIEW_OWN_CARD[view.seen],
            _V12[view.opponent_count],
            _VIEW_DISCARD_PILE[len(discard_pile)],
            discard_pile,
            _V14[view.draw_count],
            _VIEW_KNOWN_TAIL[len(known_tail)],
            known_tail,
            _VIEW_COLOR[view.color],
            _VIEW_FREE_COLOR[view.free_color],
            _VIEW_PENDING_KIND[view.pending_symbol],
            _VIEW_PENDING_BY[view.pending_by],
            _V20[view.pending_total],
        )
    )


def encode_decision(
    decision_id: int, phase: Phase, time_left_ms: int, tries_left: int, actions: Iterable[Action]
) -> bytes:
    """Returns the serialised message Decision; `actions` are the legal ones (RULES.md R13)."""
    parts = [
        _DECISION_ID[decision_id],
        _DECISION_PHASE[phase],
        _TIME_LEFT_MS[time_left_ms],
        _TRIES_LEFT[tries_left],
    ]
    parts += [_LEGAL(action_bytes(action)) for action in actions]
    return b"".join(parts)


def encode_observation(
    events: bytes,
    sequence: int,
    head: bytes,
    caught_up: bool,
    view: bytes | None = None,
    decision: bytes | None = None,
    clock: bytes | None = None,
    opponent_clock: bytes | None = None,
    opponent_presence: bytes | None = None,
) -> bytes:
    """Returns the serialised message Observation.

    `events` come from `observed_events`, the other messages from `encode_view`, `encode_decision`, `encode_clock` and
    `encode_presence`; `head` has 32 bytes and belongs to `sequence`. What is None is left out.
    """
    parts = [events, _SEQUENCE[sequence], _HEAD[len(head)], head, _CAUGHT_UP[caught_up]]
    if view is not None:
        parts += (_VIEW[len(view)], view)
    if decision is not None:
        parts += (_DECISION[len(decision)], decision)
    if clock is not None:
        parts += (_CLOCK[len(clock)], clock)
    if opponent_clock is not None:
        parts += (_OPPONENT_CLOCK[len(opponent_clock)], opponent_clock)
    if opponent_presence is not None:
        parts += (_OPPONENT_PRESENCE[len(opponent_presence)], opponent_presence)
    return b"".join(parts)


def encode_clock(bank_ms: int, time_left_ms: int | None) -> bytes:
    """Returns the serialised message Clock; `time_left_ms` is None if the clock is not running."""
    if time_left_ms is None:
        return _BANK_MS[bank_ms]
    return _BANK_MS[bank_ms] + _IS_RUNNING + _CLOCK_TIME_LEFT_MS[time_left_ms]


def encode_presence(present: bool, forfeit_in_ms: int | None) -> bytes:
    """Returns the serialised message Presence; `forfeit_in_ms` is None if the absence never loses the match."""
    return _PRESENT[present] + (b"" if forfeit_in_ms is None else _FORFEIT_IN_MS[forfeit_in_ms])


def response_item(handle: int, field: int, payload: bytes) -> bytes:
    """Returns one element of `PlayResponse.items`; a response is such elements joined.

    `field` is the number of the kind in ResponseItem, as in `ResponseItem.OBSERVATION_FIELD_NUMBER`, and `payload` its
    serialised message.
    """
    start = _HANDLE[handle] + _KINDS[field][len(payload)]
    return b"".join((_ITEM[len(start) + len(payload)], start, payload))
