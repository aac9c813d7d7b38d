"""The main program of a bot: what its arguments say, and how it exits.

Nothing here imports gRPC before `run` has told its core to keep quiet: it would write lines of its own to stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from unoduo.v1.session_pb2 import Ended

    from unoduo_client.channel import Security
    from unoduo_client.play import Bot
    from unoduo_client.seat import SeatSession

BotMaker = Callable[[bytes | None], "Bot"]
"""Makes the bot of a match; it is given the seed of an assigned match, None for a match that the arguments name."""

Player = Callable[["SeatSession", bytes | None], Awaitable["Ended"]]
"""Plays a seat that was joined, to the end of its match; it is given the same seed."""

Runner = Callable[[Coroutine[Any, Any, None]], None]
"""Does what a program has to do, as `asyncio.run`."""

SEAT_VARIABLE = "UNODUO_SEAT_TOKEN"
BOT_VARIABLE = "UNODUO_BOT_TOKEN"

_LONGEST_S = 999_999_999

FINISHED, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130

EPILOG = f"""\
A token is best given in a file or in the environment, that of a seat as {SEAT_VARIABLE}, that of a bot
(for --assigned) as {BOT_VARIABLE}: arguments can be read in process lists.

exit codes: 0 the match has ended, 1 it could not be played to its end, 2 wrong usage, 130 interrupted
"""


class Failure(Exception):
    """Tells in a line why something was not played to its end."""


class Parser(argparse.ArgumentParser):
    """Parses the arguments of a bot's program; a mistake is told in one line instead of a page of usage."""

    def __init__(self, description: str, prog: str | None = None) -> None:
        super().__init__(
            prog, description=description, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
        )

    def error(self, message: str) -> NoReturn:
        """Tells what is wrong, and exits."""
        _leave(self, f"{message} (see {self.prog} --help)", USAGE)


def run(bot: Bot, argv: Sequence[str] | None = None) -> NoReturn:
    """Plays with a bot what the program's arguments say, prints the results and exits.

    `argv` is by default that of the process. Exits with 0 when the match has ended, 1 when it could not be played to
    its end (one line on stderr says why), 2 for wrong usage (likewise), 130 when it was interrupted. An exception of
    the bot itself is not caught. With `--assigned` it plays all matches of a bot until it is interrupted; one that
    fails costs a line and no other match.
    """
    run_each(lambda seed: bot, argv)


def run_each(make_bot: BotMaker, argv: Sequence[str] | None = None) -> NoReturn:
    """Plays and exits as `run`, with a bot of its own for each match.

    `make_bot` is given a seed for the bot's dice, 32 bytes; None for a match that the arguments name.
    """
    parser = Parser("Plays one seat of a match of UNO Duo, or all matches assigned to a bot.")
    add_seat_arguments(parser)
    play_and_exit(playing(make_bot), parser, parser.parse_args(argv))


def add_seat_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that say what to play and where."""
    parser.add_argument("--address", required=True, metavar="HOST:PORT", help="where the referee listens")
    parser.add_argument("--match", type=_match_id, metavar="ID", help="the match, 32 hex digits")
    parser.add_argument("--seat", choices=("A", "B"), help="the seat")
    parser.add_argument(
        "--assigned", action="store_true", help="play every match that is assigned to the bot whose token this is"
    )
    parser.add_argument("--token", metavar="TOKEN", help="the token; better in a file or the environment")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="a file that holds the token")
    add_security_arguments(parser)
    parser.add_argument(
        "--patience",
        type=_seconds,
        metavar="SECONDS",
        help="how long to try to reach a referee that is not there, also at the beginning (default: not at the"
        " beginning, 60 seconds later); 0: never again",
    )
    journal = parser.add_mutually_exclusive_group()
    journal.add_argument(
        "--journal",
        type=Path,
        metavar="FILE",
        help="keep what the seat sees and says in this new file; with --assigned, in files of this directory (default:"
        " a new file for each match in unoduo/journals of XDG_STATE_HOME, that is ~/.local/state)",
    )
    journal.add_argument("--no-journal", action="store_true", help="keep no journal, hence no evidence")
    parser.add_argument(
        "--secret-file",
        type=Path,
        metavar="FILE",
        help="the secret behind this bot's part in the deal, made if it is not there; keeps it over a restart",
    )


def add_security_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that say whether TLS is spoken, for `security_of`."""
    security = parser.add_mutually_exclusive_group()
    security.add_argument(
        "--tls-ca",
        type=Path,
        metavar="FILE",
        help="speak TLS and trust the certificates of this PEM file; without it plaintext is spoken on this machine,"
        " and to any other TLS with the certificates that the system trusts",
    )
    security.add_argument("--insecure", action="store_true", help="speak plaintext to any machine")


