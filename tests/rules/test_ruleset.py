from dataclasses import replace
from typing import Any

import pytest

from referee.rules.cards import Deck
from referee.rules.ruleset import (
    DUO,
    VARIANTS,
    DumpFinalReverse,
    FinalPenalty,
    InvalidRuleset,
    Piles,
    Ruleset,
    Wd4Alternative,
    Wd4GuiltyNext,
    validate,
)


def test_variant_duo_has_the_defaults_of_r15_1() -> None:
    assert VARIANTS["duo"] == Ruleset(
        deck=Deck.EXTRA_WILDS_112,
        piles=Piles.TURN_OVER,
        wd4_alternative=Wd4Alternative.ANY,
        wd4_guilty_next=Wd4GuiltyNext.CHALLENGER,
        dump_final_reverse=DumpFinalReverse.PASS_ON,
        final_penalty=FinalPenalty.DRAW,
        hand_size=7,
        target=200,
        turn_cap=1000,
        round_cap=100,
    )


def test_variant_official_leaning_changes_three_options() -> None:
    assert VARIANTS["official-leaning"] == replace(
        DUO,
        wd4_alternative=Wd4Alternative.COLOR,
        dump_final_reverse=DumpFinalReverse.INERT,
        piles=Piles.SHUFFLE,
    )
    assert set(VARIANTS) == {"duo", "official-leaning"}


def with_number(field: str, value: int) -> Ruleset:
    changes: dict[str, Any] = {field: value}
    return replace(DUO, **changes)


@pytest.mark.parametrize(
    ("field", "largest"), [("hand_size", 26), ("target", 10**6), ("turn_cap", 10**5), ("round_cap", 10**4)]
)
def test_range_ends_where_r15_1_says(field: str, largest: int) -> None:
    for value in (1, largest):
        validate(with_number(field, value))
    for value in (0, -1, largest + 1):
        with pytest.raises(InvalidRuleset) as caught:
            validate(with_number(field, value))
        assert (caught.value.field, caught.value.message) == (field, f"must be 1 to {largest}, not {value}")
        assert str(caught.value) == f"{field}: {caught.value.message}"


def test_largest_hand_depends_on_the_deck() -> None:
    classic = replace(DUO, deck=Deck.CLASSIC_108)
    validate(replace(classic, hand_size=25))
    with pytest.raises(InvalidRuleset, match="hand_size"):
        validate(replace(classic, hand_size=26))
