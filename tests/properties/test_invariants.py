import os

import pytest

from referee.rules.decide import begin, decide
from referee.rules.events import CardsDrawn, DrawReason, RoundEnded, RoundEndReason
from referee.rules.evolve import evolve, initial_state
from referee.rules.legality import default_action
from referee.rules.ruleset import DUO
from referee.rules.state import Phase
from tests.properties.soak import soak
from tests.properties.worlds import SeededShuffler

ROUNDS = int(os.environ.get("ROUNDS", "500"))

# What rarely happens must have happened, else the invariants were not put to the test.
RARE = {
    "CardsDrawn CHALLENGE_LOST short",
    "CardsDrawn CHALLENGE_WON whole",
    "CardsDrawn DRAW_TWO short",
    "CardsDrawn FINAL whole",
    "CardsDrawn OPENING whole",
    "CardsDrawn TURN short",
    "CardsDrawn UNO whole",
    "CardsDrawn WILD_DRAW_FOUR whole",
    "CardsPlayed dump",
    "Challenged False",
    "Challenged True",
    "ColorChosen",
    "MatchEnded ROUND_CAP won",
    "MatchEnded TARGET won",
    "Recycled",
    "RoundEnded BLOCKED",
    "RoundEnded OUT",
    "RoundEnded TURN_CAP",
    "TurnStarted free",
    "UnoWindowClosed False",
    "UnoWindowClosed True",
}


@pytest.mark.parametrize("rounds", [100, pytest.param(ROUNDS, marks=pytest.mark.slow)])
def test_invariants_hold_at_every_step_of_random_rounds(rounds: int) -> None:
    tally = soak(rounds)
    assert tally.rounds >= rounds
    assert tally.probes > tally.states
    assert tally.actions > tally.states
    assert set(tally.kinds) >= RARE or rounds < 500, RARE - set(tally.kinds)


def test_seats_that_never_answer_end_every_round_blocked() -> None:
    state = initial_state(DUO, SeededShuffler(7))
    for event in begin(state):
        evolve(state, event)
    draws, end = 0, None
    while end is None:
        for event in decide(state, state.actor, default_action(state)):
            evolve(state, event)
            if isinstance(event.fact, CardsDrawn) and event.fact.reason is DrawReason.TURN:
                draws += 1
            if isinstance(event.fact, RoundEnded):
                end = event.fact
    # 97 cards under the starter, then two empty draws (RULES.md R10.7).
    assert (end.reason, end.winner, draws) == (RoundEndReason.BLOCKED, None, 99)
    assert state.phase is Phase.MATCH_OVER
