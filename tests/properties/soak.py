"""Plays random rounds with every invariant checked at every step: `python -m tests.properties.soak ROUNDS [SEED]`."""

import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from referee.rules.events import (
    CardsDrawn,
    CardsPlayed,
    Challenged,
    Fact,
    MatchEnded,
    RoundEnded,
    TurnStarted,
    UnoWindowClosed,
)
from referee.rules.state import Phase
from tests.properties.invariants import Watcher, probe
from tests.properties.worlds import apply, first_step, next_step, random_match

# One state in so many is probed with actions beyond those of the bots.
_PROBED = 12


@dataclass
class Tally:
    """Counts what was checked."""

    matches: int = 0
    rounds: int = 0
    states: int = 0
    probes: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


def soak(rounds: int, first_seed: int = 0, progress: Callable[[Tally], None] | None = None) -> Tally:
    """Plays random matches until so many rounds are over; raises AssertionError at the first broken invariant."""
    tally = Tally()
    while tally.rounds < rounds:
        seed = first_seed + tally.matches
        try:
            _soak_match(seed, tally)
        except Exception as error:
            error.add_note(f"match with seed {seed}, state {tally.states} of the run")
            raise
        tally.matches += 1
        if progress:
            progress(tally)
    return tally


def _soak_match(seed: int, tally: Tally) -> None:
    match = random_match(seed)
    watcher = Watcher(match)
    step = first_step(match)
    while True:
        watcher.before(*step)
        apply(match, step)
        watcher.after()
        tally.states += 1
        tally.kinds.update(_kind(event.fact) for event in step[2])
        if match.state.phase is Phase.MATCH_OVER:
            break
        if tally.states % _PROBED == 0:
            tally.probes += probe(match.state, match.random)
        step = next_step(match)
    tally.rounds += match.state.round


def _kind(fact: Fact) -> str:
    """Returns the name of a fact, with the part of it that shows which clause it comes from."""
    name = type(fact).__name__
    match fact:
        case CardsDrawn(_, count, due, reason):
            return f"{name} {reason.name} {'whole' if count == due else 'short'}"
        case RoundEnded(_, reason):
            return f"{name} {reason.name}"
        case MatchEnded(outcome):
            return f"{name} {outcome.termination.name} {'draw' if outcome.winner is None else 'won'}"
        case Challenged(_, guilty):
            return f"{name} {guilty}"
        case UnoWindowClosed(_, caught):
            return f"{name} {caught}"
        case TurnStarted(_, _, free_color):
            return f"{name} {'free' if free_color else 'plain'}"
        case CardsPlayed(_, cards):
            return f"{name} {'dump' if len(cards) > 1 else 'single'}"
    return name


def main(arguments: list[str]) -> int:
    """Runs the soak and prints its progress and its speed."""
    rounds = int(arguments[0]) if arguments else 500
    first_seed = int(arguments[1]) if len(arguments) > 1 else 0
    start = time.perf_counter()
    printed = start

    def show(tally: Tally) -> None:
        nonlocal printed
        now = time.perf_counter()
        if now - printed >= 2:
            printed = now
            print(f"{tally.rounds} of {rounds} rounds, {tally.states} states", flush=True)

    tally = soak(rounds, first_seed, show)
    seconds = time.perf_counter() - start
    for kind, count in sorted(tally.kinds.items()):
        print(f"{count:9} {kind}")
    print(
        f"{tally.matches} matches, {tally.rounds} rounds, {tally.states} states and {tally.probes} probed actions "
        f"in {seconds:.1f} s ({tally.states / seconds:.0f} states/s): every invariant held"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
