"""`unoduo verify FILE...`: proves replays, or names the first part that is wrong."""

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from string import hexdigits
from typing import TYPE_CHECKING, Final

from referee.cli.arguments import Commands, add_output_options
from referee.cli.bar import with_bar
from referee.cli.failures import CommandError, ExitCode
from referee.cli.journals import Journals
from referee.cli.output import complain, opened, print_json, require_seekable

if TYPE_CHECKING:
    from referee.audit.master import Master
    from referee.audit.report import Report
    from referee.audit.verify import Evidence

_EPILOG = """\
A verdict is `ok`, `WRONG at` the first wrong part (file head, header, entry N, seal, reveal, index, or a record of a
journal) with the check that failed and the clause of proto/RULES.md, or `incomplete`. Lines that begin with
`not proven:` say what this evidence does not prove. The exit code of several files is the first of 1, 2, 3 and 0 that
one of them has.

--key must be known from elsewhere than from whoever gave you the replays. --index is a file of `unoduo index fetch`;
with it and no replay it is the index alone that is verified, and matches in it that have no end are told. With --master
compare the commitment that is told with the one that the tournament published before anybody enlisted.

The checks:
  FILE                                    the bytes of the file, its heads and digests
  ENCODING, INDEX, SEQUENCE               the form of a message, the numbers of entries and events
  COMMITMENT, DEAL_ID, ENTROPY, MASTER    the deal
  ILLEGAL_ACTION, TRY_CLAUSE, TRIES       an action, a refused one, how many of them
  LIFECYCLE, DECISION, SEAT, CLOCK        an input out of place, from the wrong seat, out of time
  STARTUP_GRACE, ABSENCE, VOID            a ruling of the referee
  EVENTS, PRIVATE_PART                    what an input must bring about, and who may see it
  FINAL_HEAD, OUTCOME, SIGNATURE          the seal
  NUMBERS, MATCH                          the index: its numbers, and what it tells of the match
  JOURNAL, HEADER, HEAD                   a journal: its form, and that the seat was told of the same log
  OBSERVED, VIEW, ACTION, RESULT          what the seat was shown, did and was answered (DECISION: what it was asked,
                                          ENTROPY: what it gave to the deal)

With --json each file is an object on a line of its own: file, status (ok, wrong, incomplete), part, check, clause,
message, not_proven, judged, number, match_id, players, h0, entries, actions, sequence, final_head, outcome,
master_commitment."""
_KEY_DIGITS: Final = 64
_LONGEST_KEY_FILE: Final = 1024
_LONGEST_MASTER_FILE: Final = 1 << 26
_WORST_FIRST: Final = (ExitCode.FAILED, ExitCode.USAGE, ExitCode.INCOMPLETE, ExitCode.OK)


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Judges matches again from their replay files, without trusting the referee that wrote them."
    parser = commands.add_parser("verify", help="prove replays", description=description, epilog=_EPILOG)
    parser.add_argument("files", nargs="*", metavar="FILE", help="a replay file")
    parser.add_argument(
        "--key", metavar="KEY", help="the referee's public key, 64 hex digits or a file that holds them"
    )
    parser.add_argument(
        "--journal",
        action="append",
        default=[],
        metavar="JOURNAL",
        help="a journal of a seat, which must tell the same as the replay of its match; or a directory, of whose"
        " *.journal files those are taken that are of these matches; may be repeated",
    )
    parser.add_argument("--index", metavar="INDEX", help="the referee's index, which must tell of the same matches")
    parser.add_argument(
        "--master", metavar="FILE", help="the master file of a tournament, which must give the deals of its matches"
    )
    add_output_options(parser, "an object for each file")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Verifies the files. Returns the worst of their codes; a file that cannot be read is reported on the way."""
    if not options.files and options.index is None:
        raise CommandError("give a replay to verify, or --index (see unoduo verify --help)")
    journals = Journals(options.journal)
    journals.require_use(options.files)
    evidence = _evidence(options)
    if not options.files:
        if options.master is not None:
            raise CommandError("--master goes with replays, whose deals it gives")
        return _verify_index(evidence, options)
    codes: list[ExitCode] = []
    for file in with_bar(options.files, "verifying"):
        try:
            codes.append(_verify(file, evidence, journals, options))
        except CommandError as error:
            complain(error)
            codes.append(error.code)
    if len(codes) > 1 and not (options.json or options.quiet):
        _print_summary(codes)
    return next(code for code in _WORST_FIRST if code in codes)


def _evidence(options: argparse.Namespace) -> "Evidence":
    from referee.audit.index import Index
    from referee.audit.verify import Evidence

    key = _public_key(options.key) if options.key is not None else None
    evidence = Evidence(key, master=_master(options.master) if options.master is not None else None)
    if options.index is None:
        return evidence
    with opened(options.index) as stream:
        return replace(evidence, index=Index(stream, key))


def _master(file: str) -> "Master":
    """Returns what a master file says. Raises CommandError."""
    from referee.audit.master import Master, MasterFault

    with opened(file) as stream:
        data = stream.read(_LONGEST_MASTER_FILE + 1)
        if len(data) > _LONGEST_MASTER_FILE:
            raise CommandError(f"{file} is no master file: it has more than {_LONGEST_MASTER_FILE} bytes")
        try:
            return Master(data)
        except MasterFault as fault:
            raise CommandError(f"{file} is no master file: {fault}") from None


def _public_key(text: str) -> bytes:
    """Returns the key given by its digits or by a file that holds them. Raises CommandError."""
    if _is_key(text):
        return bytes.fromhex(text)
    if not Path(text).exists():
        raise CommandError(f"--key is a public key of {_KEY_DIGITS} hex digits or a file that holds one, not {text!r}")
    with opened(text) as stream:
        digits = stream.read(_LONGEST_KEY_FILE).decode("ascii", "replace").strip()
    if not _is_key(digits):
        raise CommandError(f"{text} does not hold a public key of {_KEY_DIGITS} hex digits")
    return bytes.fromhex(digits)


def _is_key(text: str) -> bool:
    return len(text) == _KEY_DIGITS and all(digit in hexdigits for digit in text)


def _print_summary(codes: Sequence[ExitCode]) -> None:
    names = {ExitCode.OK: "ok", ExitCode.FAILED: "wrong", ExitCode.INCOMPLETE: "incomplete", ExitCode.USAGE: "unread"}
    counts = ", ".join(f"{codes.count(code)} {name}" for code, name in names.items() if code in codes)
    print(f"{len(codes)} files: {counts}")


def _verify_index(evidence: "Evidence", options: argparse.Namespace) -> ExitCode:
    from referee.audit.index import verify_index

    assert evidence.index is not None
    return _tell(options.index, verify_index(evidence.index), options)


def _verify(file: str, evidence: "Evidence", journals: Journals, options: argparse.Namespace) -> ExitCode:
    from referee.audit.verify import verify

    with ExitStack() as open_files:
        names = (file, *journals.of(file))
        stream, *told = (require_seekable(open_files.enter_context(opened(name)), name) for name in names)
        report = verify(stream, replace(evidence, journals=tuple(told)))
    return _tell(file, report, options)


def _tell(file: str, report: "Report", options: argparse.Namespace) -> ExitCode:
    from referee.audit.report import Status

    if options.json:
        from referee.report.objects import report_object

        print_json(report_object(file, report))
    elif not options.quiet:
        from referee.report.names import printable
        from referee.report.verdict import details, verdict_text

        print(f"{printable(file)}: {verdict_text(report)}")
        for line in details(report):
            print(f"  {line}")
        if report.clause is not None:
            print(f"  see: unoduo rules {report.clause}")
    codes = {Status.OK: ExitCode.OK, Status.WRONG: ExitCode.FAILED, Status.INCOMPLETE: ExitCode.INCOMPLETE}
    return codes[report.status]
