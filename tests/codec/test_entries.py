from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unoduo.v1 import log_pb2 as pb

from referee.adjudication.inputs import ActionTaken, Input, InputKind, RejectedTry
from referee.codec.entries import Entry, decode_entry, encode_entry
from referee.codec.errors import Malformed
from referee.codec.events import encode_event
from referee.rules.actions import Play
from referee.rules.cards import Card, Color
from referee.rules.events import CardsDrawn, CardsPlayed, DrawReason, Event
from referee.rules.seats import Seat
from tests.codec.canonical import assert_canonical
from tests.codec.strategies import KINDS, entries

ENTRY = Entry(
    7,
    bytes(range(16)),
    Input(Seat.A, 300, 1500, 20, ActionTaken("a-1", Play((Card.WILD,), Color.RED, True))),
    (RejectedTry(Seat.A, 300, "a-0", Play((Card.RED_9,)), "R5.2"),),
    301,
    (
        Event(CardsPlayed(Seat.A, (Card.WILD,), Color.RED, 1, True)),
        Event(CardsDrawn(Seat.B, 2, 2, DrawReason.FINAL), (Card.RED_0, Card.WILD), Seat.B),
    ),
)
DATA = encode_entry(ENTRY).data


def message() -> pb.Entry:
    return pb.Entry.FromString(DATA)


@given(entries)
def test_entry_survives_both_ways(entry: Entry) -> None:
    encoded = encode_entry(entry)
    assert decode_entry(encoded.data) == entry
    assert_canonical(pb.Entry, encoded.data)


def test_strategies_cover_every_kind_of_input() -> None:
    assert set(KINDS) == set(get_args(InputKind))
    assert len(KINDS) == len(pb.Input.DESCRIPTOR.oneofs_by_name["kind"].fields)


def test_encoded_entry_gives_the_bytes_of_its_events() -> None:
    encoded = encode_entry(ENTRY)
    assert encoded.events == tuple(
        encode_event(number, event) for number, event in enumerate(ENTRY.events, ENTRY.first_sequence)
    )
    public = [pb.RecordedEvent(sequence=record.sequence, event=record.event) for record in message().events]
    assert [record.SerializeToString() for record in public] == [event.public for event in encoded.events]
    assert [record.sequence for record in message().events] == [301, 302]


def refused(data: bytes) -> str:
    with pytest.raises(Malformed) as error:
        decode_entry(data)
    return error.value.field


@pytest.mark.parametrize(
    "added",
    [
        b"\x30\x01",  # field 6, which an entry has not
        b"\x08\x07",  # the index once more
        b"\x1a\x00",  # an empty input, which merges into the one there
    ],
)
def test_entry_in_another_form_is_refused(added: bytes) -> None:
    assert pb.Entry.FromString(DATA + added).index == 7
    assert refused(DATA + added) == "entry"


def test_entry_out_of_order_is_refused() -> None:
    index = b"\x08\x07"
    assert DATA.startswith(index)
    assert pb.Entry.FromString(DATA[2:] + index) == message()
    assert refused(DATA[2:] + index) == "entry"


def test_entry_with_a_default_written_out_is_refused() -> None:
    written = message()
    written.ClearField("index")
    data = written.SerializeToString(deterministic=True)
    decode_entry(data)
    assert refused(b"\x08\x00" + data) == "entry"


def test_unknown_field_inside_an_event_is_refused() -> None:
    written = message()
    written.events[0].event.cards_played.MergeFromString(b"\x78\x01")
    assert refused(written.SerializeToString(deterministic=True)) == "entry"


def test_unpacked_cards_are_refused() -> None:
    record = b"\x08\xad\x02" + b"\x12\x04\x5a\x02\x08\x01" + b"\x18\x01\x18\x02" + b"\x20\x01"
    head = message()
    del head.events[:]
    data = head.SerializeToString(deterministic=True) + b"\x2a" + bytes((len(record),)) + record
    assert len(pb.Entry.FromString(data).events[0].private_cards) == 2
    assert refused(data) == "entry"


def test_entry_cut_short_is_refused() -> None:
    # With one event, no shorter beginning is an entry of its own.
    data = encode_entry(replace(ENTRY, events=ENTRY.events[:1])).data
    decode_entry(data)
    for size in range(len(data)):
        refused(data[:size])


def test_flipped_bit_is_refused_or_makes_another_entry() -> None:
    refusals = 0
    for bit in range(8 * len(DATA)):
        data = bytearray(DATA)
        data[bit // 8] ^= 1 << bit % 8
        try:
            other = decode_entry(bytes(data))
        except Malformed:
            refusals += 1
            continue
        assert other != ENTRY
        assert encode_entry(other).data == data
    assert refusals > 4 * len(DATA)


@given(st.binary(max_size=80))
def test_arbitrary_bytes_are_refused(data: bytes) -> None:
    refused(data)


def test_bytes_that_are_no_message_are_refused() -> None:
    assert refused(b"\xff") == "entry"


def test_entry_without_events_is_refused() -> None:
    written = message()
    del written.events[:]
    assert refused(written.SerializeToString()) == "entry.events"


def test_gap_in_the_sequence_is_refused() -> None:
    written = message()
    written.events[1].sequence = 303
    assert refused(written.SerializeToString()) == "entry.events[1].sequence"


def test_malformed_parts_are_named() -> None:
    fields = []
    for change in (
        lambda entry: setattr(entry, "blind", bytes(15)),
        lambda entry: entry.input.ClearField("action"),
        lambda entry: setattr(entry.input, "seat", 3),
        lambda entry: setattr(entry.input.action, "action_id", ""),
        lambda entry: entry.input.action.action.play.cards.append(0),
        lambda entry: entry.input.no_show.seats.append(9),
        lambda entry: entry.input.resumed.SetInParent(),
        lambda entry: entry.input.voided.SetInParent(),
        lambda entry: setattr(entry.tries[0], "seat", 0),
        lambda entry: entry.tries[0].action.ClearField("action"),
        lambda entry: setattr(entry.events[1], "private_to", 3),
        lambda entry: setattr(entry.events[1], "private_to", 0),
        lambda entry: entry.events[1].private_cards.append(55),
        lambda entry: setattr(entry.events[0].event.cards_played, "color", 0),
    ):
        written = message()
        change(written)
        fields.append(refused(written.SerializeToString()))
    assert fields == [
        "entry.blind",
        "entry.input.kind",
        "entry.input.seat",
        "entry.input.action.action_id",
        "entry.input.action.action.play.cards[1]",
        "entry.input.no_show.seats[0]",
        "entry.input.resumed.reason",
        "entry.input.voided.termination",
        "entry.tries[0].seat",
        "entry.tries[0].action.action.kind",
        "entry.events[1].private_to",
        "entry.events[1].private_to",
        "entry.events[1].private_cards[2]",
        "entry.events[0].event.cards_played.color",
    ]
