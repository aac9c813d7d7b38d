"""`unoduo bot token NAME`: gives a bot a token, by which it plays all seats that matches give it."""

import argparse
from typing import TYPE_CHECKING

from referee.cli.arguments import Commands, Parser, add_output_options
from referee.cli.calls import CALLING_EPILOG, add_calling_options
from referee.cli.output import print_json

if TYPE_CHECKING:
    from unoduo_client import Organiser

_EPILOG = f"""\
{CALLING_EPILOG} A bot that the referee does not know becomes known by its first
token; matches can name it from then on (unoduo match new --bot-a NAME). An old token holds no more, and the sessions
that were opened with it end.

With --json it prints one object: bot, token."""


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Makes bots known to a running referee."
    parser = commands.add_parser("bot", help="give a bot a token", description=description, epilog=CALLING_EPILOG)
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    text = "Gives a bot a new token and prints it. It is shown this once."
    token = actions.add_parser("token", help="give a bot a new token", description=text, epilog=_EPILOG)
    token.add_argument("name", metavar="NAME", help="the name of the bot, 1 to 64 characters")
    add_calling_options(token, _token)
    add_output_options(token, "the token")


async def _token(organiser: "Organiser", options: argparse.Namespace) -> None:
    token = await organiser.revoke_bot_token(options.name)
    if options.json:
        print_json({"bot": options.name, "token": token})
    elif not options.quiet:
        print(token)
