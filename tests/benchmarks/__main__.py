"""Runs the benchmarks and prints their tables: `python -m tests.benchmarks [engine] [wire]`."""

import argparse
import os
import random
from collections.abc import Callable
from functools import partial

os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from tests.benchmarks.engine import Playout, openspiel_crazy_eights, play_match, rlcard_run, rlcard_step
from tests.benchmarks.rates import interleaved, table
from tests.benchmarks.wire import BARE, served_moves

_OWN = "referee.rules"
_STEP = "RLCard uno, game.step"
_RIVALS: dict[str, Callable[[], Playout]] = {
    _STEP: rlcard_step,
    "RLCard uno, env.run": rlcard_run,
    "OpenSpiel crazy_eights from Python": openspiel_crazy_eights,
}


def _engine(slices: int, seconds: float) -> None:
    playouts: dict[str, Playout] = {_OWN: play_match}
    for name, make in _RIVALS.items():
        try:
            playouts[name] = make()
        except ImportError:
            print(f"left out, not installed: {name}")
    dice = random.Random(1)
    contestants = {name: partial(playout, dice) for name, playout in playouts.items()}
    rates = interleaved(contestants, slices=slices, seconds=seconds)
    print(table("Engine, random legal play", "actions/s", rates, _STEP if _STEP in playouts else _OWN))


def _wire(slices: int, seconds: float) -> None:
    rates, cpu_us = served_moves(slices=slices, seconds=seconds)
    print(table("Served moves", "moves/s", rates, BARE))
    print(f"Processor time of the server (microseconds a move; ratio to {BARE})")
    for name, used_us in cpu_us.items():
        print(f"  {name:<44} {used_us:>12,.1f} {used_us / cpu_us[BARE]:>34.2f}")


_PARTS = {"engine": _engine, "wire": _wire}


def main() -> None:
    """Reads the arguments and runs what they name."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measures the referee.")
    parser.add_argument(
        "parts", nargs="*", choices=[[], *_PARTS], metavar="PART", help=f"{' or '.join(_PARTS)}; default all"
    )
    parser.add_argument("--slices", type=int, default=7, help="slices a contestant (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds a slice (default: %(default)s)")
    arguments = parser.parse_args()
    for part in arguments.parts or _PARTS:
        _PARTS[part](arguments.slices, arguments.seconds)


if __name__ == "__main__":
    main()
