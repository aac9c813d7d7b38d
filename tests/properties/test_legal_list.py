"""The list of legal actions is the set of accepted ones, against every action that a small hand can express (R13.5)."""

from collections.abc import Iterator
from itertools import permutations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.actions import (
    CATCH,
    CHALLENGE,
    CHOOSE_COLOR,
    DRAW,
    KEEP_DRAWN,
    KEEP_OFFERED,
    LET_PASS,
    REFUSE_OFFERED,
    Action,
    Play,
)
from referee.rules.cards import COLORS, Card, Symbol
from referee.rules.decide import decide
from referee.rules.evolve import evolve
from referee.rules.legality import can, legal_actions
from referee.rules.seats import SEATS
from referee.rules.state import Phase, State, position
from tests.rules.positions import cards

# Two colors with every kind of card are enough to be right or wrong in every way.
FACES = cards("R0 R1 RS RR RD G1 GS GR GD WW WF")
OTHERS: tuple[Action, ...] = (
    KEEP_OFFERED, REFUSE_OFFERED, *CHOOSE_COLOR, DRAW, KEEP_DRAWN, CHALLENGE, CATCH, LET_PASS,
)  # fmt: skip

hands = st.lists(st.sampled_from(FACES), min_size=1, max_size=4)
# One play after the other leads to every phase of a turn, and every one of them is compared.
courses = st.lists(st.integers(0, 1000), max_size=4)


@st.composite
def positions(draw: st.DrawFn) -> State:
    """Returns a position in a turn, with a free color if the top card allows one."""
    top = draw(st.sampled_from(FACES))
    color = top.color or draw(st.sampled_from(COLORS))
    free = color if top.symbol is Symbol.REVERSE and draw(st.booleans()) else None
    pile = draw(st.lists(st.sampled_from(FACES), max_size=6))
    return position(hands=(draw(hands), draw(hands)), discard=[top], draw=pile, color=color, free_color=free)


def expressible(hand: list[Card]) -> Iterator[Action]:
    """Yields every action whose cards are those of the hand and at most one more, in any number and order."""
    yield from OTHERS
    yield Play(())
    pool = [*hand, *({*FACES} - {*hand})][: len(hand) + 1]
    rows = {row for size in range(1, len(pool) + 1) for row in permutations(pool, size)}
    for row, color, uno in product(rows, (None, *COLORS), (False, True)):
        yield Play(row, color, uno)


def effect(state: State, action: Action) -> object:
    """Returns what actions with the same effect have in common: all but needless calls and the order of a dump."""
    if not isinstance(action, Play):
        return action.__class__, getattr(action, "color", None)
    left = len(state.hands[state.actor]) - len(action.cards)
    return tuple(sorted(action.cards)), action.cards[-1], action.color, action.uno and left == 1


def compare(state: State) -> None:
    """Compares the list with every action that can be expressed."""
    listed = [effect(state, action) for action in legal_actions(state)]
    assert len(set(listed)) == len(listed)
    accepted = {
        effect(state, action) for action in expressible(state.hands[state.actor]) if can(state, state.actor, action)
    }
    assert accepted == set(listed)
    rival = state.actor.other
    assert not any(can(state, rival, action) for action in expressible(state.hands[rival][:2]))


@settings(max_examples=250, deadline=None)
@given(positions(), courses)
def test_legal_list_is_the_set_of_accepted_actions(state: State, course: list[int]) -> None:
    compare(state)
    for choice in course:
        legal = legal_actions(state)
        for event in decide(state, state.actor, legal[choice % len(legal)]):
            evolve(state, event)
        if state.round != 1 or state.phase is Phase.MATCH_OVER or max(len(state.hands[seat]) for seat in SEATS) > 5:
            break
        compare(state)
