import pytest

from referee.rules.errors import CLAUSE, IllegalAction, Reason

# What people read, word by word, and where they look it up.
REFUSALS = {
    "MATCH_NOT_RUNNING": ("R13.8", "the match has not begun or is over"),
    "NOT_YOUR_DECISION": ("R13.1", "the other seat decides now"),
    "WRONG_PHASE": ("R13.2", "this kind of action does not exist in the present phase"),
    "WILD_DRAW_FOUR_UNANSWERABLE": ("R8.5", "no card answers a Wild Draw Four: draw or challenge"),
    "NOT_A_WILD_DRAW_FOUR": ("R8.16", "only a Wild Draw Four can be challenged"),
    "EMPTY_PLAY": ("R5.5", "a play names at least one card"),
    "CARD_NOT_HELD": ("R5.6", "the hand does not hold all these cards"),
    "COLOR_REQUIRED": ("R5.4", "a play that ends on a wild card names a color"),
    "COLOR_NOT_ALLOWED": ("R5.4", "only a play that ends on a wild card names a color"),
    "ONE_CARD_ONLY": ("R6.2", "a Draw Two is answered with one card"),
    "ONLY_DRAW_TWO_ANSWERS": ("R6.2", "only a Draw Two answers a Draw Two"),
    "NOT_THE_DRAWN_CARD": ("R5.9", "after drawing, the first card played must be the drawn one"),
    "CARD_DOES_NOT_MATCH": ("R5.2", "the card matches neither the color in force nor the top card"),
    "DUMP_WITHOUT_REVERSE": ("R7.3", "several cards are played with a Reverse first, or all of the free color"),
    "DUMP_OF_ANOTHER_COLOR": ("R7.4", "all cards of a dump have the color of the first"),
    "DUMP_INCOMPLETE": ("R7.4", "a dump takes all cards of its color in the hand"),
}


def test_reasons_are_these_r13_3() -> None:
    assert [reason.value for reason in Reason] == [reason.name for reason in Reason] == list(REFUSALS)
    assert set(CLAUSE) == set(Reason)


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal_names_its_clause_and_says_it_in_a_sentence_r13_3(name: str) -> None:
    error = IllegalAction(Reason(name))
    assert (error.reason.value, error.clause, error.message) == (name, *REFUSALS[name])
    assert str(error) == name
