"""`unoduo match new|list|show|replay`: the organiser's calls to a running referee."""

import argparse
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.arguments import Commands, Parser, add_address_option, add_output_options
from referee.cli.failures import CommandError, ExitCode
from referee.cli.interruption import run_interruptible
from referee.cli.output import print_json, reason_of
from referee.cli.settings import add_match_options, match_settings

if TYPE_CHECKING:
    from unoduo.v1 import match_pb2, referee_service_pb2
    from unoduo_client import Organiser

_EPILOG = "The referee must be running: `unoduo serve`."
_NEW_EPILOG = f"""\
{_EPILOG} Both bots must have joined within 30 seconds; a seat that has not loses.

With --json it prints one object: number, match_id, address, seat_tokens (an object with A and B), spectator_token."""
_SUMMARY_EPILOG = f"""\
{_EPILOG}

With --json a match is an object on a line of its own: number, match_id, players, lifecycle (CREATED, PLAYING, FROZEN or
ENDED), sequence (of its last event), outcome (null before the end; winner, termination, totals, rounds, faulted),
created, replay_available."""
_REPLAY_EPILOG = f"""\
{_EPILOG}

With --json it prints one object: match_id, file."""
_MATCH_ID_DIGITS = 32
_LARGEST_NUMBER = (1 << 32) - 1
_LONGEST_NUMBER = 10

Work = Callable[["Organiser", argparse.Namespace], Coroutine[Any, Any, None]]


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Creates matches at a running referee and looks at them."
    parser = commands.add_parser("match", help="create and list matches", description=description, epilog=_EPILOG)
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)

    text = "Creates a match and prints what its two bots must be told. The tokens are shown this once."
    new = actions.add_parser("new", help="create a match", description=text, epilog=_NEW_EPILOG)
    new.add_argument(
        "players", nargs="*", metavar="NAME", help="the names of the players of seats A and B (default: A B)"
    )
    add_match_options(new)
    _add_common(new, _new, "the match with its tokens")

    text = "Lists the matches of the referee, a line each, by number."
    listing = actions.add_parser("list", help="list the matches", description=text, epilog=_SUMMARY_EPILOG)
    _add_common(listing, _list, "an object for each match")

    text = "Shows where a match stands."
    show = actions.add_parser("show", help="show a match", description=text, epilog=_SUMMARY_EPILOG)
    _add_match(show)
    _add_common(show, _show, "the match")

    text = "Fetches the replay of a finished match into a file."
    replay = actions.add_parser("replay", help="fetch the replay of a match", description=text, epilog=_REPLAY_EPILOG)
    _add_match(replay)
    replay.add_argument("file", type=Path, metavar="FILE", help="the file to write; one that is there is replaced")
    _add_common(replay, _replay, "the name of the file")


def _add_match(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", metavar="MATCH", help="the number of the match, or its id of 32 hex digits")


def _add_common(parser: argparse.ArgumentParser, work: Work, json_form: str) -> None:
    add_address_option(parser)
    add_output_options(parser, json_form)
    parser.set_defaults(run=lambda options: run_interruptible(lambda: _run(options, work)))


async def _run(options: argparse.Namespace, work: Work) -> ExitCode:
    from unoduo_client import Organiser, RefereeError

    from referee.codec.errors import Malformed

    try:
        async with Organiser(options.address) as organiser:
            await work(organiser, options)
    except RefereeError as error:
        if error.code.name == "UNAVAILABLE" and not error.reason:
            raise CommandError(f"there is no referee at {options.address} (start one: unoduo serve)") from None
        raise CommandError(str(error)) from None
    except UnicodeEncodeError as error:
        raise CommandError(f"{error.object!r} is no text in the encoding of this system") from None
    except Malformed as error:
        raise CommandError(f"the referee speaks of what this program does not know: {error}") from None
    return ExitCode.OK


async def _new(organiser: "Organiser", options: argparse.Namespace) -> None:
    if len(options.players) not in (0, 2):
        raise CommandError(f"a match has two players, not {len(options.players)}")
    settings = match_settings(options)
    created = await organiser.create_match(
        options.players or ("A", "B"),
        ruleset=settings.ruleset,
        time_control=settings.time_control,
        seed=settings.seed,
    )
    if options.json:
        print_json(
            {
                "number": created.number,
                "match_id": created.match_id.hex(),
                "address": options.address,
                "seat_tokens": dict(zip("AB", created.seat_tokens, strict=True)),
                "spectator_token": created.spectator_token,
            }
        )
    elif not options.quiet:
        _print_created(created, options.address)


def _print_created(created: "referee_service_pb2.CreateMatchResponse", address: str) -> None:
    print(f"match {created.number}, id {created.match_id.hex()}")
    for seat, token in zip("AB", created.seat_tokens, strict=True):
        print(f"seat {seat}, token {token}; a bot that plays it:")
        print(
            f"  UNODUO_SEAT_TOKEN={token} {sys.executable} -m unoduo_client greedy"
            f" --address {address} --match {created.match_id.hex()} --seat {seat}"
        )
    print(f"spectators, token {created.spectator_token}")


async def _list(organiser: "Organiser", options: argparse.Namespace) -> None:
    async for match in organiser.list_matches():
        _print_summary(match, options)


async def _show(organiser: "Organiser", options: argparse.Namespace) -> None:
    _print_summary(await organiser.get_match(await _match_id(organiser, options.match)), options)


async def _replay(organiser: "Organiser", options: argparse.Namespace) -> None:
    match_id = await _match_id(organiser, options.match)
    try:
        await organiser.save_replay(match_id, options.file)
    except OSError as error:
        raise CommandError(f"cannot write {options.file}: {reason_of(error)}") from None
    if options.json:
        print_json({"match_id": match_id.hex(), "file": str(options.file)})
    elif not options.quiet:
        print(options.file)


async def _match_id(organiser: "Organiser", text: str) -> bytes:
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


def _print_summary(match: "match_pb2.MatchSummary", options: argparse.Namespace) -> None:
    from referee.report.summary import summary_object, summary_text

    if options.json:
        print_json(summary_object(match))
    elif not options.quiet:
        print(summary_text(match))
