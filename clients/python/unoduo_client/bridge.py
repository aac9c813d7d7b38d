"""`python -m unoduo_client bridge -- COMMAND`: lets a program play that knows nothing but lines of JSON.

What is said on which line is described in clients/README.md, "The bridge". Nothing here imports gRPC before it is
needed, as in `unoduo_client.program`.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import signal
import sys
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from unoduo_client import program

if TYPE_CHECKING:
    from unoduo.v1.session_pb2 import Ended

    from unoduo_client.seat import SeatSession

DESCRIPTION = "Lets a program play that reads an observation and writes an action, each a line of JSON."

TERMINATED = 143
"""The exit code after SIGTERM or SIGHUP."""


def main(argv: Sequence[str], prog: str) -> NoReturn:
    """Plays what the arguments name with the program that they name, and exits as `unoduo_client.run`."""
    parser = program.Parser(DESCRIPTION, prog)
    add_arguments(parser)
    arguments = parser.parse_args(argv)
    program.play_and_exit(player(parser, arguments), parser, arguments, run)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the bridge, for `player`."""
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="behind --: the program and its arguments")
    program.add_seat_arguments(parser)


def player(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> program.Player:
    """Returns what plays each seat with a process of its own; an error of the parser if there is no such program."""
    command: list[str] = arguments.command
    if shutil.which(command[0]) is None:
        parser.error(f"there is no program {command[0]!r}")

    async def play(seat: SeatSession, seed: bytes | None) -> Ended:
        from unoduo_client.bridge_seat import play_bridged

        return await play_bridged(seat, command, seed)

    return play


def run(work: Coroutine[Any, Any, None]) -> None:
    """Does work that SIGTERM and SIGHUP cancel, as SIGINT does, so that no process is left; then it exits with 143."""
    if asyncio.run(_is_terminated(work)):
        sys.exit(TERMINATED)


async def _is_terminated(work: Coroutine[Any, Any, None]) -> bool:
    loop, task, received = asyncio.get_running_loop(), asyncio.current_task(), asyncio.Event()
    assert task is not None

    def stop() -> None:
        received.set()
        task.cancel()

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, stop)
    try:
        await work
    except asyncio.CancelledError:
        if not received.is_set():
            raise
    return received.is_set()
