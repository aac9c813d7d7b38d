from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.adjudication.terms import (
    ExpiryPolicy,
    FaultPolicy,
    InvalidTerms,
    Player,
    TimeControl,
    validate_fault_policy,
    validate_player,
    validate_time_control,
)


def test_defaults_are_those_of_the_protocol() -> None:
    assert TimeControl() == TimeControl(10_000, 0, 0, 0, 30_000, 10_000)
    assert FaultPolicy() == FaultPolicy(ExpiryPolicy.DEFAULT_ACTION, 0, 10, 0)
    assert Player("Anna") == Player("Anna", "")


@pytest.mark.parametrize(
    ("field", "smallest", "largest"),
    [
        ("limit_ms", 1, 3_600_000),
        ("bank_ms", 0, 86_400_000),
        ("increment_ms", 0, 3_600_000),
        ("margin_ms", 0, 60_000),
        ("startup_grace_ms", 1, 3_600_000),
        ("reconnect_grace_ms", 1, 3_600_000),
    ],
)
def test_time_control_is_refused_outside_the_range_of_each_field(field: str, smallest: int, largest: int) -> None:
    for value in (smallest, largest):
        validate_time_control(replace(TimeControl(), **{field: value}))
    for value in (smallest - 1, largest + 1):
        with pytest.raises(InvalidTerms) as refused:
            validate_time_control(replace(TimeControl(), **{field: value}))
        assert refused.value.field == field
        assert refused.value.message == f"must be {smallest} to {largest}, not {value}"
        assert str(refused.value) == f"{field}: must be {smallest} to {largest}, not {value}"


@pytest.mark.parametrize(
    ("field", "smallest", "largest", "policy"),
    [
        ("max_strikes", 0, 10_000, lambda value: FaultPolicy(max_strikes=value)),
        ("rejection_limit", 1, 100, lambda value: FaultPolicy(rejection_limit=value)),
        ("forfeit_after_absence_ms", 0, 86_400_000, lambda value: FaultPolicy(forfeit_after_absence_ms=value)),
    ],
)
def test_fault_policy_is_refused_outside_the_range_of_each_field(
    field: str, smallest: int, largest: int, policy: Callable[[int], FaultPolicy]
) -> None:
    for value in (smallest, largest):
        validate_fault_policy(policy(value))
    for value in (smallest - 1, largest + 1):
        with pytest.raises(InvalidTerms) as refused:
            validate_fault_policy(policy(value))
        assert refused.value.field == field
        assert refused.value.message == f"must be {smallest} to {largest}, not {value}"
        assert str(refused.value) == f"{field}: must be {smallest} to {largest}, not {value}"


@pytest.mark.parametrize(
    "player", [Player("x"), Player("n" * 64, "b" * 64), Player("Zoë 🃏"), Player("two words", "\U00013440")]
)
def test_player_with_an_ordinary_name_is_accepted(player: Player) -> None:
    validate_player(player)


@pytest.mark.parametrize(
    ("player", "refusal"),
    [
        (Player(""), "name: must not be empty or blank"),
        (Player("n" * 65), "name: must have at most 64 characters, not 65"),
        (Player("line\nbreak"), "name: must not hold control or format characters"),
        (Player(" \u3000"), "name: must not be empty or blank"),
        (Player("right\u202eleft"), "name: must not hold control or format characters"),
        (Player("zero\u200bwidth"), "name: must not hold control or format characters"),
        (Player("hieroglyph \U00013439"), "name: must not hold control or format characters"),
        (Player("hieroglyph \U0001343f"), "name: must not hold control or format characters"),
        (Player("bell\x07"), "name: must not hold control or format characters"),
        (Player("n", "b" * 65), "bot: must have at most 64 characters, not 65"),
        (Player("n", "\x1b[31m"), "bot: must not hold control or format characters"),
        (Player("n", "line\u2028separator"), "bot: must not hold control or format characters"),
        (Player("n", "paragraph\u2029separator"), "bot: must not hold control or format characters"),
    ],
)
def test_player_with_an_unprintable_or_long_name_is_refused(player: Player, refusal: str) -> None:
    with pytest.raises(InvalidTerms) as refused:
        validate_player(player)
    assert str(refused.value) == refusal
    assert (refused.value.field, refused.value.message) == tuple(refusal.split(": "))
