from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.message import Message
from hypothesis import given
from unoduo.v1 import match_pb2, ruleset_pb2

from referee.adjudication.terms import FaultPolicy, Player, TimeControl
from referee.codec.errors import Malformed
from referee.codec.settings import (
    decode_fault_policy,
    decode_player,
    decode_ruleset,
    decode_time_control,
    encode_fault_policy,
    encode_player,
    encode_ruleset,
    encode_time_control,
)
from referee.rules.ruleset import DUO, VARIANTS, Ruleset
from tests.codec.strategies import fault_policies, players, rulesets, time_controls


@given(rulesets)
def test_ruleset_survives_both_ways(ruleset: Ruleset) -> None:
    assert decode_ruleset(encode_ruleset(ruleset)) == ruleset


@given(time_controls)
def test_time_control_survives_both_ways(time_control: TimeControl) -> None:
    assert decode_time_control(encode_time_control(time_control)) == time_control


@given(fault_policies)
def test_fault_policy_survives_both_ways(fault_policy: FaultPolicy) -> None:
    assert decode_fault_policy(encode_fault_policy(fault_policy)) == fault_policy


@given(players)
def test_player_survives_both_ways(player: Player) -> None:
    assert decode_player(encode_player(player)) == player


@pytest.mark.parametrize("ruleset", VARIANTS.values())
def test_encoded_ruleset_has_every_field_set(ruleset: Ruleset) -> None:
    message = encode_ruleset(ruleset)
    assert [field.name for field, _ in message.ListFields()] == [field.name for field in message.DESCRIPTOR.fields]


def test_what_is_unset_takes_its_default() -> None:
    assert decode_ruleset(ruleset_pb2.Ruleset()) == DUO
    assert decode_ruleset(ruleset_pb2.Ruleset(target=1)) == Ruleset(target=1)
    assert decode_time_control(None) == TimeControl()
    assert decode_time_control(match_pb2.TimeControl(limit_ms=5)) == TimeControl(limit_ms=5)
    assert decode_fault_policy(match_pb2.FaultPolicy()) == FaultPolicy()


def test_only_the_range_of_hand_size_is_left_out_for_decks_of_their_own() -> None:
    assert decode_ruleset(ruleset_pb2.Ruleset(hand_size=50), any_hand_size=True).hand_size == 50
    with pytest.raises(Malformed, match="target"):
        decode_ruleset(ruleset_pb2.Ruleset(target=1_000_001), any_hand_size=True)


OUT_OF_RANGE: list[tuple[Callable[[Any, str], object], Message, str]] = [
    (decode_ruleset, ruleset_pb2.Ruleset(hand_size=27), "hand_size"),
    (decode_ruleset, ruleset_pb2.Ruleset(deck=ruleset_pb2.DECK_CLASSIC_108, hand_size=26), "hand_size"),
    (decode_ruleset, ruleset_pb2.Ruleset(target=1_000_001), "target"),
    (decode_ruleset, ruleset_pb2.Ruleset(turn_cap=100_001), "turn_cap"),
    (decode_ruleset, ruleset_pb2.Ruleset(round_cap=10_001), "round_cap"),
    *(
        (decode_ruleset, ruleset_pb2.Ruleset.FromString(bytes((number << 3, 9))), field)
        for number, field in enumerate(
            ("deck", "piles", "wd4_alternative", "wd4_guilty_next", "dump_final_reverse", "final_penalty"), 1
        )
    ),
    (decode_time_control, match_pb2.TimeControl(), "limit_ms"),
    (decode_time_control, match_pb2.TimeControl(limit_ms=3_600_001), "limit_ms"),
    (decode_time_control, match_pb2.TimeControl(limit_ms=1, bank_ms=86_400_001), "bank_ms"),
    (decode_time_control, match_pb2.TimeControl(limit_ms=1, increment_ms=3_600_001), "increment_ms"),
    (decode_time_control, match_pb2.TimeControl(limit_ms=1, margin_ms=60_001), "margin_ms"),
    (decode_fault_policy, match_pb2.FaultPolicy(rejection_limit=101), "rejection_limit"),
    (decode_fault_policy, match_pb2.FaultPolicy.FromString(b"\x08\x09"), "on_expiry"),
    (decode_player, match_pb2.Player(), "name"),
    (decode_player, match_pb2.Player(name="x" * 65), "name"),
    (decode_player, match_pb2.Player(name="a\x1b[31m"), "name"),
    (decode_player, match_pb2.Player(name="a", bot="b\n"), "bot"),
]


@pytest.mark.parametrize(("decode", "message", "field"), OUT_OF_RANGE)
def test_setting_out_of_range_is_malformed(decode: Callable[[Any, str], object], message: Message, field: str) -> None:
    with pytest.raises(Malformed) as error:
        decode(message, "here")
    assert error.value.field == f"here.{field}"
