"""Plays random matches against the checker until so many actions are judged: `python -m tests.checker.soak ACTIONS`."""

import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.checker.judge import judge
from tests.checker.matches import history
from tests.checker.notation import options_in_words
from tests.properties.worlds import random_match


@dataclass
class Tally:
    """Counts what was judged; an action is one that was taken or refused."""

    matches: int = 0
    actions: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


def soak(actions: int, first_seed: int = 0, progress: Callable[[Tally], None] | None = None) -> Tally:
    """Plays until so many actions are judged; raises Disagreement at the first that they judge differently."""
    tally = Tally()
    while tally.actions < actions:
        seed = first_seed + tally.matches
        try:
            _soak_match(seed, tally)
        except Exception as error:
            error.add_note(f"match with seed {seed}")
            raise
        tally.matches += 1
        if progress:
            progress(tally)
    return tally


def _soak_match(seed: int, tally: Tally) -> None:
    match = random_match(seed)
    options = options_in_words(match.state.ruleset)
    steps = list(history(match, Random(seed)))
    judge(options, steps, match.shuffler.size)
    for step in steps:
        if step.refused:
            tally.kinds[f"refused {step.refused[0]}"] += 1
        elif step.action:
            tally.kinds[f"taken {step.action[0]}"] += 1
    # The begin of a match is no action.
    tally.actions += len(steps) - 1


def main(arguments: list[str]) -> int:
    """Runs the soak and prints its progress and its speed."""
    actions = int(arguments[0]) if arguments else 5_000_000
    first_seed = int(arguments[1]) if len(arguments) > 1 else 0
    start = printed = time.perf_counter()

    def show(tally: Tally) -> None:
        nonlocal printed
        now = time.perf_counter()
        if now - printed >= 5:
            printed = now
            print(f"{tally.actions} of {actions} actions, {tally.actions / (now - start):.0f} actions/s", flush=True)

    tally = soak(actions, first_seed, show)
    seconds = time.perf_counter() - start
    for kind, count in sorted(tally.kinds.items()):
        print(f"{count:9} {kind}")
    print(
        f"{tally.matches} matches and {tally.actions} actions in {seconds:.1f} s ({tally.actions / seconds:.0f} "
        f"actions/s): engine and checker agreed on every one"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
