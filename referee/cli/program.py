"""The program behind `unoduo`: reads the arguments, runs one command, turns what went wrong into one line."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

from referee.cli import (
    bot,
    bridge,
    cases,
    conformance,
    deal,
    index,
    keygen,
    match,
    play,
    replay,
    rules,
    serve,
    tournament,
    verify,
)
from referee.cli.arguments import Parser
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import complain, reason_of

_COMMANDS: Final = (
    play,
    serve,
    tournament,
    keygen,
    match,
    deal,
    bot,
    bridge,
    conformance,
    index,
    replay,
    verify,
    rules,
    cases,
)
_DESCRIPTION: Final = "Formal rules, referee and auditor for UNO Duo, the card game for two."


def run(arguments: Sequence[str] | None) -> int:
    """Returns the exit code of the command named by the arguments (None: those of the process).

    What a user can get wrong ends in one line on the error output that begins with `unoduo: `.
    """
    try:
        options = _parser().parse_args(arguments)
        code: ExitCode = options.run(options)
        sys.stdout.flush()
    except CommandError as error:
        complain(error)
        return error.code
    except BrokenPipeError:
        # The reader of the output has gone, as `head` does.
        _discard_output()
        return ExitCode.OK
    except OSError as error:
        _discard_output()
        where = f"{error.filename}: " if error.filename is not None else ""
        complain(CommandError(f"{where}{reason_of(error)}"))
        return ExitCode.USAGE
    return code


def _discard_output() -> None:
    """Keeps Python from flushing once more, on its way out, into an output that takes nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> Parser:
    parser = Parser(prog="unoduo", description=_DESCRIPTION)
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    for command in _COMMANDS:
        command.add_to(commands)
    return parser


class _Version(argparse.Action):
    """Prints the version of the installed distribution; looked up only when asked, because that is slow."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"unoduo {version('unoduo-referee')}")
        parser.exit()
