"""`unoduo replay stats FILE...`: figures of matches, and of each player over all of them."""

import argparse
from typing import TYPE_CHECKING

from referee.cli.arguments import Commands, add_output_options
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import opened, print_json

if TYPE_CHECKING:
    from referee.report.stats import MatchStats

_EPILOG = """\
Of several files the figures of each player over all of them follow at the end. Cards drawn are those after the draft;
a volley is counted from two Draw Twos on; times are those that count against a seat, without the delay of the referee.
Nothing is judged: `unoduo verify` does that.

With --json each file is an object on a line of its own: file, number, match_id, players, rounds, turns, events,
recycles, volleys, longest_volley, outcome, and seats with the figures of A and B. Of several files a last line has
players, with the figures of each by its name."""


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Counts what happened in matches, from their replay files."
    stats = commands.add_parser("stats", help="count what happened", description=description, epilog=_EPILOG)
    stats.add_argument("files", nargs="+", metavar="FILE", help="a replay file")
    add_output_options(stats, "an object for each file")
    stats.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Prints the figures. Raises CommandError for the first file that cannot be read or is damaged."""
    from referee.report.stats import player_object, stats_lines, stats_object, table, total_stats

    matches = []
    for file in options.files:
        stats = _match_stats(file)
        matches.append(stats)
        if options.json:
            print_json(stats_object(file, stats))
        elif not options.quiet:
            print(f"{file}:", *stats_lines(stats), sep="\n  ")
    if len(matches) > 1:
        totals = total_stats(matches)
        if options.json:
            print_json({"players": {name: player_object(player) for name, player in totals.items()}})
        elif not options.quiet:
            print(f"all {len(matches)} matches:", *table(totals), sep="\n  ")
    return ExitCode.OK


def _match_stats(file: str) -> "MatchStats":
    from referee.audit.replay import replay
    from referee.log.file_format import FileFault
    from referee.report.stats import match_stats

    with opened(file) as stream:
        try:
            return match_stats(replay(stream))
        except FileFault as fault:
            raise CommandError(f"{file}: {fault}", ExitCode.FAILED) from None
