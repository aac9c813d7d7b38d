"""How fast a session is read."""

from typing import Final

_BURST_MS: Final = 100


class Pace:
    """Says how long to wait so that no more than `items_per_s` are read in the long run, a tenth of a second ahead."""

    def __init__(self, items_per_s: int) -> None:
        self._ms_an_item = 1_000 / items_per_s
        self._paid_until_ms = 0.0

    def wait_s(self, items: int, now_ms: int) -> float:
        """Returns for how many seconds to pause behind items that were read at that time."""
        self._paid_until_ms = max(self._paid_until_ms, now_ms) + items * self._ms_an_item
        return max(0.0, self._paid_until_ms - now_ms - _BURST_MS) / 1_000
