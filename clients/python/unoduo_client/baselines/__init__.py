"""Bots to play against, by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from unoduo_client.baselines.greedy_bot import greedy_bot
from unoduo_client.baselines.random_bot import random_bot
from unoduo_client.play import Bot

BASELINES: Mapping[str, Callable[[int | None], Bot]] = MappingProxyType(
    {"random": random_bot, "greedy": lambda seed: greedy_bot}
)
"""The factory of each baseline: takes a seed, None for one of its own, and returns the bot."""
