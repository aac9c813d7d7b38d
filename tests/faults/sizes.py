"""How much a test of faults does: enough to notice a break in the suite, very much more in `make torture`."""

import os

TORTURE = os.environ.get("UNODUO_TORTURE") == "1"


def size(suite: int, torture: int) -> int:
    """Returns how often something is to be done: so often in the suite, so often with `UNODUO_TORTURE=1`."""
    return torture if TORTURE else suite
