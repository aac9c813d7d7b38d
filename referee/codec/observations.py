"""What a seat receives, as bytes (observation.proto, session.proto).

Everything here is joined from pieces that are encoded once.  A private part reaches a seat only by `observed_event`,
which leaves it out for everybody but its owner, as `rules.observe` does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from referee.codec.actions import action_bytes
from referee.codec.enums import CARDS, COLORS, PENDING_KINDS, PHASES, SEATS
from referee.codec.events import EncodedEvent
from referee.codec.wire import bytes_field, message_field, present_uint_field, uint_field
from referee.rules.actions import Action
from referee.rules.observe import View
from referee.rules.seats import Seat
from referee.rules.state import Phase

_EVENTS: Final = message_field(1)
_PRIVATE_CARDS: Final = bytes_field(3)

_SEQUENCE: Final = uint_field(2)
_HEAD: Final = bytes_field(3)
_CAUGHT_UP: Final = uint_field(4)
_VIEW: Final = message_field(5)
_DECISION: Final = message_field(6)
_CLOCK: Final = message_field(7)
_OPPONENT_CLOCK: Final = message_field(8)
_OPPONENT_PRESENCE: Final = message_field(9)

_BANK_MS: Final = uint_field(1)
_RUNNING: Final = uint_field(2)
_CLOCK_TIME_LEFT_MS: Final = uint_field(3)
_PRESENT: Final = uint_field(1)
_FORFEIT_IN_MS: Final = present_uint_field(2)

_DECISION_ID: Final = uint_field(1)
_DECISION_PHASE: Final = PHASES.fields(2)
_TIME_LEFT_MS: Final = uint_field(3)
_TRIES_LEFT: Final = uint_field(4)
_LEGAL: Final = message_field(5)

# Fields of an enum, by member.
_VIEW_SEAT: Final = SEATS.fields(1)
_VIEW_PHASE: Final = PHASES.fields(2)
_VIEW_ACTOR: Final = SEATS.fields(3)
_V4: Final = uint_field(4)
_VIEW_FIRST_DRAFTER: Final = SEATS.fields(5)
_V6, _V7, _V8, _V9 = (uint_field(number) for number in range(6, 10))
_VIEW_HAND: Final = bytes_field(10)
_VIEW_OWN_CARD: Final = CARDS.fields(11)
_V12: Final = uint_field(12)
_VIEW_DISCARD_PILE: Final = bytes_field(13)
_V14: Final = uint_field(14)
_VIEW_KNOWN_TAIL: Final = bytes_field(15)
_VIEW_COLOR: Final = COLORS.fields(16)
_VIEW_FREE_COLOR: Final = COLORS.fields(17)
_VIEW_PENDING_KIND: Final = PENDING_KINDS.fields(18)
_VIEW_PENDING_BY: Final = SEATS.fields(19)
_V20: Final = uint_field(20)

_ITEM: Final = message_field(1)
_HANDLE: Final = uint_field(1)
_KINDS: Final[Mapping[int, Callable[[bytes], bytes]]] = MappingProxyType(
    {number: message_field(number) for number in range(2, 11)}
)


@dataclass(slots=True)
class ClockState:
    """Holds a seat's time in milliseconds; `time_left_ms` is 0 when the clock is not running."""

    bank_ms: int
    running: bool
    time_left_ms: int


@dataclass(slots=True)
class PresenceState:
    """Holds whether a seat is there; `forfeit_in_ms` is None if its absence never loses the match."""

    present: bool
    forfeit_in_ms: int | None


def observed_event(event: EncodedEvent, seat: Seat | None) -> bytes:
    """Returns one element of `Observation.events` as `seat` may see it; None is a spectator (RULES.md R14)."""
    if seat is not None and event.private_to is seat:
        return _EVENTS(event.public + _PRIVATE_CARDS(event.cards))
    return _EVENTS(event.public)


def encode_view(view: View) -> bytes:
    """Returns the serialised message View; the lines follow its fields."""
    return b"".join(
        (
            _VIEW_SEAT[view.seat],
            _VIEW_PHASE[view.phase],
            _VIEW_ACTOR[view.actor],
            _V4(view.round),
            _VIEW_FIRST_DRAFTER[view.first_drafter],
            _V6(view.turns),
            _V7(view.stall),
            _V8(view.totals[0]),
            _V9(view.totals[1]),
            _VIEW_HAND(bytes(view.hand)),
            _VIEW_OWN_CARD[view.seen],
            _V12(view.opponent_count),
            _VIEW_DISCARD_PILE(bytes(view.discard)),
            _V14(view.draw_count),
            _VIEW_KNOWN_TAIL(bytes(view.known_tail)),
            _VIEW_COLOR[view.color],
            _VIEW_FREE_COLOR[view.free_color],
            _VIEW_PENDING_KIND[view.pending_symbol],
            _VIEW_PENDING_BY[view.pending_by],
            _V20(view.pending_total),
        )
    )


def encode_decision(
    decision_id: int, phase: Phase, time_left_ms: int, tries_left: int, actions: Iterable[Action]
) -> bytes:
    """Returns the serialised message Decision; `actions` are the legal ones (RULES.md R13)."""
    parts = [
        _DECISION_ID(decision_id),
        _DECISION_PHASE[phase],
        _TIME_LEFT_MS(time_left_ms),
        _TRIES_LEFT(tries_left),
    ]
    parts += [_LEGAL(action_bytes(action)) for action in actions]
    return b"".join(parts)


def encode_observation(
    events: Sequence[bytes],
    sequence: int,
    head: bytes,
    caught_up: bool,
    view: bytes | None = None,
    decision: bytes | None = None,
    clock: ClockState | None = None,
    opponent_clock: ClockState | None = None,
    opponent_presence: PresenceState | None = None,
) -> bytes:
    """Returns the serialised message Observation.

    `events` come from `observed_event`, `view` and `decision` from `encode_view` and `encode_decision`; `head` has 32
    bytes and belongs to `sequence`. What is None is left out.
    """
    parts = [*events, _SEQUENCE(sequence), _HEAD(head), _CAUGHT_UP(caught_up)]
    if view is not None:
        parts.append(_VIEW(view))
    if decision is not None:
        parts.append(_DECISION(decision))
    if clock is not None:
        parts.append(_CLOCK(_clock_bytes(clock)))
    if opponent_clock is not None:
        parts.append(_OPPONENT_CLOCK(_clock_bytes(opponent_clock)))
    if opponent_presence is not None:
        parts.append(_OPPONENT_PRESENCE(_presence_bytes(opponent_presence)))
    return b"".join(parts)


def response_item(handle: int, field: int, payload: bytes) -> bytes:
    """Returns one element of `PlayResponse.items`; a response is such elements joined.

    `field` is the number of the kind in ResponseItem, as in `ResponseItem.OBSERVATION_FIELD_NUMBER`, and `payload` its
    serialised message.
    """
    return _ITEM(_HANDLE(handle) + _KINDS[field](payload))


def _clock_bytes(clock: ClockState) -> bytes:
    return _BANK_MS(clock.bank_ms) + _RUNNING(clock.running) + _CLOCK_TIME_LEFT_MS(clock.time_left_ms)


def _presence_bytes(presence: PresenceState) -> bytes:
    forfeit_in_ms = presence.forfeit_in_ms
    return _PRESENT(presence.present) + (b"" if forfeit_in_ms is None else _FORFEIT_IN_MS(forfeit_in_ms))
