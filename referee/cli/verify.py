"""`unoduo verify FILE...`: proves replays, or names the first part that is wrong."""

import argparse
import sys
from collections.abc import Iterator, Sequence

from referee.cli.arguments import Commands, add_output_options
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import complain, opened, print_json

_EPILOG = """\
A verdict is `ok`, `WRONG at` the first wrong part (file head, header, entry N, seal or reveal) with the check that
failed and the clause of proto/RULES.md, or `incomplete`. Lines that begin with `not proven:` say what no such file
proves. The exit code of several files is the first of 1, 2, 3 and 0 that one of them has.

The checks:
  FILE                                    the bytes of the file, its heads and digests
  ENCODING, INDEX, SEQUENCE               the form of a message, the numbers of entries and events
  COMMITMENT, DEAL_ID, ENTROPY            the deal
  ILLEGAL_ACTION, TRY_CLAUSE, TRIES       an action, a refused one, how many of them
  LIFECYCLE, DECISION, SEAT, CLOCK        an input out of place, from the wrong seat, out of time
  STARTUP_GRACE, ABSENCE, VOID            a ruling of the referee
  EVENTS, PRIVATE_PART                    what an input must bring about, and who may see it
  FINAL_HEAD, OUTCOME                     the seal

With --json each file is an object on a line of its own: file, status (ok, wrong, incomplete), part, check, clause,
message, not_proven, judged, number, match_id, players, h0, entries, actions, sequence, final_head, outcome."""
_WORST_FIRST = (ExitCode.FAILED, ExitCode.USAGE, ExitCode.INCOMPLETE, ExitCode.OK)


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Judges matches again from their replay files, without trusting the referee that wrote them."
    parser = commands.add_parser("verify", help="prove replays", description=description, epilog=_EPILOG)
    parser.add_argument("files", nargs="+", metavar="FILE", help="a replay file")
    add_output_options(parser, "an object for each file")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Verifies the files. Returns the worst of their codes; a file that cannot be read is reported on the way."""
    codes = set()
    for file in _with_progress(options.files):
        try:
            codes.add(_verify(file, options))
        except CommandError as error:
            complain(error)
            codes.add(error.code)
    return next(code for code in _WORST_FIRST if code in codes)


def _verify(file: str, options: argparse.Namespace) -> ExitCode:
    from referee.audit.report import Status
    from referee.audit.verify import verify

    with opened(file) as stream:
        if not stream.seekable():
            raise CommandError(f"{file} is a pipe: its end holds the seed and is read first, so save it to a file")
        report = verify(stream)
    if options.json:
        from referee.report.objects import report_object

        print_json(report_object(file, report))
    elif not options.quiet:
        from referee.report.verdict import details, verdict_text

        print(f"{file}: {verdict_text(report)}")
        for line in details(report):
            print(f"  {line}")
        if report.clause is not None:
            print(f"  see: unoduo rules {report.clause}")
    codes = {Status.OK: ExitCode.OK, Status.WRONG: ExitCode.FAILED, Status.INCOMPLETE: ExitCode.INCOMPLETE}
    return codes[report.status]


def _with_progress(files: Sequence[str]) -> Iterator[str]:
    """Yields the files; on a terminal, and if there are several, a bar shows how far it has come."""
    if len(files) == 1 or not sys.stderr.isatty():
        yield from files
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(files, description="verifying", console=Console(stderr=True), transient=True)
