from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import EnumDescriptor, FileDescriptor
from unoduo.v1 import (
    action_pb2,
    card_pb2,
    event_pb2,
    journal_pb2,
    log_pb2,
    match_pb2,
    observation_pb2,
    outcome_pb2,
    referee_service_pb2,
    ruleset_pb2,
    seat_pb2,
    session_pb2,
)

from referee.codec import enums
from referee.codec.enums import CARDS, COLORS, SEATS, EnumTable
from referee.codec.errors import Malformed
from referee.rules.cards import Card, Color
from referee.rules.seats import Seat

FILES: list[FileDescriptor] = [
    module.DESCRIPTOR
    for module in (
        action_pb2,
        card_pb2,
        event_pb2,
        journal_pb2,
        log_pb2,
        match_pb2,
        observation_pb2,
        outcome_pb2,
        referee_service_pb2,
        ruleset_pb2,
        seat_pb2,
        session_pb2,
    )
]
# Said by or to a session only; they have no counterpart in the domain.
OF_THE_SESSION = {"unoduo.v1.Delivery", "unoduo.v1.StaleReason", "unoduo.v1.DetachReason"}


def tables() -> list[EnumTable[Any, int]]:
    return [table for table in vars(enums).values() if isinstance(table, EnumTable)]


def descriptors() -> Iterator[EnumDescriptor]:
    for file in FILES:
        yield from file.enum_types_by_name.values()


def test_every_enum_of_the_wire_has_a_table() -> None:
    assert {table.descriptor.full_name for table in tables()} == {
        descriptor.full_name for descriptor in descriptors()
    } - OF_THE_SESSION


@pytest.mark.parametrize("table", tables(), ids=lambda table: table.descriptor.name)
def test_table_maps_every_value_there_and_back(table: EnumTable[Any, int]) -> None:
    for value in table.descriptor.values:
        if value.number == 0:
            continue
        member = table.decode(value.number, "field")
        assert value.name.endswith(f"_{member.name}")
        assert table.numbers[member] == value.number
        assert table.name(member) == value.name
        assert table.names[value.name] is member
    assert len(table.members) == len(table.descriptor.values)


@pytest.mark.parametrize("table", tables(), ids=lambda table: table.descriptor.name)
def test_table_refuses_numbers_without_a_member(table: EnumTable[Any, int]) -> None:
    for number in (-(2**31), -1, len(table.members), 2**31 - 1):
        with pytest.raises(Malformed, match="not a number of") as error:
            table.decode_optional(number, "some.field")
        assert error.value.field == "some.field"
    with pytest.raises(Malformed, match="must be set"):
        table.decode(0, "some.field")
    assert table.decode_optional(0, "some.field") is None


@pytest.mark.parametrize("number", [-1, 0, 55])
def test_table_names_the_element_that_is_no_card(number: int) -> None:
    with pytest.raises(Malformed) as error:
        CARDS.decode_all([1, 54, number], "play.cards")
    assert error.value.field == "play.cards[2]"


def test_domain_numbers_written_as_they_are_are_those_of_the_wire() -> None:
    assert [int(CARDS.numbers[card]) for card in Card] == [int(card) for card in Card]
    assert [int(COLORS.numbers[color]) for color in Color] == [int(color) for color in Color]
    assert [int(SEATS.numbers[seat]) for seat in (Seat.A, Seat.B)] == [1, 2]


def test_table_is_refused_where_names_differ() -> None:
    with pytest.raises(ValueError, match="does not number"):
        EnumTable(card_pb2.Color, Seat)
