"""`unoduo match`: the organiser's calls to a running referee, and a look at a match while it is played."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.arguments import Commands, Parser, add_output_options
from referee.cli.calls import (
    CALLING_EPILOG,
    Work,
    add_calling_options,
    add_match_argument,
    match_id_of,
)
from referee.cli.deal import deal_id
from referee.cli.failures import CommandError
from referee.cli.output import print_json, reason_of
from referee.cli.settings import add_match_options, match_settings

if TYPE_CHECKING:
    from unoduo.v1 import match_pb2, referee_service_pb2
    from unoduo_client import Organiser

_NEW_EPILOG = f"""\
{CALLING_EPILOG} Both bots must have joined within the start-up grace; a seat that has
not loses. A bot plays the seat that it is given with its own token (unoduo bot token NAME), or with that of the seat.

With --json it prints one object: number, match_id, address, seat_tokens (an object with A and B), spectator_token."""
_SUMMARY_EPILOG = f"""\
{CALLING_EPILOG}

With --json a match is an object on a line of its own: number, match_id, players, lifecycle (CREATED, PLAYING, FROZEN or
ENDED), sequence (of its last event), outcome (null before the end; winner, termination, totals, rounds, faulted),
created, replay_available."""
_REPLAY_EPILOG = f"""\
{CALLING_EPILOG}

With --json it prints one object: match_id, file."""
_TOKEN_EPILOG = f"""\
{CALLING_EPILOG} Whoever holds the seat by the old token is detached.

With --json it prints one object: match_id, holder, token."""
_WATCH_EPILOG = f"""\
{CALLING_EPILOG} Who calls is the organiser, or a spectator by --token-file.

Each line has the sequence number of an event, the clause by which it happened, and what everybody saw of it. With
--json the first line is an object about the match, and each further line one about an event: sequence, text, clause,
event (protobuf's JSON of message Event). The last line is the result."""
_HOLDERS = ("A", "B", "spectators")


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Creates matches at a running referee, looks at them and calls them off."
    parser = commands.add_parser(
        "match", help="create, list and watch matches", description=description, epilog=CALLING_EPILOG
    )
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)

    text = "Creates a match and prints what its two bots must be told. The tokens are shown this once."
    new = actions.add_parser("new", help="create a match", description=text, epilog=_NEW_EPILOG)
    new.add_argument(
        "players", nargs="*", metavar="NAME", help="the names of the players of seats A and B (default: A B)"
    )
    for seat in "AB":
        new.add_argument(f"--bot-{seat.lower()}", default="", metavar="BOT", help=f"the bot that plays seat {seat}")
    new.add_argument(
        "--deal", type=deal_id, metavar="ID", help="the deal that it shares with other matches (unoduo deal new)"
    )
    add_match_options(new)
    _add_common(new, _new, "the match with its tokens")

    text = "Lists the matches of the referee, a line each, by number."
    listing = actions.add_parser("list", help="list the matches", description=text, epilog=_SUMMARY_EPILOG)
    _add_common(listing, _list, "an object for each match")

    text = "Shows where a match stands."
    show = actions.add_parser("show", help="show a match", description=text, epilog=_SUMMARY_EPILOG)
    add_match_argument(show)
    _add_common(show, _show, "the match")

    text = "Tells a match while it is played, a line an event, to its end."
    watching = actions.add_parser("watch", help="watch a match", description=text, epilog=_WATCH_EPILOG)
    add_match_argument(watching)
    _add_common(watching, _watch, "an object for the match, each event and the result")

    text = "Declares a match void: it ends without a winner, and nobody has lost."
    void = actions.add_parser("void", help="call a match off", description=text, epilog=_SUMMARY_EPILOG)
    add_match_argument(void)
    void.add_argument("--reason", default="", metavar="TEXT", help="why, for everybody to read (up to 200 characters)")
    _add_common(void, _void, "the match")

    text = "Replaces a token of a match and prints the new one, which is shown this once."
    token = actions.add_parser("token", help="replace a token of a match", description=text, epilog=_TOKEN_EPILOG)
    add_match_argument(token)
    token.add_argument("holder", choices=_HOLDERS, metavar="HOLDER", help="whose token: A, B or spectators")
    _add_common(token, _token, "the token")

    text = "Fetches the replay of a finished match into a file."
    replay = actions.add_parser("replay", help="fetch the replay of a match", description=text, epilog=_REPLAY_EPILOG)
    add_match_argument(replay)
    replay.add_argument("file", type=Path, metavar="FILE", help="the file to write; one that is there is replaced")
    _add_common(replay, _replay, "the name of the file")


