"""Runs the benchmarks and prints their tables: `python -m tests.benchmarks [engine] [wire]`."""

import argparse
import random
from collections.abc import Callable
from functools import partial

from tests.benchmarks.engine import Playout, openspiel_crazy_eights, play_match, rlcard_run, rlcard_step
from tests.benchmarks.rates import interleaved, table

_RIVALS: dict[str, Callable[[], Playout]] = {
    "RLCard uno, game.step": rlcard_step,
    "RLCard uno, env.run": rlcard_run,
    "OpenSpiel crazy_eights from Python": openspiel_crazy_eights,
}


def _engine(slices: int, seconds: float) -> None:
    dice = random.Random(1)
    playouts: dict[str, Playout] = {"referee.rules": play_match}
    for name, make in _RIVALS.items():
        try:
            playouts[name] = make()
        except ImportError:
            print(f"  {name}: not installed here, left out (pip install -e .[bench])")
    contestants = {name: partial(playout, dice) for name, playout in playouts.items()}
    baseline = "RLCard uno, game.step" if "RLCard uno, game.step" in contestants else "referee.rules"
    print(
        table(
            "Engine, random legal play", "actions/s", interleaved(contestants, slices=slices, seconds=seconds), baseline
        )
    )


def main() -> None:
    """Reads the arguments and runs what they name."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measures the referee.")
    parser.add_argument("parts", nargs="*", metavar="PART", default=["engine"], help="engine")
    parser.add_argument("--slices", type=int, default=7, help="slices a contestant (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds a slice (default: %(default)s)")
    arguments = parser.parse_args()
    if "engine" in arguments.parts:
        _engine(arguments.slices, arguments.seconds)


if __name__ == "__main__":
    main()
