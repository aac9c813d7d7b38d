"""Renews the counts of the small worlds on purpose: `python -m tests.perft.make [DECK...]`."""

import sys
import time

from tests.perft.explore import Blind, explore
from tests.perft.records import keep_counts
from tests.perft.worlds import DECKS, OPTIONS, world


def main(arguments: list[str]) -> int:
    """Explores the worlds of the named decks, or of all, and writes what they hold."""
    unknown = [name for name in arguments if name not in DECKS]
    if unknown:
        print(f"no deck is called {unknown[0]}; there are {', '.join(DECKS)}", file=sys.stderr)
        return 2
    for deck_name in arguments or DECKS:
        counts = {}
        for option in OPTIONS:
            start = time.perf_counter()
            tally = explore(world(deck_name, option), Blind())
            counts[option] = tally.counts()
            seconds = time.perf_counter() - start
            print(f"{deck_name} {option}: {counts[option]['total']} in {seconds:.1f} s", flush=True)
        keep_counts(deck_name, counts)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
