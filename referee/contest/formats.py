"""The formats by the names that they have in the file of a tournament."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from referee.contest.gauntlet import gauntlet
from referee.contest.pairing import Pairing
from referee.contest.round_robin import round_robin

Format = Callable[[int], tuple[Pairing, ...]]

FORMATS: Final[Mapping[str, Format]] = MappingProxyType({"round-robin": round_robin, "gauntlet": gauntlet})
