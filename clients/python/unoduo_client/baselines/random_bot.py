"""A baseline that takes any legal action, each with the same probability."""

import hashlib
import secrets
from collections.abc import Callable

from unoduo.v1 import action_pb2, observation_pb2


def random_bot(seed: int | None = None) -> Callable[[observation_pb2.Observation], action_pb2.Action]:
    """Returns a bot that draws its choices from a seed, by default from one of its own.

    A choice depends on the seed, the seat and the decision alone: neither on what was asked before nor on Python's
    hash seed, so that the same match can be played again.
    """
    key = secrets.token_bytes(16) if seed is None else str(seed).encode()

    def decide(observation: observation_pb2.Observation) -> action_pb2.Action:
        """Returns a random legal action."""
        decision = observation.decision
        dice = hashlib.sha256(b"%s/%d/%d" % (key, observation.view.seat, decision.decision_id)).digest()
        return decision.legal[int.from_bytes(dice, "big") % len(decision.legal)]

    return decide
