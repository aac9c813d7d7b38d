"""The process of a referee under test: does what a plan says to it, then is the program `unoduo`.

Usage: `python -m tests.faults.launcher_program PLAN ARGUMENT...`, the plan being that of `crash_points` as JSON.
"""

import ctypes
import json
import signal
import sys

from referee.cli.main import main
from tests.faults.crash_lies import lie
from tests.faults.crash_points import Lie, Plan, Point, die_at

_PR_SET_PDEATHSIG = 1


def _carry_out(plan: Plan) -> None:
    if plan.point is not None:
        die_at(Point(plan.point), plan.passage)
    if plan.lie is not None:
        lie(Lie(plan.lie), plan.passage)


if __name__ == "__main__":
    # It must not outlive the tests, however they end.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    fields = json.loads(sys.argv[1])
    if fields is not None:
        _carry_out(Plan(**fields))
    sys.exit(main(sys.argv[2:]))
