"""The whole reachable state space of a deck of six cards: no dead end, and every round can end (I7, I19, I20)."""

from collections import defaultdict
from dataclasses import replace
from itertools import permutations

import pytest

from referee.rules.decide import begin, decide
from referee.rules.events import RoundEnded
from referee.rules.evolve import evolve
from referee.rules.legality import legal_actions
from referee.rules.ruleset import Ruleset
from referee.rules.state import State, dealt
from tests.rules.given import snapshot
from tests.rules.positions import cards

RULES = Ruleset(hand_size=1, turn_cap=100_000, round_cap=1)
Key = tuple[object, ...]


def copied(state: State) -> State:
    # Turns are not counted, so that two ways to the same table are one state.
    hands = (list(state.hands[0]), list(state.hands[1]))
    return replace(state, draw=list(state.draw), discard=list(state.discard), hands=hands, turns=0, recycles=0)


def explore(deck: str) -> tuple[set[Key], dict[Key, set[Key]], set[Key]]:
    """Returns the states in which somebody decides, who leads to each, and those that an action ends the round from."""
    pending = []
    for order in sorted(set(permutations(cards(deck)))):
        state = dealt(order, RULES)
        for event in begin(state):
            evolve(state, event)
        pending.append(state)
    known = {snapshot(copied(state)) for state in pending}
    leading: dict[Key, set[Key]] = defaultdict(set)
    ending = set()
    while pending:
        state = pending.pop()
        key = snapshot(copied(state))
        actions = legal_actions(state)
        assert actions
        for action in actions:
            events = decide(state, state.actor, action)
            if any(isinstance(event.fact, RoundEnded) for event in events):
                ending.add(key)
                continue
            after = copied(state)
            for event in events:
                evolve(after, event)
            after.turns = 0
            reached = snapshot(copied(after))
            leading[reached].add(key)
            if reached not in known:
                known.add(reached)
                pending.append(after)
    return known, leading, ending


@pytest.mark.parametrize("deck", ["R1 RD RR G1 GD WF", "R1 R2 RR RR GS WW"])
def test_round_can_end_from_every_reachable_state(deck: str) -> None:
    known, leading, ending = explore(deck)
    reaching, pending = set(ending), list(ending)
    while pending:
        for key in leading[pending.pop()]:
            if key not in reaching:
                reaching.add(key)
                pending.append(key)
    assert len(known) > 1000
    assert reaching == known
