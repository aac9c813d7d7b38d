"""`unoduo replay html FILE -o PAGE`: a match as one page to look at in a browser."""

import argparse

from referee.cli.arguments import Commands
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import opened, require_seekable
from referee.cli.replay_arguments import add_replay_arguments, observer_name, written

_EPILOG = """\
The page is one file that needs no network and is not allowed any. It tells the match step by step in the sentences
of `unoduo replay show`, and states what `unoduo verify` finds now. Without --seat or --spectator it has all views to
choose from. With one of them it holds only what that seat, or everybody, saw: no other card is in the file.

Keys: left and right an event, with shift to the challenge, catch, dump or volley before and after; home and end; space
plays and pauses."""


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Makes a page of a match, to be looked at in a browser."
    html = commands.add_parser("html", help="make a page to look at", description=description, epilog=_EPILOG)
    add_replay_arguments(html)
    html.add_argument("-o", "--output", metavar="PAGE", required=True, help="the file to write, such as match.html")
    html.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Writes the page. Raises CommandError for a file whose parts cannot be read; a wrong match is shown as such."""
    from referee.log.file_format import FileFault
    from referee.report.html.page import page
    from referee.report.story import Observer

    observer = Observer(observer_name(options))
    with opened(options.file) as stream:
        try:
            text = page(require_seekable(stream, options.file), observer)
        except FileFault as fault:
            raise CommandError(f"{options.file}: {fault}", ExitCode.FAILED) from None
    with written(options.output, options.file) as output:
        output.write(text.encode())
    return ExitCode.OK
