"""Bots to play against, by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from unoduo.v1.action_pb2 import Action
from unoduo.v1.observation_pb2 import Observation

from unoduo_client.baselines.careful_bot import careful_bot
from unoduo_client.baselines.greedy_bot import greedy_bot
from unoduo_client.baselines.random_bot import random_bot

BASELINES: Mapping[str, Callable[[int | None], Callable[[Observation], Action]]] = MappingProxyType(
    {"random": random_bot, "greedy": lambda seed: greedy_bot, "careful": lambda seed: careful_bot}
)
"""The factory of each baseline: takes a seed, None for one of its own, and returns the bot."""
