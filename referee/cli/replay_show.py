"""`unoduo replay show FILE`: tells a match from its replay, a line an event, each with its clause."""

import argparse
from typing import TYPE_CHECKING

from referee.cli.arguments import Commands, add_output_options
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import opened, print_json
from referee.cli.replay_arguments import add_replay_arguments, observer_name

if TYPE_CHECKING:
    from referee.audit.replay import Replay
    from referee.report.story import Observer

_EPILOG = """\
Each line has the sequence number of an event, the clause by which it happened (look it up: unoduo rules R5.2), and what
happened. Tries that were refused stand between the events, without a number. Both hands are shown unless --seat or
--spectator says who looks. Nothing is judged: `unoduo verify` does that.

With --json the first line is an object about the match, and each further line one about an event or a try: sequence
(null for a try), entry, text, clause, and of an event also event (protobuf's JSON of message Event, with the names of
event.proto) and private_cards, as far as the observer sees them."""


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Tells a match from its replay file, a line an event."
    show = commands.add_parser("show", help="tell a match, a line an event", description=description, epilog=_EPILOG)
    add_replay_arguments(show)
    add_output_options(show, "an object for the match and for each event")
    show.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Tells the match. Raises CommandError naming the part that is damaged, after what stands before it was told."""
    from referee.audit.replay import replay
    from referee.log.file_format import FileFault
    from referee.report.story import Observer

    observer = Observer(observer_name(options))
    show = _print_objects if options.json else _print_text
    with opened(options.file) as stream:
        try:
            match = replay(stream)
            if options.quiet:
                for _ in match.entries:
                    pass
            else:
                show(match, observer)
        except FileFault as fault:
            raise CommandError(f"{options.file}: {fault}", ExitCode.FAILED) from None
    return ExitCode.OK


def _print_text(match: "Replay", observer: "Observer") -> None:
    from referee.report.story import introduction, tell

    print("\n".join(introduction(match.header)))
    for entry in match.entries:
        for line in tell(entry, observer):
            number = "-" if line.sequence is None else str(line.sequence)
            print(f"{number:>6}  {line.sentence.clause:<6}  {line.sentence.text}")


def _print_objects(match: "Replay", observer: "Observer") -> None:
    from referee.report.objects import header_object, line_object
    from referee.report.story import tell

    print_json(header_object(match.header))
    for entry in match.entries:
        for line in tell(entry, observer):
            print_json(line_object(line))
