"""Runs the benchmarks and prints their tables: `python -m tests.benchmarks [PART...]`."""

import argparse
import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial

os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from tests.benchmarks.auditing import ENGINE, verified_actions
from tests.benchmarks.crowd import play_crowd
from tests.benchmarks.engine import Playout, openspiel_crazy_eights, play_match, rlcard_run, rlcard_step
from tests.benchmarks.rates import interleaved, table
from tests.benchmarks.tournaments import BOT, FULL, TARGET, played_matches
from tests.benchmarks.wire import BARE, served_moves

# A match takes about as long as a slice of the others.
_TOURNAMENT_SECONDS = 10
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


def _audit(slices: int, seconds: float) -> None:
    print(table("Verified replays", "actions/s", verified_actions(slices=slices, seconds=seconds), ENGINE))


def _wire(slices: int, seconds: float) -> None:
    served = served_moves(slices=slices, seconds=seconds)
    print(table("Served moves", "moves/s", served.rates, BARE))
    bare_us = served.server_cpu_us[BARE]
    print(f"Processor time (microseconds a move: server, load; ratio of the server to {BARE})")
    for name, server_us in served.server_cpu_us.items():
        print(f"  {name:<62} {server_us:>12,.1f} {served.load_cpu_us[name]:>12,.1f} {server_us / bare_us:>21.2f}")
    for name, (profile, moves) in served.profiles.items():
        print(profile.table(f"Where the processor time of the server goes: {name}", moves))


def _crowd(_slices: int, _seconds: float) -> None:
    print(play_crowd().text())


def _tournament(slices: int, seconds: float) -> None:
    played = played_matches(slices=(slices + 1) // 2, seconds=_TOURNAMENT_SECONDS * seconds)
    print(table(f"Tournament of two {BOT}, matches to {TARGET}", "matches/h", played.rates, FULL))
    print(f"  {played.actions:,.0f} actions a match, up to {played.at_once} matches at once")
    print("Processor time (milliseconds a match of all processes together)")
    for name, cpu_ms in played.cpu_ms.items():
        print(f"  {name:<62} {cpu_ms:>12,.1f}")


_PARTS = {"engine": _engine, "audit": _audit, "wire": _wire, "crowd": _crowd, "tournament": _tournament}


def main() -> None:
    """Reads the arguments and runs what they name."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measures the referee.")
    parser.add_argument(
        "parts", nargs="*", choices=[[], *_PARTS], metavar="PART", help=f"{', '.join(_PARTS)}; default all"
    )
    parser.add_argument("--slices", type=int, default=7, help="slices a contestant (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds a slice (default: %(default)s)")
    arguments = parser.parse_args()
    parts = arguments.parts or [*_PARTS]
    if len(parts) == 1:
        _PARTS[parts[0]](arguments.slices, arguments.seconds)
        return
    sizes = ["--slices", str(arguments.slices), "--seconds", str(arguments.seconds)]
    for part in parts:
        # Each in a process of its own: grpc.aio does not bear a second event loop well.
        if code := subprocess.run([sys.executable, "-m", "tests.benchmarks", part, *sizes]).returncode:
            sys.exit(code)


if __name__ == "__main__":
    main()
