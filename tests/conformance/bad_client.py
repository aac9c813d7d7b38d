"""`python -m tests.conformance.bad_client FLAW ...`: the greedy baseline with one flaw of its client, named first.

Each flaw is what an author of a client may easily do; `FLAWS` has them all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from unoduo_client import program

from tests.conformance import flawed_bots, flawed_seats, flawed_sessions
from tests.conformance.patching import Bot

_MODULES = (flawed_bots, flawed_seats, flawed_sessions)
_PASSING = ("MATCH_FROZEN", "INBOX_FULL", "DRAINING")

FLAWS: dict[str, Callable[[], Bot]] = {
    name: value
    for module in _MODULES
    for name, value in vars(module).items()
    if getattr(value, "__module__", "") == module.__name__ and value is not flawed_seats.gives_up_on
} | {f"gives_up_on_{reason}": flawed_seats.gives_up_on(reason) for reason in _PASSING}

if __name__ == "__main__":
    program.run(FLAWS[sys.argv.pop(1)]())
