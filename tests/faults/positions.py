"""Ways to every question that the rules ask of either seat, found by playing small rounds at random."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from referee.deal.keys import given_deal_id
from referee.deal.streams import SealedShuffler
from referee.rules.actions import Action
from referee.rules.decide import begin, decide
from referee.rules.evolve import evolve, initial_state
from referee.rules.legality import legal_actions
from referee.rules.ruleset import DUO
from referee.rules.seats import SEATS, Seat
from referee.rules.state import Phase

RULESET = replace(DUO, target=1, hand_size=3)
QUESTIONS = tuple((phase, seat) for phase in Phase if phase is not Phase.MATCH_OVER for seat in SEATS)
_ROUNDS = 100


@dataclass(frozen=True)
class Way:
    """Leads from the start of a match with this seed to a question: the actions, each of the seat that is asked."""

    seed: bytes
    actions: tuple[Action, ...]


def ways() -> Mapping[tuple[Phase, Seat], Way]:
    """Returns the shortest way that was found to each of `QUESTIONS`, the same ones each time."""
    found: dict[tuple[Phase, Seat], Way] = {}
    for number in range(_ROUNDS):
        for question, way in _round(number):
            if question not in found or len(way.actions) < len(found[question].actions):
                found[question] = way
    return found


def _round(number: int) -> list[tuple[tuple[Phase, Seat], Way]]:
    seed, dice = number.to_bytes(32, "big"), Random(number)
    state = initial_state(RULESET, SealedShuffler(seed, given_deal_id(seed), b"", b""))
    for event in begin(state):
        evolve(state, event)
    questions: list[tuple[tuple[Phase, Seat], Way]] = []
    taken: list[Action] = []
    while state.phase is not Phase.MATCH_OVER:
        questions.append(((state.phase, state.actor), Way(seed, tuple(taken))))
        action = dice.choice(legal_actions(state))
        taken.append(action)
        for event in decide(state, state.actor, action):
            evolve(state, event)
    return questions
