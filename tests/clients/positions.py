"""Real observations for bots, from matches that the rules play."""

import random
from collections.abc import Callable, Iterator

from unoduo.v1 import observation_pb2
from unoduo_client import Action, Observation

from referee.codec.actions import decode_action
from referee.codec.observations import encode_decision, encode_observation, encode_view
from referee.deal.streams import SealedShuffler
from referee.rules.decide import begin, decide
from referee.rules.evolve import evolve, initial_state
from referee.rules.legality import legal_actions
from referee.rules.observe import view
from referee.rules.ruleset import DUO, Ruleset
from referee.rules.state import Phase, State

Decide = Callable[[Observation], Action]


def observation_of(state: State, sequence: int) -> observation_pb2.Observation:
    """Returns what the seat that decides is told."""
    decision = encode_decision(sequence, state.phase, 1000, 3, legal_actions(state))
    data = encode_observation(b"", sequence, bytes(32), True, encode_view(view(state, state.actor)), decision)
    return observation_pb2.Observation.FromString(data)


def play(bots: tuple[Decide, Decide], seed: int, ruleset: Ruleset = DUO) -> Iterator[State]:
    """Plays a match, yields the state before each decision, and fails on an action that is not legal."""
    state = initial_state(ruleset, SealedShuffler(random.Random(seed).randbytes(32), bytes(16), b"", b""))
    sequence = 0
    for event in begin(state):
        evolve(state, event)
        sequence += 1
    while state.phase is not Phase.MATCH_OVER:
        yield state
        observation = observation_of(state, sequence)
        before = observation.SerializeToString(deterministic=True)
        action = bots[state.actor](observation)
        assert action in observation.decision.legal
        assert observation.SerializeToString(deterministic=True) == before, "the bot changed what it was given"
        for event in decide(state, state.actor, decode_action(action)):
            evolve(state, event)
            sequence += 1
    yield state
