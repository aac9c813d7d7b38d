"""`python -m unoduo_client bridge -- COMMAND`: lets a program play that knows nothing but lines of JSON.

What is said on which line is described in clients/README.md, "The bridge". Nothing here imports gRPC before it is
needed, as in `unoduo_client.program`.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from unoduo_client import program

if TYPE_CHECKING:
    from unoduo.v1.session_pb2 import Ended

    from unoduo_client.seat import SeatSession

DESCRIPTION = "Lets a program play that reads an observation and writes an action, each a line of JSON."

TERMINATED = 143
"""The exit code after SIGTERM or SIGHUP."""

_ENDING = (signal.SIGTERM, signal.SIGHUP)


def main(argv: Sequence[str], prog: str) -> NoReturn:
    """Plays what the arguments name with the program that they name, and exits as `unoduo_client.run`."""
    parser = program.Parser(DESCRIPTION, prog)
    add_arguments(parser)
    arguments = parser.parse_args(argv)
    program.play_and_exit(player(parser, arguments), parser, arguments)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the bridge, for `player`."""
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="behind --: the program and its arguments")
    program.add_seat_arguments(parser)


def player(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> program.Player:
    """Returns what plays each seat with a process of its own.

    Ends in an error of the parser if there is no such program. From here on SIGTERM and SIGHUP end this program through
    all that must clean up, so that no process is left behind.
    """
    command: list[str] = arguments.command
    if shutil.which(command[0]) is None:
        parser.error(f"there is no program {command[0]!r}")
    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)

    async def play(seat: SeatSession, seed: bytes | None) -> Ended:
        from unoduo_client.bridge_seat import play_bridged

        return await play_bridged(seat, command, seed)

    return play


def _leave(*_: object) -> NoReturn:
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)
    sys.exit(TERMINATED)
