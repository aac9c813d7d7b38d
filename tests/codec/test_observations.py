from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unoduo.v1 import observation_pb2 as pb
from unoduo.v1 import session_pb2

from referee.adjudication.rulings import MatchEvent, Ruling
from referee.codec.actions import decode_action
from referee.codec.enums import CARDS, COLORS, PENDING_KINDS, PHASES, SEATS
from referee.codec.events import decode_event, encode_event
from referee.codec.observations import (
    encode_clock,
    encode_decision,
    encode_observation,
    encode_presence,
    encode_view,
    observed_event,
    observed_events,
    response_item,
)
from referee.rules.actions import Action
from referee.rules.cards import Card
from referee.rules.events import Event
from referee.rules.observe import ObservedEvent, View, observe, observe_public
from referee.rules.seats import Seat
from referee.rules.state import Phase
from tests.codec.canonical import assert_canonical
from tests.codec.strategies import actions, exactly, open_events, phases, private_events, rulings, uint32, views

HEAD = bytes(range(32))


def as_observed(event: Event, seat: Seat | None) -> tuple[bytes, ObservedEvent]:
    """Returns the bytes that a seat receives for an event, and what they say."""
    data = observed_event(encode_event(5, event), seat)
    (told,) = pb.Observation.FromString(data).events
    assert told.sequence == 5
    cards = CARDS.decode_all(told.private_cards, "private_cards")
    seen = decode_event(told.event, (), None)
    assert isinstance(seen, Event)
    return data, ObservedEvent(seen.fact, cards)


@given(open_events | private_events)
def test_observed_event_says_what_observe_says(event: Event) -> None:
    for seat in Seat:
        data, told = as_observed(event, seat)
        assert told == observe(event, seat)
        assert_canonical(pb.Observation, data)
    data, told = as_observed(event, None)
    assert told == observe_public(event)
    assert_canonical(pb.Observation, data)


@given(private_events, st.lists(st.sampled_from(Card), max_size=20).map(tuple))
def test_private_cards_leave_no_trace_for_others(event: Event, other_cards: tuple[Card, ...]) -> None:
    assert event.private_to is not None
    changed = Event(event.fact, other_cards, event.private_to)
    for observer in (event.private_to.other, None):
        assert observed_event(encode_event(5, event), observer) == observed_event(encode_event(5, changed), observer)


@given(rulings)
def test_ruling_is_told_to_all_alike(ruling: Ruling) -> None:
    encoded = encode_event(1, ruling)
    assert observed_event(encoded, Seat.A) == observed_event(encoded, Seat.B) == observed_event(encoded, None)


def decoded_view(message: pb.View) -> View:
    return View(
        SEATS.decode(message.seat, "seat"),
        PHASES.decode(message.phase, "phase"),
        SEATS.decode_optional(message.actor, "actor"),
        message.round,
        SEATS.decode(message.first_drafter, "first_drafter"),
        message.turns,
        message.stall,
        (message.total_a, message.total_b),
        CARDS.decode_all(message.hand, "hand"),
        CARDS.decode_optional(message.own_card, "own_card"),
        message.opponent_count,
        CARDS.decode_all(message.discard_pile, "discard_pile"),
        message.draw_count,
        CARDS.decode_all(message.known_tail, "known_tail"),
        COLORS.decode_optional(message.active_color, "active_color"),
        COLORS.decode_optional(message.free_color, "free_color"),
        PENDING_KINDS.decode_optional(message.pending_kind, "pending_kind"),
        SEATS.decode_optional(message.pending_by, "pending_by"),
        message.pending_total,
    )


@given(views)
def test_view_says_all_that_the_view_holds(view: View) -> None:
    data = encode_view(view)
    assert decoded_view(pb.View.FromString(data)) == view
    assert_canonical(pb.View, data)


@given(uint32, phases, uint32, uint32, st.lists(actions, max_size=8))
def test_decision_says_all_that_it_is_given(
    decision_id: int, phase: Phase, time_left_ms: int, tries_left: int, legal: Sequence[Action]
) -> None:
    data = encode_decision(decision_id, phase, time_left_ms, tries_left, legal)
    message = pb.Decision.FromString(data)
    assert (message.decision_id, message.time_left_ms, message.tries_left) == (decision_id, time_left_ms, tries_left)
    assert PHASES.decode(message.phase, "phase") is phase
    assert [decode_action(action) for action in message.legal] == list(legal)
    assert_canonical(pb.Decision, data)


