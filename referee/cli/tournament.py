"""`unoduo tournament`: thousands of unattended matches of mirrored pairs, and the table that they make."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from referee.cli import tournament_report
from referee.cli.arguments import Commands, Parser, add_output_options
from referee.cli.failures import CommandError, ExitCode
from referee.cli.interruption import run_interruptible
from referee.cli.output import print_json, reason_of
from referee.cli.private_files import EVERYBODY, NewFile, write_new
from referee.cli.seed_file import SEED_SIZE, read_seed, seed_file

if TYPE_CHECKING:
    from referee.arena.specification import Specification

_EPILOG: Final = """\
A tournament is a TOML file; `init` writes an example with every key and what it means. The unit is the mirrored pair:
two matches with the same cards and the seats exchanged. Each bot runs in two lanes, one for the first and one for the
second matches of its pairs, so that no process ever meets cards that it knows; where bubblewrap (bwrap) works the lanes
are boxes of their own, else the table is marked "on honour".

All is kept in the output folder. Killed at any moment, the same command goes on. Results that count are those of the
schedule's beginning that is over, so the table does not depend on what was quick, nor on where it was played: on a
Dask cluster (pip install 'unoduo-referee[cluster]') each worker plays with a referee of its own, and must be able to
start every bot. Certificates for tls:// are those of Dask's configuration."""


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Plays tournaments of local bots."
    parser = commands.add_parser("tournament", help="play a tournament", description=description, epilog=_EPILOG)
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)

    text = "Writes an example: a file for three baselines, and a fresh seed that no bot may read."
    init = actions.add_parser("init", help="write an example", description=text, epilog=_EPILOG)
    init.add_argument("directory", nargs="?", type=Path, default=Path(), metavar="DIR", help="where (default: here)")
    init.set_defaults(run=_init)

    text = "Plays what is not over of a tournament, and prints its table."
    run = actions.add_parser("run", help="begin or go on", description=text, epilog=_EPILOG)
    run.add_argument("file", type=Path, metavar="FILE", help="the file of the tournament")
    place = run.add_mutually_exclusive_group()
    place.add_argument(
        "--cluster",
        metavar="ADDRESS",
        default="",
        help="play on the workers of a Dask cluster, whose scheduler is at ADDRESS (tcp://... or tls://...)",
    )
    place.add_argument(
        "--in-process",
        action="store_true",
        help="play with the functions of the players, without sockets and clocks; only for bots that keep no memory",
    )
    add_output_options(run, "the standings as one object, as in standings.json")
    run.set_defaults(run=_run)
    tournament_report.add_to(actions)


def _init(options: argparse.Namespace) -> ExitCode:
    from referee.arena.example import FILE_NAME, PLAYERS, SEED_NAME, example

    directory: Path = options.directory
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"cannot make {directory}: {reason_of(error)}") from None
    file, seed = directory / FILE_NAME, directory / SEED_NAME
    text = example([os.urandom(SEED_SIZE) for _ in PLAYERS])
    write_new(NewFile(file, text.encode(), EVERYBODY), seed_file(seed, os.urandom(SEED_SIZE)))
    print(f"{file}: three baselines, ready for: unoduo tournament run {file}")
    print(f"{seed}: the seed of all deals; keep it to yourself until the tournament is over")
    return ExitCode.OK


def _run(options: argparse.Namespace) -> ExitCode:
    from referee.arena.failures import ArenaError
    from referee.arena.specification import read_specification

    try:
        specification = read_specification(options.file)
        return _play(specification, read_seed(specification.seed_file), options)
    except ArenaError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        raise CommandError(f"{where}{reason_of(error)}") from None


def _where(specification: "Specification", options: argparse.Namespace) -> str:
    if options.in_process:
        return "in process"
    return f"on the cluster at {options.cluster}" if options.cluster else f"{specification.concurrency} matches at once"


def _play(specification: "Specification", master: bytes, options: argparse.Namespace) -> ExitCode:
    try:
        from referee.arena.run import run_tournament
    except ModuleNotFoundError as error:
        raise CommandError(f"tournaments need {error.name}: install unoduo-referee[tournament]") from None
    from referee.cli.tournament_progress import introduction, progress
    from referee.report.tournament.terminal import print_standings

    quiet = options.quiet or options.json
    if not quiet:
        print(introduction(specification, master, _where(specification, options)), flush=True)
    standings: dict[str, Any] = {}

    async def work() -> ExitCode:
        with progress(specification, quiet) as show:
            standings.update(
                await run_tournament(
                    specification, master, show, in_process=options.in_process, cluster=options.cluster
                )
            )
        return ExitCode.OK

    code = run_interruptible(work)
    if code is not ExitCode.OK:
        if code is ExitCode.INTERRUPTED and not quiet:
            print("interrupted: the same command goes on from here")
        return code
    tournament_report.report_of_run(specification, master, standings)
    if options.json:
        print_json(standings)
    elif not quiet:
        print_standings(standings)
        print(f"{specification.output}: report.html, standings.json, replays, logs")
    return code
