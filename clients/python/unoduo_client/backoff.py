"""How long to wait before trying again."""

import random


class Backoff:
    """Tells how long to wait before each try: at random, up to a bound that doubles with every try.

    `first` is the bound of the first wait and `longest` that of all, in seconds. Chance keeps the clients of a referee
    that went away from coming back all at once.
    """

    def __init__(self, first: float = 0.1, longest: float = 5.0) -> None:
        self._first = first
        self._longest = longest
        self._bound = first

    def next_delay(self) -> float:
        """Returns the seconds to wait before the next try."""
        delay = random.uniform(0, self._bound)
        self._bound = min(2 * self._bound, self._longest)
        return delay

    def reset(self) -> None:
        """Begins anew: a try has succeeded."""
        self._bound = self._first
