"""A bot that remembers every card it ever held, and uses that against whoever holds it when the deal comes again.

`memory_bot.py --address ... --assigned` over gRPC, `tests.arena.memory_bot:remembering` in process.
"""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from unoduo.v1.observation_pb2 import Phase, View
from unoduo_client import Action, Observation, cards, run
from unoduo_client.baselines.greedy_bot import greedy_bot

MET_AGAIN = "met a deal again"
_ALIKE = 5


@dataclass(frozen=True, slots=True)
class Round:
    """Holds what was seen of a round when its first card lay there, and the hand, as colors."""

    seat: int
    number: int
    top: int
    tail: tuple[int, ...]
    hand: Counter[int]

    def is_mirrored_by(self, other: "Round") -> bool:
        """Returns whether both are of one deal, told from the other seat: who refuses what differs, but not all."""
        if (self.number, self.top) != (other.number, other.top) or self.seat == other.seat:
            return False
        return sum(one == another for one, another in zip(self.tail, other.tail, strict=False)) >= _ALIKE


# Whatever a process learns, it can keep.
_ROUNDS: list[Round] = []


def remembering(_seed: bytes | None) -> Callable[[Observation], Action]:
    """Returns the bot."""
    return decide


def decide(observation: Observation) -> Action:
    """Plays as greedy does, but colors that the opponent lacks as far as it is remembered to have been dealt others."""
    view = observation.view
    plays = [action for action in observation.decision.legal if action.HasField("play")]
    if view.phase == Phase.PHASE_DRAFT or not plays:
        return greedy_bot(observation)
    now = _round(view)
    if view.turns < 3:
        _ROUNDS.append(now)
    known = next((one for one in _ROUNDS if one.is_mirrored_by(now)), None)
    if known is None:
        return greedy_bot(observation)
    print(MET_AGAIN, file=sys.stderr, flush=True)
    return min(plays, key=lambda action: known.hand[action.play.color or cards.color(action.play.cards[-1])])


def _round(view: View) -> Round:
    hand = Counter[int](map(cards.color, view.hand))
    return Round(view.seat, view.round, view.discard_pile[0], tuple(view.known_tail), hand)


if __name__ == "__main__":
    run(decide, sys.argv[1:])
