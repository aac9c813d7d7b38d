"""`unoduo deal`: makes a deal for matches to share at a running referee, and closes it."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.cli.arguments import Commands, Parser, add_output_options
from referee.cli.calls import CALLING_EPILOG, Work, add_calling_options
from referee.cli.output import print_json
from referee.cli.seed_file import read_seed

if TYPE_CHECKING:
    from unoduo_client import Organiser

_EPILOG: Final = f"""\
{CALLING_EPILOG} Matches of a deal (unoduo match new --deal ID) have the same cards.
They stay secret until the deal is closed and all its matches are over.

With --json it prints one object: deal_id."""
_ID_SIZE: Final = 16


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Makes deals that matches share, such as the two halves of a mirrored pair."
    parser = commands.add_parser("deal", help="let matches share a deal", description=description, epilog=_EPILOG)
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)

    text = "Makes a deal and prints its id. The deal of a seed that is still open is the same."
    new = actions.add_parser("new", help="make a deal", description=text, epilog=_EPILOG)
    new.add_argument(
        "--seed-file",
        type=Path,
        metavar="FILE",
        help="a file of yours alone with the seed, 64 hex digits (default: the referee draws one)",
    )
    _add_common(new, _new)

    text = "Closes a deal: it takes no more matches, and is revealed when those that it has are over."
    close = actions.add_parser("close", help="close a deal", description=text, epilog=_EPILOG)
    close.add_argument("deal", type=deal_id, metavar="ID", help="the id of the deal, 32 hex digits")
    _add_common(close, _close)


def deal_id(text: str) -> bytes:
    """Returns the id of a deal given as an argument. Raises ArgumentTypeError."""
    value = _bytes_of(text)
    if len(value) != _ID_SIZE:
        raise argparse.ArgumentTypeError("the id of a deal has 32 hex digits")
    return value


def _add_common(parser: argparse.ArgumentParser, work: Work) -> None:
    add_calling_options(parser, work)
    add_output_options(parser, "the id of the deal")


async def _new(organiser: "Organiser", options: argparse.Namespace) -> None:
    seed = None if options.seed_file is None else read_seed(options.seed_file)
    _print_id(await organiser.create_deal(seed), options)


async def _close(organiser: "Organiser", options: argparse.Namespace) -> None:
    await organiser.close_deal(options.deal)
    _print_id(options.deal, options)


def _print_id(deal: bytes, options: argparse.Namespace) -> None:
    if options.json:
        print_json({"deal_id": deal.hex()})
    elif not options.quiet:
        print(deal.hex())


def _bytes_of(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
