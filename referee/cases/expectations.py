"""What a step may expect: one row a field of `expect`, how it is read and what it is compared with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeVar

from unoduo.v1 import action_pb2, event_pb2

from referee.cases.errors import ShapeError
from referee.cases.shape import (
    Fields,
    Reader,
    boolean,
    card,
    cards,
    color,
    count,
    items,
    member,
    message,
    nullable,
    pair,
    seat,
    text,
)
from referee.cases.show import EVENT_KINDS, event_kind, show
from referee.cases.views import read_view_part, seen_by, view_holds
from referee.codec.actions import decode_action
from referee.codec.enums import PHASES, ROUND_END_REASONS, TERMINATIONS
from referee.codec.errors import Malformed, join
from referee.codec.events import decode_event
from referee.rules.actions import Action
from referee.rules.cards import Card
from referee.rules.events import Challenged, Event, MatchEnded, RoundEnded, RoundEndReason
from referee.rules.legality import default_action, legal_actions
from referee.rules.observe import ObservedEvent, observe, observe_public
from referee.rules.outcome import Termination
from referee.rules.seats import Seat
from referee.rules.state import Phase, State

_NO_CARDS: Final[tuple[Card, ...]] = ()

F = TypeVar("F", Challenged, RoundEnded, MatchEnded)


@dataclass(frozen=True, slots=True)
class Expectation:
    """Holds one field of `expect`: its name and the value that it gives."""

    name: str
    value: object


@dataclass(frozen=True, slots=True)
class _Check:
    """Holds how a field is read, what of a step it is compared with, and how; by default they must be equal."""

    read: Reader[object]
    observe: Callable[[State, Sequence[Event]], object]
    holds: Callable[[Any, Any], bool] = lambda expected, found: bool(expected == found)


def read_expectations(value: object, where: str) -> tuple[Expectation, ...]:
    """Returns the expectations of a step.

    Raises:
        ShapeError: for a field that is unknown or has a value of another shape, or if there is none at all.
    """
    fields = Fields(value, where)
    known = [name for name in fields.names() if name in _CHECKS]
    expectations = tuple(Expectation(name, fields.required(name, _CHECKS[name].read)) for name in known)
    fields.finish()
    if not expectations:
        raise ShapeError(where, "must expect something")
    return expectations


def difference(expectation: Expectation, state: State, events: Sequence[Event]) -> str | None:
    """Returns in words how a step differs from an expectation, None if it does not.

    `state` is the one after the step, `events` are those it caused.
    """
    check = _CHECKS[expectation.name]
    found = check.observe(state, events)
    if check.holds(expectation.value, found):
        return None
    return f"{expectation.name}: expected {show(expectation.value)}, found {show(found)}"


def _hand(value: object, where: str) -> tuple[Card, ...]:
    return tuple(sorted(cards(value, where)))


def _event(value: object, where: str) -> Event:
    fields = Fields(value, where)
    public = fields.required("event", message(event_pb2.Event))
    private_to = fields.optional("privateTo", nullable(seat), None)
    private_cards = fields.optional("privateCards", cards, _NO_CARDS)
    fields.finish()
    return _event_of_rules(public, private_cards, private_to, where)


def _observed_by_seat(value: object, where: str) -> ObservedEvent:
    fields = Fields(value, where)
    public = fields.required("event", message(event_pb2.Event))
    private_cards = fields.optional("privateCards", cards, _NO_CARDS)
    fields.finish()
    return ObservedEvent(_event_of_rules(public, _NO_CARDS, None, where).fact, private_cards)


def _observed_by_spectators(value: object, where: str) -> ObservedEvent:
    fields = Fields(value, where)
    public = fields.required("event", message(event_pb2.Event))
    fields.finish()
    return ObservedEvent(_event_of_rules(public, _NO_CARDS, None, where).fact, _NO_CARDS)


def _event_of_rules(
    public: event_pb2.Event, private_cards: tuple[Card, ...], private_to: Seat | None, where: str
) -> Event:
    try:
        event = decode_event(public, private_cards, private_to)
    except Malformed as error:
        raise ShapeError(join(where, error.field), error.message) from None
    if not isinstance(event, Event):
        raise ShapeError(join(where, "event"), "is no event of the rules")
    return event


def _action(value: object, where: str) -> Action:
    submitted = message(action_pb2.Action)(value, where)
    try:
        return decode_action(submitted)
    except Malformed as error:
        raise ShapeError(join(where, error.field), error.message) from None


def _kind(value: object, where: str) -> str:
    kind = text(value, where)
    if kind not in EVENT_KINDS:
        raise ShapeError(where, f"{kind} is no kind of event of the rules")
    return kind


def _round_end(value: object, where: str) -> tuple[RoundEndReason, Seat | None]:
    fields = Fields(value, where)
    reason = fields.required("reason", member(ROUND_END_REASONS))
    winner = fields.required("winner", nullable(seat))
    fields.finish()
    return reason, winner


def _match_end(value: object, where: str) -> tuple[Termination, Seat | None]:
    fields = Fields(value, where)
    winner = fields.required("winner", nullable(seat))
    termination = fields.required("termination", member(TERMINATIONS))
    fields.finish()
    return termination, winner


def _challenge(value: object, where: str) -> tuple[bool, tuple[Card, ...] | None]:
    fields = Fields(value, where)
    guilty = fields.required("guilty", boolean)
    shown = fields.optional("shown", nullable(_hand), None)
    fields.finish()
    return guilty, shown


def _the_one(kind: type[F], events: Sequence[Event]) -> tuple[F, Event] | None:
    for event in events:
        if isinstance(event.fact, kind):
            return event.fact, event
    return None


def _observed_points(_: State, events: Sequence[Event]) -> tuple[int, int] | None:
    ended = _the_one(RoundEnded, events)
    return ended and ended[0].points


def _observed_round_end(_: State, events: Sequence[Event]) -> tuple[RoundEndReason, Seat | None] | None:
    ended = _the_one(RoundEnded, events)
    return ended and (ended[0].reason, ended[0].winner)


def _observed_match_end(_: State, events: Sequence[Event]) -> tuple[Termination, Seat | None] | None:
    ended = _the_one(MatchEnded, events)
    return ended and (ended[0].outcome.termination, ended[0].outcome.winner)


def _observed_challenge(_: State, events: Sequence[Event]) -> tuple[bool, tuple[Card, ...]] | None:
    challenged = _the_one(Challenged, events)
    return challenged and (challenged[0].guilty, challenged[1].private_cards)


def _challenge_holds(
    expected: tuple[bool, tuple[Card, ...] | None], found: tuple[bool, tuple[Card, ...]] | None
) -> bool:
    return found is not None and found[0] is expected[0] and expected[1] in (None, found[1])


def _same_in_any_order(expected: tuple[Action, ...], found: tuple[Action, ...]) -> bool:
    rest = list(found)
    for action in expected:
        if action not in rest:
            return False
        rest.remove(action)
    return not rest


def _includes(expected: tuple[Event, ...], found: tuple[Event, ...]) -> bool:
    rest = iter(found)
    return all(event in rest for event in expected)


def _without(expected: tuple[str, ...], found: tuple[str, ...]) -> bool:
    return not set(expected) & set(found)


_CHECKS: Final[Mapping[str, _Check]] = MappingProxyType(
    {
        "phase": _Check(member(PHASES), lambda state, _: state.phase),
        "actor": _Check(nullable(seat), lambda state, _: None if state.phase is Phase.MATCH_OVER else state.actor),
        "handA": _Check(_hand, lambda state, _: tuple(state.hands[Seat.A])),
        "handB": _Check(_hand, lambda state, _: tuple(state.hands[Seat.B])),
        "handCounts": _Check(pair, lambda state, _: (len(state.hands[Seat.A]), len(state.hands[Seat.B]))),
        "activeColor": _Check(nullable(color), lambda state, _: state.color),
        "freeColor": _Check(nullable(color), lambda state, _: state.free_color),
        "pendingTotal": _Check(count, lambda state, _: state.pending.total if state.pending else 0),
        "discardCount": _Check(count, lambda state, _: len(state.discard)),
        "drawCount": _Check(count, lambda state, _: len(state.draw)),
        "topCard": _Check(card, lambda state, _: state.discard[-1] if state.discard else None),
        "drawPile": _Check(cards, lambda state, _: tuple(reversed(state.draw))),
        "round": _Check(count, lambda state, _: state.round),
        "firstDrafter": _Check(seat, lambda state, _: state.first_drafter),
        "totals": _Check(pair, lambda state, _: state.totals),
        "points": _Check(pair, _observed_points),
        "roundEnd": _Check(_round_end, _observed_round_end),
        "matchEnd": _Check(_match_end, _observed_match_end),
        "challenge": _Check(_challenge, _observed_challenge, _challenge_holds),
        "legal": _Check(items(_action), lambda state, _: tuple(legal_actions(state)), _same_in_any_order),
        "defaultAction": _Check(
            _action, lambda state, _: None if state.phase is Phase.MATCH_OVER else default_action(state)
        ),
        "viewA": _Check(read_view_part, lambda state, _: seen_by(state, Seat.A), view_holds),
        "viewB": _Check(read_view_part, lambda state, _: seen_by(state, Seat.B), view_holds),
        "events": _Check(items(_event), lambda _, events: tuple(events)),
        "includes": _Check(items(_event, 1), lambda _, events: tuple(events), _includes),
        "observedA": _Check(
            items(_observed_by_seat), lambda _, events: tuple(observe(event, Seat.A) for event in events)
        ),
        "observedB": _Check(
            items(_observed_by_seat), lambda _, events: tuple(observe(event, Seat.B) for event in events)
        ),
        "observedBySpectators": _Check(
            items(_observed_by_spectators), lambda _, events: tuple(map(observe_public, events))
        ),
        "without": _Check(items(_kind, 1), lambda _, events: tuple(map(event_kind, events)), _without),
    }
)
