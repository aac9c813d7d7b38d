"""`python -m unoduo_client NAME`: plays with a baseline, or over the bridge with another program."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from unoduo_client import bridge, program
from unoduo_client.baselines import BASELINES

if TYPE_CHECKING:
    from unoduo_client.play import Bot

_PROG = "python -m unoduo_client"
_BRIDGE = "bridge"


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Plays what the arguments name with the baseline or bridge that they name, and exits as `unoduo_client.run`."""
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == [_BRIDGE]:
        bridge.main(argv[1:], f"{_PROG} {_BRIDGE}")
    parser = program.Parser(
        "Plays one seat of a match of UNO Duo, or all matches assigned to a bot, with a baseline.\n"
        f"With a program that speaks lines of JSON: {_PROG} {_BRIDGE} --help",
        _PROG,
    )
    parser.add_argument("bot", choices=sorted(BASELINES), help="the baseline")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="seed of the random baseline; default: another each time, or the one that comes with an assigned match",
    )
    program.add_seat_arguments(parser)
    arguments = parser.parse_args(argv)

    def make_bot(seed: bytes | None) -> "Bot":
        if seed is None or arguments.seed is not None:
            return BASELINES[arguments.bot](arguments.seed)
        return BASELINES[arguments.bot](int.from_bytes(seed))

    program.play_and_exit(program.playing(make_bot), parser, arguments)


if __name__ == "__main__":
    main()
