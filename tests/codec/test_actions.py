import pytest
from hypothesis import given
from unoduo.v1 import action_pb2 as pb

from referee.codec.actions import action_bytes, decode_action, decode_action_id, encode_action
from referee.codec.errors import Malformed
from referee.rules.actions import Action, Play
from referee.rules.cards import Card, Color
from tests.codec.canonical import assert_canonical
from tests.codec.strategies import action_ids, actions


@given(actions)
def test_action_survives_both_ways(action: Action) -> None:
    assert decode_action(encode_action(action)) == action
    assert_canonical(pb.Action, action_bytes(action))


@pytest.mark.parametrize("card", Card)
@pytest.mark.parametrize("color", [None, *Color])
@pytest.mark.parametrize("uno", [False, True])
def test_single_play_is_the_message_of_its_fields(card: Card, color: Color | None, uno: bool) -> None:
    message = pb.Action(play=pb.Play(cards=[card], color=color or 0, uno=uno))  # type: ignore[arg-type, list-item]
    assert action_bytes(Play((card,), color, uno)) == message.SerializeToString()


def test_encoded_actions_are_messages_of_their_own() -> None:
    first, second = encode_action(Play((Card.RED_0,))), encode_action(Play((Card.RED_0,)))
    first.play.uno = True
    assert not second.play.uno


MALFORMED = [
    (b"", "kind"),
    # Field 15 is no kind of this version.
    (b"\x7a\x00", "kind"),
    (pb.Action(choose_color=pb.ChooseColor()).SerializeToString(), "choose_color.color"),
    # Unknown numbers, negative ones included, arrive as they were sent.
    (b"\x1a\x02\x08\x05", "choose_color.color"),
    (b"\x1a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "choose_color.color"),
    (b"\x22\x04\x0a\x02\x01\x00", "play.cards[1]"),
    (b"\x22\x03\x0a\x01\x37", "play.cards[0]"),
    (b"\x22\x0e\x0a\x0c\x01\x36\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "play.cards[2]"),
    (b"\x22\x05\x0a\x01\x01\x10\x05", "play.color"),
    (b"\x22\x73\x0a\x71" + b"\x01" * 113, "play.cards"),
]


@pytest.mark.parametrize(("data", "field"), MALFORMED)
def test_malformed_action_names_its_field(data: bytes, field: str) -> None:
    with pytest.raises(Malformed) as error:
        decode_action(pb.Action.FromString(data))
    assert error.value.field == field
    with pytest.raises(Malformed) as error:
        decode_action(pb.Action.FromString(data), "action")
    assert error.value.field == f"action.{field}"


def test_play_of_no_card_is_a_matter_of_the_rules() -> None:
    assert decode_action(pb.Action(play=pb.Play())) == Play(())


def test_play_of_a_whole_deck_is_well_formed() -> None:
    assert len(decode_action(pb.Action(play=pb.Play(cards=[1] * 112))).cards) == 112  # type: ignore[union-attr, list-item]


@given(action_ids)
def test_action_id_of_printable_ascii_is_taken(text: str) -> None:
    assert decode_action_id(text) == text


@pytest.mark.parametrize("text", ["", "x" * 37, "a\n", "\x7f", "é", "\x00"])
def test_action_id_of_another_form_is_malformed(text: str) -> None:
    with pytest.raises(Malformed) as error:
        decode_action_id(text, "action.action_id")
    assert error.value.field == "action.action_id"
