"""`unoduo bridge -- COMMAND`: a program that speaks lines of JSON plays, as with `python -m unoduo_client bridge`."""

import argparse
import signal

from unoduo_client.bridge import DESCRIPTION, add_arguments, player, run
from unoduo_client.program import Failure, play_to_the_end

from referee.cli.arguments import Commands, Parser
from referee.cli.failures import CommandError, ExitCode

_EPILOG = """\
COMMAND runs once for each match, without a shell. It reads what its seat learns and writes what it does, each a line of
JSON: clients/README.md describes the lines. Its error output is that of the bridge. When the match has ended so does
its input, and two seconds later its process group is killed.

A token is best given in a file or in the environment, that of a seat as UNODUO_SEAT_TOKEN, that of a bot (for
--assigned) as UNODUO_BOT_TOKEN; COMMAND does not get it. `python -m unoduo_client bridge` is the same without a
referee installed."""


def add_to(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "bridge", help="play with a program that speaks lines of JSON", description=DESCRIPTION, epilog=_EPILOG
    )
    add_arguments(parser)
    parser.set_defaults(run=lambda options: _run(parser, options))


def _run(parser: Parser, options: argparse.Namespace) -> ExitCode:
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        # Processes are to be ended first.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        play_to_the_end(player(parser, options), parser, options, "unoduo", run)
    except Failure as failure:
        raise CommandError(str(failure), ExitCode.FAILED) from None
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    return ExitCode.OK
