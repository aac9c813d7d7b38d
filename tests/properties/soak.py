"""Plays random rounds through all invariants and the checker: `python -m tests.properties.soak ROUNDS [SEED]`."""

import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

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
from referee.rules.legality import can
from referee.rules.state import Phase, State
from tests.checker.judge import Judge
from tests.checker.matches import refused, taken, tried
from tests.checker.notation import action_in_words, options_in_words
from tests.properties.invariants import Watcher, probe
from tests.properties.worlds import apply, first_step, next_step, random_match

# One state in so many is probed with actions beyond those of the bots.
_PROBED = 12
# And with so many that the checker judges.
_TRIES = 6


@dataclass
class Tally:
    """Counts what was checked."""

    matches: int = 0
    rounds: int = 0
    states: int = 0
    # Taken or refused, and judged by the checker too.
    actions: int = 0
    probes: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


def soak(rounds: int, first_seed: int = 0, progress: Callable[[Tally], None] | None = None) -> Tally:
    """Plays random matches until so many rounds are over; raises AssertionError where something does not hold."""
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
    watcher = Watcher(match.state, match.shuffler)
    judge = Judge(options_in_words(match.state.ruleset), match.shuffler.size)
    # Of its own, so that tries change nothing in the course of the match.
    dice = Random(seed)
    step = first_step(match)
    while True:
        watcher.before(*step)
        apply(match, step)
        watcher.after()
        judge.step(taken(match.state, *step))
        tally.states += 1
        tally.actions += step[1] is not None
        tally.kinds.update(_kind(event.fact) for event in step[2])
        if match.state.phase is Phase.MATCH_OVER:
            break
        if tally.states % _PROBED == 0:
            tally.probes += probe(match.state, match.random)
            tally.actions += _try(judge, match.state, dice)
        step = next_step(match)
    tally.rounds += match.state.round


def _try(judge: Judge, state: State, dice: Random) -> int:
    """Lets the checker judge some actions without taking them; returns how many."""
    for _ in range(_TRIES):
        seat, action = dice.choice((state.actor, state.actor, state.actor.other)), tried(state, dice)
        if can(state, seat, action):
            assert judge.refusal(seat.name, action_in_words(action)) is None, action
        else:
            judge.step(refused(state, seat, action))
    return _TRIES


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
            speed = tally.states / (now - start)
            print(f"{tally.rounds} of {rounds} rounds, {tally.states} states, {speed:.0f} states/s", flush=True)

    tally = soak(rounds, first_seed, show)
    seconds = time.perf_counter() - start
    for kind, count in sorted(tally.kinds.items()):
        print(f"{count:9} {kind}")
    print(
        f"{tally.matches} matches, {tally.rounds} rounds, {tally.states} states and {tally.probes} probed actions "
        f"({tally.states / seconds:.0f} states/s): every invariant held"
    )
    print(
        f"{tally.actions} actions taken or refused in {seconds:.1f} s ({tally.actions / seconds:.0f} actions/s): "
        "engine and checker agreed"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
