"""What the flaws of bad clients are made with."""

from __future__ import annotations

from collections.abc import Callable

from unoduo.v1 import action_pb2, observation_pb2
from unoduo_client.baselines.greedy_bot import greedy_bot

Bot = Callable[[observation_pb2.Observation], action_pb2.Action]
GREEDY: Bot = greedy_bot


def patch(owner: object, name: str, value: object) -> None:
    """Puts something flawed in the place of what is right."""
    setattr(owner, name, value)


def plays(change: Callable[[action_pb2.Action], None]) -> Bot:
    """Returns greedy, with each of its actions changed."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        action = action_pb2.Action()
        action.CopyFrom(GREEDY(observation))
        change(action)
        return action

    return bot
