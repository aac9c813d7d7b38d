"""`unoduo cases run PATH...`: runs language-neutral cases of the rules against the engine."""

import argparse

from referee.cli.arguments import Commands, Parser, add_output_options
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import print_json

_EPILOG = """\
A path is a case file or a folder of them; proto/vectors/README.md describes the form. With --json each case is an
object on a line of its own: id, ok, step (from 1; 0 for the start), message."""


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Works with the cases of the rules."
    parser = commands.add_parser("cases", help="run cases of the rules", description=description, epilog="")
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    description = "Plays each case, step by step, and compares what the engine says with what the case expects."
    run_parser = actions.add_parser("run", help="run case files", description=description, epilog=_EPILOG)
    run_parser.add_argument("paths", nargs="+", metavar="PATH", help="a case file, or a folder with case files")
    add_output_options(run_parser, "an object for each case")
    run_parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Runs the cases. Returns FAILED if one of them fails; raises CommandError for what is no case."""
    from pathlib import Path

    from referee import cases

    total = failed = 0
    try:
        for path in cases.iter_cases([Path(path) for path in options.paths]):
            result = cases.run(cases.load(path))
            total += 1
            failed += not result.ok
            if options.json:
                print_json({"id": result.id, "ok": result.ok, "step": result.step, "message": result.message})
            elif not options.quiet:
                where = f"step {result.step}" if result.step else "start"
                print(f"ok    {result.id}" if result.ok else f"FAIL  {result.id}: {where}: {result.message}")
    except (cases.BadCase, cases.NoCases) as error:
        raise CommandError(str(error)) from None
    if not options.json and not options.quiet:
        print(f"{total} {'case' if total == 1 else 'cases'}, {failed} failed")
    return ExitCode.FAILED if failed else ExitCode.OK
