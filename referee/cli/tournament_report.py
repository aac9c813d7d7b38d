"""`unoduo tournament report DIR`: the report of a tournament, made anew from its replays alone."""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from referee.cli.arguments import Commands, add_output_options
from referee.cli.bar import with_bar
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import complain, print_json, reason_of

if TYPE_CHECKING:
    from referee.arena.specification import Specification
    from referee.report.tournament.matches import Match
    from referee.report.tournament.page import Account
    from referee.report.tournament.rebuild import Kept

_MOST_LINES: Final = 20
_EPILOG: Final = """\
Verifies every replay in the output folder of a tournament, counts the matches again and writes report.html with the
viewers of the matches that stand out, standings.csv and pairings.csv into it. What the runner has booked is not asked.
If standings.json is there and says anything else, that is told, and it is left as it is; if not it is written. That of
a tournament that is not over is written anew. It is counted as far as it has come without a gap."""


def add_to(actions: Commands) -> None:
    """Adds the command."""
    text = "Makes the report of a tournament anew from its replays, and says if the stored standings differ."
    report = actions.add_parser("report", help="make the report anew, and check it", description=text, epilog=_EPILOG)
    report.add_argument("folder", type=Path, metavar="DIR", help="the output folder of the tournament")
    add_output_options(report, "the standings as one object, as in standings.json")
    report.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Makes the report. Returns FAILED for replays that are wrong, and for stored standings that differ from them."""
    try:
        from referee.log.file_format import FileFault
        from referee.report.tournament.files import write_report
        from referee.report.tournament.rebuild import RebuildFault, open_folder
        from referee.report.tournament.terminal import print_standings
    except ModuleNotFoundError as error:
        raise CommandError(f"tournaments need {error.name}: install unoduo-referee[tournament]") from None

    folder: Path = options.folder
    stored = folder / "standings.json"
    if not folder.is_dir():
        raise CommandError(f"{folder} is no folder")
    try:
        kept = open_folder(folder)
        account = _account(kept)
        if account is None:
            return ExitCode.FAILED
        found = _check_stored(stored, account)
        write_report(kept.folder, account)
    except (RebuildFault, FileFault) as fault:
        raise CommandError(str(fault), ExitCode.FAILED) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        raise CommandError(f"{where}{reason_of(error)}") from None
    if options.json:
        print_json(dict(account.standings))
    elif not options.quiet:
        print_standings(account.standings)
        print(f"{folder}: report.html, standings.csv, pairings.csv")
    if not found:
        return ExitCode.OK
    if not (options.json or options.quiet):
        print("\n".join(found[:_MOST_LINES]))
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    complain(CommandError(f"{stored} differs from the replays: {found[0]}{more}"))
    return ExitCode.FAILED


def report_of_run(specification: "Specification", master: bytes, standings: Mapping[str, Any]) -> None:
    """Writes the report of a tournament that has been run here; its replays are read, and not verified again.

    Raises ArenaError, FileFault and OSError.
    """
    from referee.arena.effective import effective
    from referee.arena.folder import OutputFolder, replay_name
    from referee.arena.tournament import Tournament
    from referee.report.tournament.files import write_report
    from referee.report.tournament.matches import counted_matches, notable, read_match
    from referee.report.tournament.page import Account

    folder = OutputFolder(specification.output)
    now = Tournament(specification, master, folder).course
    matches = []
    for place in with_bar(counted_matches(now.results), "reading the matches"):
        with (folder.replays / replay_name(*place)).open("rb") as stream:
            matches.append(read_match(stream, *place))
    settings = effective(specification, master)
    write_report(folder, Account(specification, settings, now, standings, notable(matches)))


def _account(kept: "Kept") -> "Account | None":
    """Returns what follows from the replays, None after telling of those that are wrong."""
    from referee.report.tournament.rebuild import WrongReplay, proven_match, rebuilt, replay_files
    from referee.report.verdict import verdict_text

    matches: list[Match] = []
    wrong = 0
    for file in with_bar(replay_files(kept), "verifying"):
        try:
            matches.append(proven_match(kept, file))
        except WrongReplay as fault:
            complain(CommandError(f"{file}: {verdict_text(fault.report)}"))
            wrong += 1
    return None if wrong else rebuilt(kept, matches)


def _check_stored(file: Path, account: "Account") -> list[str]:
    """Returns how stored standings differ, a line each; writes them if none are there, or those of a run under way."""
    from referee.arena.files import write_whole
    from referee.arena.folder import as_json
    from referee.report.tournament.rebuild import differences

    stored = _stored(file)
    if stored is None or stored.get("over") is False:
        write_whole(file, as_json(account.standings))
        return []
    return [*differences(stored, account.standings)]


def _stored(file: Path) -> dict[str, Any] | None:
    try:
        stored = json.loads(file.read_bytes())
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError):
        stored = None
    # What is no object at all differs in everything.
    return stored if isinstance(stored, dict) else {}