def security_of(arguments: argparse.Namespace) -> Security:
    """Returns whether TLS is to be spoken, and whom to trust."""
    from unoduo_client.channel import TLS

    if arguments.insecure:
        return False
    return None if arguments.tls_ca is None else TLS(arguments.tls_ca)


def playing(make_bot: BotMaker) -> Player:
    """Returns what plays each seat with a bot of its own."""

    async def play(seat: SeatSession, seed: bytes | None) -> Ended:
        from unoduo_client.play import play_seat

        return await play_seat(seat, make_bot(seed))

    return play


def play_and_exit(
    play: Player, parser: argparse.ArgumentParser, arguments: argparse.Namespace, runner: Runner = asyncio.run
) -> NoReturn:
    """Plays what parsed arguments say and exits as `run` does."""
    try:
        play_to_the_end(play, parser, arguments, parser.prog, runner)
    except Failure as failure:
        _leave(parser, str(failure), FAILED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    sys.exit(FINISHED)


def play_to_the_end(
    play: Player,
    parser: argparse.ArgumentParser,
    arguments: argparse.Namespace,
    program: str,
    runner: Runner = asyncio.run,
) -> None:
    """Plays what parsed arguments say; `program` begins the lines that are told meanwhile.

    Ends in an error of the parser if the arguments do not fit each other. Raises Failure, and what a bot raises.
    """
    _check(parser, arguments)
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # Only now: these import gRPC, whose core reads its variable then.
    from unoduo_client.errors import ClientError
    from unoduo_client.performance import perform

    try:
        runner(perform(play, program, arguments))
    except ClientError as error:
        raise Failure(str(error)) from error
    except OSError as error:
        why = f"{error.filename}: {error.strerror.lower()}" if error.filename and error.strerror else str(error)
        raise Failure(why) from error


def _check(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    named = arguments.match is not None, arguments.seat is not None
    if named != (not arguments.assigned,) * 2:
        parser.error("give either --match and --seat or --assigned")
    variable = BOT_VARIABLE if arguments.assigned else SEAT_VARIABLE
    arguments.token = os.environ.get(variable) or arguments.token
    if not arguments.token and arguments.token_file is None:
        parser.error(f"no token: set {variable} or give --token-file or --token")
    if arguments.token and not (arguments.token.isascii() and arguments.token.isprintable()):
        parser.error("the token has characters that no token has")


def _match_id(text: str) -> bytes:
    try:
        match_id = bytes.fromhex(text)
    except ValueError:
        match_id = b""
    if len(match_id) != 16:
        raise argparse.ArgumentTypeError("a match id has 32 hex digits")
    return match_id


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= _LONGEST_S:
        raise argparse.ArgumentTypeError(f"SECONDS is a number from 0 to {_LONGEST_S}, not {text!r}")
    return seconds


def _leave(parser: argparse.ArgumentParser, message: str, code: int) -> NoReturn:
    print(f"{parser.prog}: {message}", file=sys.stderr, flush=True)
    sys.exit(code)
