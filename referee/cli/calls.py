"""What the commands that call a running referee have in common."""

import argparse
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from unoduo_client.program import add_security_arguments, security_of

from referee.cli.arguments import DEFAULT_HOST, DEFAULT_PORT
from referee.cli.failures import CommandError, ExitCode
from referee.cli.interruption import run_interruptible
from referee.cli.output import reason_of

if TYPE_CHECKING:
    from unoduo_client import Organiser

CALLING_EPILOG: Final = "The referee must be running: `unoduo serve`."

_ADDRESS_VARIABLE: Final = "UNODUO_ADDRESS"
_MATCH_ID_DIGITS: Final = 32
_LARGEST_NUMBER: Final = (1 << 32) - 1
_LONGEST_NUMBER: Final = 10

Work = Callable[["Organiser", argparse.Namespace], Coroutine[Any, Any, None]]


def add_calling_options(parser: argparse.ArgumentParser, work: Work) -> None:
    """Adds `--address`, `--token-file`, `--tls-ca` and `--insecure`, and makes the work what the command does."""
    parser.add_argument(
        "--address",
        default=os.environ.get(_ADDRESS_VARIABLE) or f"{DEFAULT_HOST}:{DEFAULT_PORT}",
        metavar="HOST:PORT",
        help=f"the referee to ask (default: {_ADDRESS_VARIABLE} of the environment, here %(default)s)",
    )
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="the file with the token of who calls")
    add_security_arguments(parser)
    parser.set_defaults(run=lambda options: run_interruptible(lambda: _run(options, work)))


def add_match_argument(parser: argparse.ArgumentParser) -> None:
    """Adds `MATCH`, for `match_id_of`."""
    parser.add_argument("match", metavar="MATCH", help="the number of the match, or its id of 32 hex digits")


async def match_id_of(organiser: "Organiser", text: str) -> bytes:
    """Returns the id of a match given by number or id. Raises CommandError for neither, and for an unknown number."""
    if len(text) == _MATCH_ID_DIGITS:
        try:
            return bytes.fromhex(text)
        except ValueError:
            pass
    if not (text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER):
        raise CommandError(f"{text!r} is neither the number of a match nor an id of {_MATCH_ID_DIGITS} hex digits")
    number = int(text)
    if 0 < number <= _LARGEST_NUMBER:
        match = await anext(organiser.list_matches(page_size=1, after_number=number - 1), None)
        if match is not None and match.number == number:
            return match.match_id
    raise CommandError(f"the referee has no match {text}")


async def _run(options: argparse.Namespace, work: Work) -> ExitCode:
    from unoduo_client import ForkedError, Organiser, RefereeError

    from referee.codec.errors import Malformed

    token = _token(options)
    try:
        organiser = Organiser(options.address, token, tls=security_of(options))
    except OSError as error:
        raise CommandError(f"cannot read {options.tls_ca}: {reason_of(error)}") from None
    try:
        async with organiser:
            await work(organiser, options)
    except RefereeError as error:
        if error.code.name == "UNAVAILABLE" and not error.reason:
            raise CommandError(_unreachable(options)) from None
        raise CommandError(f"{_subject(options)}{error}") from None
    except ForkedError as error:
        raise CommandError(str(error), ExitCode.FAILED) from None
    except UnicodeEncodeError as error:
        raise CommandError(f"{error.object!r} is no text in the encoding of this system") from None
    except Malformed as error:
        raise CommandError(f"the referee speaks of what this program does not know: {error}") from None
    return ExitCode.OK


def _token(options: argparse.Namespace) -> str | None:
    """Returns the token of who calls, None without a file. Raises CommandError."""
    from unoduo_client.channel import read_token

    if options.token_file is None:
        return None
    try:
        return read_token(options.token_file)
    except OSError as error:
        raise CommandError(f"cannot read {options.token_file}: {reason_of(error)}") from None


def _subject(options: argparse.Namespace) -> str:
    """Returns what a refusal is about, to stand before it; nothing for a command that names no match."""
    match: str | None = getattr(options, "match", None)
    return "" if match is None else f"match {match}: "


def _unreachable(options: argparse.Namespace) -> str:
    if options.tls_ca is not None:
        trusted = f"with a certificate of {options.tls_ca} for this name"
        return f"there is no referee at {options.address} that speaks TLS {trusted}"
    return f"there is no referee at {options.address} (start one: unoduo serve; if it speaks TLS: --tls-ca FILE)"
