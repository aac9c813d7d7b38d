import os
import subprocess
import sys

from referee.rules.errors import CLAUSE, Reason
from tests.checker.decisions import KNOWN_KINDS
from tests.checker.soak import soak

# `python -m tests.checker.soak` judges 5,000,000.
ACTIONS = int(os.environ.get("ACTIONS", "200000"))


def test_engine_and_checker_agree_on_every_action_of_random_matches() -> None:
    tally = soak(ACTIONS)
    assert tally.actions >= ACTIONS
    kinds = {f"taken {kind}" for known in KNOWN_KINDS.values() for kind in known}
    # What was never taken or refused was not put to the test.
    assert set(tally.kinds) == kinds | {f"refused {reason.value}" for reason in Reason}
    assert set(CLAUSE) == set(Reason)


def test_checker_knows_nothing_of_the_engine() -> None:
    program = "import sys, tests.checker.judge; print([name for name in sys.modules if name.startswith('referee')])"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert printed.stdout.strip() == "[]"
