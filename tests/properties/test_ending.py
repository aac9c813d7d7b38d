"""From every live state the round can end: at the latest when nobody plays any more (I20).

That it can also end by going out is shown for small worlds in `tests/perft`: there all ways are known.
"""

from dataclasses import replace
from random import Random

import pytest

from referee.rules.decide import decide
from referee.rules.events import RoundEnded, RoundEndReason
from referee.rules.evolve import evolve
from referee.rules.legality import default_action
from referee.rules.state import Phase, State
from tests.properties.worlds import apply, first_step, next_step, random_match


def assert_ends_blocked(state: State, most: int) -> None:
    """Checks on a copy of the state that so many default actions block the round."""
    hands = (list(state.hands[0]), list(state.hands[1]))
    ruleset = replace(state.ruleset, turn_cap=100_000)
    state = replace(state, draw=list(state.draw), discard=list(state.discard), hands=hands, ruleset=ruleset)
    for _ in range(most):
        for event in decide(state, state.actor, default_action(state)):
            if isinstance(event.fact, RoundEnded):
                assert event.fact.reason is RoundEndReason.BLOCKED
                return
            evolve(state, event)
    raise AssertionError(f"the round is not over after {most} actions")


@pytest.mark.parametrize("first_seed", [0, 500])
def test_round_ends_from_every_live_state_when_nobody_plays(first_seed: int) -> None:
    compared = 0
    for seed in range(first_seed, first_seed + 60):
        match, random = random_match(seed), Random(seed)
        apply(match, first_step(match))
        while match.state.phase is not Phase.MATCH_OVER:
            state = match.state
            if random.random() < 0.02:
                # A card is drawn and kept in two actions; then a color, a window, a pending draw, two empty draws.
                assert_ends_blocked(state, 2 * (len(state.draw) + len(state.discard)) + 5)
                compared += 1
            apply(match, next_step(match))
    assert compared > 100
