"""Actions a second of verifying replays, beside the bare rules engine that plays as many.

The replays are matches of bots that choose evenly among all legal actions, as those that the engine plays.
"""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from itertools import cycle
from random import Random

from referee.audit.report import Status
from referee.audit.verify import verify
from tests.audit.simulated import random_match
from tests.benchmarks.engine import play_match
from tests.benchmarks.rates import Rate, interleaved

ENGINE = "referee.rules, bare"
VERIFY = "verify, file alone"
_MATCHES = 20


def verified_actions(*, slices: int, seconds: float) -> list[Rate]:
    """Measures `verify` of the files of twenty matches, one after the other, beside the engine."""
    contestants: dict[str, Callable[[], int]] = {ENGINE: partial(play_match, Random(1)), VERIFY: _auditor()}
    return interleaved(contestants, slices=slices, seconds=seconds)


def _auditor() -> Callable[[], int]:
    """Returns what verifies the next file and returns the number of actions in it."""
    files = cycle([random_match(seed).to_bytes() for seed in range(_MATCHES)])

    def audit() -> int:
        report = verify(BytesIO(next(files)))
        assert report.status is Status.OK, report
        return report.actions

    return audit
