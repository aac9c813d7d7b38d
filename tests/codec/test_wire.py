import pytest
from hypothesis import given
from unoduo.v1 import action_pb2, card_pb2, event_pb2, log_pb2, observation_pb2

from referee.codec.wire import Field, Head, bytes_field, message_field, tag, varint
from tests.codec.strategies import uint32


@given(uint32)
def test_field_gives_what_protobuf_writes(value: int) -> None:
    assert Field(5)[value] == event_pb2.RoundEnded(points_a=value).SerializeToString()
    assert Field(20)[value] == observation_pb2.View(pending_total=value).SerializeToString()


@given(uint32)
def test_present_field_gives_zero_too(value: int) -> None:
    assert Field(2, present=True)[value] == observation_pb2.Presence(forfeit_in_ms=value).SerializeToString()


@pytest.mark.parametrize("size", [0, 1, 127, 128, 20_000])
def test_head_gives_what_protobuf_writes_before_a_value(size: int) -> None:
    data = bytes(size)
    assert Head(2)[size] + data == log_pb2.Entry(blind=data).SerializeToString()
    clause = event_pb2.Forfeited(clause="x" * size)
    assert Head(3, present=True)[size] + clause.clause.encode() == clause.SerializeToString()


@pytest.mark.parametrize("size", [0, 1, 127, 128, 20_000])
def test_bytes_field_writes_what_protobuf_writes(size: int) -> None:
    data = bytes(size)
    assert bytes_field(2)(data) == log_pb2.Entry(blind=data).SerializeToString()


@pytest.mark.parametrize("size", [0, 1, 127, 128, 20_000])
def test_message_field_writes_what_protobuf_writes(size: int) -> None:
    play = action_pb2.Play(cards=[card_pb2.CARD_RED_0] * size)
    assert message_field(4)(play.SerializeToString()) == action_pb2.Action(play=play).SerializeToString()


@pytest.mark.parametrize("value", [-1, 2**32, 2**40])
def test_varint_refuses_what_is_no_uint32(value: int) -> None:
    with pytest.raises(ValueError, match="32-bit"):
        varint(value)
    with pytest.raises(ValueError, match="32-bit"):
        Field(1)[value]


def test_tag_of_a_high_field_has_two_bytes() -> None:
    assert (tag(15, 0), tag(16, 2)) == (b"\x78", b"\x82\x01")