# Bank and time left, None if the clock is not running.
clocks = st.tuples(uint32, st.none() | uint32)


@given(clocks)
def test_clock_says_all_that_it_is_given(clock: tuple[int, int | None]) -> None:
    data = encode_clock(*clock)
    message = pb.Clock.FromString(data)
    assert (message.bank_ms, message.time_left_ms if message.running else None) == clock
    assert_canonical(pb.Clock, data)


@given(st.booleans(), st.none() | uint32)
def test_presence_says_all_that_it_is_given(present: bool, forfeit_in_ms: int | None) -> None:
    data = encode_presence(present, forfeit_in_ms)
    message = pb.Presence.FromString(data)
    assert message.present is present
    assert (message.forfeit_in_ms if message.HasField("forfeit_in_ms") else None) == forfeit_in_ms
    assert_canonical(pb.Presence, data)


@given(st.lists(open_events | private_events | rulings, max_size=4))
def test_observed_events_are_those_of_each_observer_joined(events: list[MatchEvent]) -> None:
    encoded = [encode_event(number, event) for number, event in enumerate(events, 1)]
    for observer, told in zip((Seat.A, Seat.B, None), observed_events(encoded), strict=True):
        assert told == b"".join(observed_event(event, observer) for event in encoded)


@given(
    st.lists(private_events, max_size=3),
    uint32,
    exactly(32),
    st.booleans(),
    st.none() | views,
    st.booleans(),
    st.none() | clocks,
    st.none() | clocks,
    st.none() | st.booleans(),
)
def test_observation_says_all_that_it_is_given(
    events: list[Event],
    sequence: int,
    head: bytes,
    caught_up: bool,
    view: View | None,
    decides: bool,
    clock: tuple[int, int | None] | None,
    opponent_clock: tuple[int, int | None] | None,
    present: bool | None,
) -> None:
    parts = {
        "view": None if view is None else encode_view(view),
        "decision": encode_decision(sequence, Phase.TURN, 0, 0, []) if decides else None,
        "clock": None if clock is None else encode_clock(*clock),
        "opponent_clock": None if opponent_clock is None else encode_clock(*opponent_clock),
        "opponent_presence": None if present is None else encode_presence(present, None),
    }
    told = observed_events([encode_event(number, event) for number, event in enumerate(events, 1)])[Seat.A]
    data = encode_observation(told, sequence, head, caught_up, **parts)
    message = pb.Observation.FromString(data)
    assert [event.sequence for event in message.events] == [*range(1, len(events) + 1)]
    assert (message.sequence, message.head, message.caught_up) == (sequence, head, caught_up)
    for name, part in parts.items():
        shown = getattr(message, name).SerializeToString(deterministic=True) if message.HasField(name) else None  # type: ignore[arg-type]
        assert shown == part
    assert_canonical(pb.Observation, data)


KINDS = [(field.number, field.name) for field in session_pb2.ResponseItem.DESCRIPTOR.oneofs_by_name["kind"].fields]


@pytest.mark.parametrize(("number", "name"), KINDS)
@pytest.mark.parametrize("handle", [0, 1, 300])
def test_response_item_holds_its_payload_under_its_kind(number: int, name: str, handle: int) -> None:
    (item,) = session_pb2.PlayResponse.FromString(response_item(handle, number, b"")).items
    assert (item.handle, item.WhichOneof("kind")) == (handle, name)


def test_joined_response_items_are_one_response() -> None:
    observation = encode_observation(b"", 9, HEAD, True)
    number = session_pb2.ResponseItem.OBSERVATION_FIELD_NUMBER
    data = response_item(1, number, observation) + response_item(2, number, observation)
    response = session_pb2.PlayResponse.FromString(data)
    assert [(item.handle, item.observation.sequence) for item in response.items] == [(1, 9), (2, 9)]
    assert_canonical(session_pb2.PlayResponse, data)
