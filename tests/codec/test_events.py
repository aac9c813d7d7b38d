from typing import get_args

import pytest
from hypothesis import given
from unoduo.v1 import event_pb2 as pb
from unoduo.v1 import log_pb2, observation_pb2

from referee.adjudication.rulings import MatchEvent, Resigned, Ruling
from referee.codec.enums import CARDS
from referee.codec.errors import Malformed
from referee.codec.events import EncodedEvent, decode_event, encode_event, event_bytes
from referee.rules.cards import Card
from referee.rules.events import DrawnKept, Event, Fact
from referee.rules.seats import Seat
from tests.codec.canonical import assert_canonical
from tests.codec.strategies import FACTS, RULINGS, events


def decoded(encoded: EncodedEvent) -> MatchEvent:
    cards = CARDS.decode_all(encoded.cards, "private_cards")
    return decode_event(observation_pb2.ObservedEvent.FromString(encoded.public).event, cards, encoded.private_to)


@given(events)
def test_event_survives_both_ways(event: MatchEvent) -> None:
    encoded = encode_event(300, event)
    assert decoded(encoded) == event
    assert observation_pb2.ObservedEvent.FromString(encoded.public).sequence == 300
    assert_canonical(observation_pb2.ObservedEvent, encoded.public)
    assert_canonical(log_pb2.RecordedEvent, encoded.public)
    assert_canonical(pb.Event, event_bytes(event))


def test_strategies_cover_every_kind() -> None:
    assert set(FACTS) == set(get_args(Fact))
    assert set(RULINGS) == set(get_args(Ruling))
    assert len(FACTS) + len(RULINGS) == len(pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields)


def test_private_part_stays_apart_from_the_public_one() -> None:
    public = encode_event(5, Event(DrawnKept(Seat.A)))
    private = encode_event(5, Event(DrawnKept(Seat.A), (Card.RED_0, Card.WILD), Seat.B))
    assert private == EncodedEvent(public.public, bytes([1, 53]), Seat.B)


MALFORMED = [
    (b"", "event.kind"),
    # Field 22 is no kind of this version.
    (b"\xb2\x01\x00", "event.kind"),
    (b"\x0a\x02\x10\x01", "event.cut.card_a"),
    (b"\x0a\x02\x08\x01", "event.cut.card_b"),
    (b"\x12\x02\x08\x01", "event.round_started.first_drafter"),
    (b"\x1a\x00", "event.draft_offered.seat"),
    (b"\x22\x02\x18\x01", "event.draft_done.seat"),
    (b"\x22\x02\x08\x01", "event.draft_done.discarded"),
    (b"\x2a\x02\x10\x05", "event.starter_turned.card"),
    (b"\x32\x02\x08\x03", "event.color_chosen.seat"),
    (b"\x32\x02\x08\x01", "event.color_chosen.color"),
    (b"\x3a\x02\x10\x01", "event.turn_started.seat"),
    (b"\x3a\x02\x08\x01", "event.turn_started.color"),
    (b"\x3a\x06\x08\x01\x10\x01\x18\x05", "event.turn_started.free_color"),
    (b"\x42\x00", "event.cards_played.seat"),
    (b"\x42\x05\x08\x01\x12\x01\x37", "event.cards_played.cards[0]"),
    (b"\x42\x05\x08\x01\x12\x01\x01", "event.cards_played.color"),
    (b"\x4a\x02\x20\x01", "event.cards_drawn.seat"),
    (b"\x4a\x02\x08\x01", "event.cards_drawn.reason"),
    (b"\x5a\x00", "event.drawn_kept.seat"),
    (b"\x62\x00", "event.uno_window_closed.seat"),
    (b"\x6a\x00", "event.challenged.seat"),
    (b"\x72\x02\x08\x03", "event.round_ended.winner"),
    (b"\x72\x00", "event.round_ended.reason"),
    (b"\x72\x05\x10\x01\x1a\x01\x37", "event.round_ended.hand_a[0]"),
    (b"\x72\x05\x10\x01\x22\x01\x37", "event.round_ended.hand_b[0]"),
    (b"\x7a\x00", "event.match_ended.outcome.termination"),
    (b"\x7a\x06\x0a\x04\x08\x03\x10\x01", "event.match_ended.outcome.winner"),
    (b"\x7a\x07\x0a\x05\x10\x01\x32\x01\x00", "event.match_ended.outcome.faulted[0]"),
    (b"\x8a\x01\x00", "event.timed_out.seat"),
    (b"\x92\x01\x02\x10\x03", "event.forfeited.seat"),
    (b"\x92\x01\x02\x08\x01", "event.forfeited.termination"),
    (b"\x9a\x01\x00", "event.resigned.seat"),
    (b"\xa2\x01\x00", "event.resumed.reason"),
    (b"\xaa\x01\x00", "event.voided.termination"),
]


@pytest.mark.parametrize(("data", "field"), MALFORMED)
def test_malformed_event_names_its_field(data: bytes, field: str) -> None:
    with pytest.raises(Malformed) as error:
        decode_event(pb.Event.FromString(data), (), None)
    assert error.value.field == field


def test_private_cards_without_a_seat_are_malformed() -> None:
    message = pb.Event.FromString(event_bytes(Event(DrawnKept(Seat.A))))
    with pytest.raises(Malformed) as error:
        decode_event(message, (Card.RED_0,), None, "entry.events[0]")
    assert error.value.field == "entry.events[0].private_to"


def test_ruling_with_a_private_part_is_malformed() -> None:
    message = pb.Event.FromString(event_bytes(Resigned(Seat.A)))
    with pytest.raises(Malformed) as error:
        decode_event(message, (), Seat.A)
    assert error.value.field == "private_to"
