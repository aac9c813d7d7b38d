"""`python -m unoduo_client NAME`: plays one seat with a baseline."""

import argparse
from collections.abc import Sequence
from typing import NoReturn

from unoduo_client import program
from unoduo_client.baselines import BASELINES


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Plays the seat that the arguments name with the baseline that they name, and exits as `unoduo_client.run`."""
    parser = argparse.ArgumentParser(
        prog="python -m unoduo_client",
        description="Plays one seat of a match of UNO Duo with a baseline.",
        epilog=program.EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("bot", choices=sorted(BASELINES), help="the baseline")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the random baseline; default: another each time")
    program.add_seat_arguments(parser)
    arguments = parser.parse_args(argv)
    program.play_and_exit(BASELINES[arguments.bot](arguments.seed), parser, arguments)


if __name__ == "__main__":
    main()
