"""The main program of a bot: arguments, one match, one line of result.

Nothing here imports gRPC before `run` has told its core to keep quiet: it would write lines of its own to stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from unoduo.v1 import session_pb2

    from unoduo_client.play import Bot
    from unoduo_client.seat import SeatSession

TOKEN_VARIABLE = "UNODUO_SEAT_TOKEN"

FINISHED, FAILED = 0, 1

_SECRET_BYTES = 32

EPILOG = f"""\
The seat token is best given in the environment variable {TOKEN_VARIABLE}: arguments can be read in process lists.

exit codes: 0 the match has ended, 1 it could not be played to its end, 2 wrong usage
"""


def run(bot: Bot, argv: Sequence[str] | None = None) -> NoReturn:
    """Plays one seat with a bot as the program's arguments say, prints the result and exits.

    `argv` is by default that of the process. Exits with 0 when the match has ended, 1 when it could not be played to
    its end (one line on stderr says why), 2 for wrong usage. An exception of the bot itself is not caught.
    """
    parser = argparse.ArgumentParser(
        description="Plays one seat of a match of UNO Duo.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_seat_arguments(parser)
    play_and_exit(bot, parser, parser.parse_args(argv))


def add_seat_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that say which seat to play."""
    parser.add_argument("--address", required=True, metavar="HOST:PORT", help="where the referee listens")
    parser.add_argument("--match", required=True, type=_match_id, metavar="ID", help="the match, 32 hex digits")
    parser.add_argument("--seat", required=True, choices=("A", "B"), help="the seat")
    parser.add_argument("--token", metavar="TOKEN", help=f"the seat's token; better in {TOKEN_VARIABLE}")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="a file that holds the token")
    security = parser.add_mutually_exclusive_group()
    security.add_argument(
        "--tls-ca",
        type=Path,
        metavar="FILE",
        help="speak TLS and trust the certificates of this PEM file; without it plaintext is spoken on this machine,"
        " and to any other TLS with the certificates that the system trusts",
    )
    security.add_argument("--insecure", action="store_true", help="speak plaintext to any machine")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep what the seat sees and says in a new file")
    parser.add_argument(
        "--secret-file",
        type=Path,
        metavar="FILE",
        help="the secret behind this bot's part in the deal, made if it is not there; keeps it over a restart",
    )


def play_and_exit(bot: Bot, parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> NoReturn:
    """Plays the seat that parsed arguments name and exits as `run` does."""
    token = os.environ.get(TOKEN_VARIABLE) or arguments.token
    if not token and arguments.token_file is None:
        parser.error(f"no seat token: set {TOKEN_VARIABLE} or give --token-file or --token")
    if token and not (token.isascii() and token.isprintable()):
        parser.error("the seat token has characters that no token has")
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from unoduo_client.errors import ClientError  # only now: it imports gRPC, whose core reads the variable then

    try:
        print(asyncio.run(_play(bot, arguments, token)), flush=True)
    except ClientError as error:
        _fail(parser, str(error))
    except OSError as error:
        _fail(
            parser, f"{error.filename}: {error.strerror.lower()}" if error.filename and error.strerror else str(error)
        )
    except KeyboardInterrupt:
        _fail(parser, "interrupted")
    sys.exit(FINISHED)


async def _play(bot: Bot, arguments: argparse.Namespace, token: str | None) -> str:
    """Plays and returns the line of the result."""
    from unoduo.v1 import seat_pb2, session_pb2

    from unoduo_client.channel import TLS, Security, read_token
    from unoduo_client.play import play_seat
    from unoduo_client.session import connect

    secret = None if arguments.secret_file is None else _secret(arguments.secret_file)
    tls: Security = False if arguments.insecure else None
    if arguments.tls_ca is not None:
        tls = TLS(arguments.tls_ca)
    token = token or read_token(arguments.token_file)
    async with connect(arguments.address, token=token, tls=tls, secret=secret) as session:
        seat = await session.join(
            arguments.match,
            seat_pb2.SEAT_A if arguments.seat == "A" else seat_pb2.SEAT_B,
            delivery=session_pb2.DELIVERY_ON_DECISION,
            journal=arguments.journal,
        )
        return _result(seat, await play_seat(seat, bot))


def _result(seat: SeatSession, ended: session_pb2.Ended) -> str:
    from unoduo.v1 import outcome_pb2, seat_pb2

    outcome = ended.outcome
    termination = outcome_pb2.Termination.Name(outcome.termination).removeprefix("TERMINATION_")
    if outcome.winner == seat_pb2.SEAT_UNSPECIFIED:
        verdict = "no winner"
    else:
        verdict = "won" if outcome.winner == seat.seat else "lost"
    rounds = f"{outcome.rounds} round{'' if outcome.rounds == 1 else 's'}"
    return (
        f"match {seat.header.match_number}, seat {'A' if seat.seat == seat_pb2.SEAT_A else 'B'}: {verdict}"
        f" ({termination}), A {outcome.total_a} : {outcome.total_b} B after {rounds}"
    )


def _secret(path: Path) -> bytes:
    """Returns the secret kept in a file, and makes the file first if there is none. Raises OSError."""
    if not path.exists():
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(os.urandom(_SECRET_BYTES))
    secret = path.read_bytes()
    if len(secret) < _SECRET_BYTES:
        raise OSError(f"{path} holds no secret of at least {_SECRET_BYTES} bytes")
    return secret


def _match_id(text: str) -> bytes:
    try:
        match_id = bytes.fromhex(text)
    except ValueError:
        match_id = b""
    if len(match_id) != 16:
        raise argparse.ArgumentTypeError("a match id has 32 hex digits")
    return match_id


def _fail(parser: argparse.ArgumentParser, message: str) -> NoReturn:
    print(f"{parser.prog}: {message}", file=sys.stderr, flush=True)
    sys.exit(FAILED)