def _add_common(parser: argparse.ArgumentParser, work: Work, json_form: str) -> None:
    add_calling_options(parser, work)
    add_output_options(parser, json_form)


async def _new(organiser: "Organiser", options: argparse.Namespace) -> None:
    if len(options.players) not in (0, 2):
        raise CommandError(f"a match has two players, not {len(options.players)}")
    settings = match_settings(options)
    if options.deal is not None and settings.seed is not None:
        raise CommandError("--deal and --seed exclude each other: a shared deal has a seed of its own")
    created = await organiser.create_match(
        options.players or ("A", "B"),
        bots=(options.bot_a, options.bot_b),
        ruleset=settings.ruleset,
        time_control=settings.time_control,
        fault_policy=settings.fault_policy,
        seed=settings.seed,
        deal_id=options.deal,
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
        _print_created(created, options)


def _print_created(created: "referee_service_pb2.CreateMatchResponse", options: argparse.Namespace) -> None:
    trust = f" --tls-ca {options.tls_ca}" if options.tls_ca is not None else " --insecure" if options.insecure else ""
    print(f"match {created.number}, id {created.match_id.hex()}")
    for seat, token in zip("AB", created.seat_tokens, strict=True):
        print(f"seat {seat}, token {token}; a bot that plays it:")
        print(
            f"  UNODUO_SEAT_TOKEN={token} {sys.executable} -m unoduo_client greedy"
            f" --address {options.address}{trust} --match {created.match_id.hex()} --seat {seat}"
        )
    print(f"spectators, token {created.spectator_token}")


async def _list(organiser: "Organiser", options: argparse.Namespace) -> None:
    async for match in organiser.list_matches():
        _print_summary(match, options)


async def _show(organiser: "Organiser", options: argparse.Namespace) -> None:
    _print_summary(await organiser.get_match(await match_id_of(organiser, options.match)), options)


async def _watch(organiser: "Organiser", options: argparse.Namespace) -> None:
    from referee.report.feed import feed_lines

    async for told in organiser.watch(await match_id_of(organiser, options.match)):
        for line in feed_lines(told):
            if options.json:
                print_json(line.json)
            elif not options.quiet:
                print(line.text)
        sys.stdout.flush()


async def _void(organiser: "Organiser", options: argparse.Namespace) -> None:
    match_id = await match_id_of(organiser, options.match)
    _print_summary(await organiser.void_match(match_id, options.reason), options)


async def _token(organiser: "Organiser", options: argparse.Namespace) -> None:
    from unoduo.v1 import seat_pb2

    match_id = await match_id_of(organiser, options.match)
    if options.holder == "spectators":
        token = await organiser.revoke_spectator_token(match_id)
    else:
        token = await organiser.revoke_seat_token(match_id, seat_pb2.Seat.Value(f"SEAT_{options.holder}"))
    if options.json:
        print_json({"match_id": match_id.hex(), "holder": options.holder, "token": token})
    elif not options.quiet:
        print(token)


async def _replay(organiser: "Organiser", options: argparse.Namespace) -> None:
    match_id = await match_id_of(organiser, options.match)
    try:
        await organiser.save_replay(match_id, options.file)
    except OSError as error:
        raise CommandError(f"cannot write {options.file}: {reason_of(error)}") from None
    if options.json:
        print_json({"match_id": match_id.hex(), "file": str(options.file)})
    elif not options.quiet:
        print(options.file)


def _print_summary(match: "match_pb2.MatchSummary", options: argparse.Namespace) -> None:
    from referee.report.summary import summary_object, summary_text

    if options.json:
        print_json(summary_object(match))
    elif not options.quiet:
        print(summary_text(match))
