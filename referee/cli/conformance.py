"""`unoduo conformance`: scripted and hostile sessions with any client program, and a score."""

import argparse
import shlex
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.cli.arguments import Commands, add_output_options
from referee.cli.failures import CommandError, ExitCode
from referee.cli.interruption import run_interruptible
from referee.cli.output import print_json

if TYPE_CHECKING:
    from referee.conformance.checks import Check
    from referee.conformance.kit import Result

_EPILOG: Final = """\
COMMAND is started without a shell for each check, with the options of `python -m unoduo_client` behind it, or in place
of a word {}: --address, --match and --seat or --assigned, --patience, --journal, in some checks --tls-ca. The token is
in the environment, as UNODUO_SEAT_TOKEN or UNODUO_BOT_TOKEN. What it writes is kept in a file if the check fails.

    unoduo conformance --bot "python my_bot.py"
    unoduo conformance --bot "unoduo bridge {} -- ./my_bot.sh" --only "cut-*" --only restart

With --json each check is an object on a line of its own: name, ok, expected, came, ms, log (null if it passed); the
last line has the score: passed, checks. clients/README.md has more."""
_DEFAULT_LIMIT_S: Final = 30.0
_LONGEST_LIMIT_S: Final = 3_600.0


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Plays scripted and hostile sessions with a client program, and says of each check what came of it."
    parser = commands.add_parser(
        "conformance", help="check a client program in any language", description=description, epilog=_EPILOG
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--bot", type=_command, metavar="COMMAND", help="the client program with its arguments")
    what.add_argument("--list", action="store_true", help="list the checks with what each expects, and leave")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="make this check, or those of a pattern; repeatable"
    )
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=_DEFAULT_LIMIT_S,
        metavar="SECONDS",
        help=f"how long a check may take; a few need more (default: {_DEFAULT_LIMIT_S:g})",
    )
    add_output_options(parser, "an object for each check, and the score")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> ExitCode:
    from referee.conformance.catalogue import chosen

    try:
        checks = chosen(options.only)
    except ValueError as error:
        raise CommandError(f"{error} (see unoduo conformance --list)") from None
    if options.list:
        _list(checks, options)
        return ExitCode.OK
    return _check(checks, options)


def _list(checks: "list[Check]", options: argparse.Namespace) -> None:
    for check in checks:
        if options.json:
            print_json({"name": check.name, "expected": check.expected})
        elif not options.quiet:
            print(f"{check.name}: {check.expected}")


def _check(checks: "list[Check]", options: argparse.Namespace) -> ExitCode:
    from referee.conformance.failures import KitError
    from referee.conformance.kit import run_checks

    results: list[Result] = []
    folder = Path(tempfile.mkdtemp(prefix="unoduo-conformance-"))

    def show(result: "Result") -> None:
        results.append(result)
        _show(result, options)

    async def work() -> ExitCode:
        await run_checks(checks, options.bot, folder, options.timeout, show)
        return ExitCode.OK if all(result.passed for result in results) else ExitCode.FAILED

    try:
        code = run_interruptible(work)
    except KitError as error:
        raise CommandError(str(error)) from None
    finally:
        with suppress(OSError):
            folder.rmdir()  # unless something is left to be looked at
    if code in (ExitCode.OK, ExitCode.FAILED):
        _show_score(results, options)
    return code


def _show(result: "Result", options: argparse.Namespace) -> None:
    log = None if result.log is None else str(result.log)
    name, expected = result.check.name, result.check.expected
    if options.json:
        print_json(
            {
                "name": name,
                "ok": result.passed,
                "expected": expected,
                "came": result.came,
                "ms": result.ms,
                "log": log,
            }
        )
    elif not options.quiet:
        where = "" if log is None else f" (log: {log})"
        print(f"{'ok   ' if result.passed else 'FAIL '} {name}: {expected} | {result.came}{where}", flush=True)


def _show_score(results: "list[Result]", options: argparse.Namespace) -> None:
    passed = sum(result.passed for result in results)
    if options.json:
        print_json({"passed": passed, "checks": len(results)})
    elif not options.quiet:
        print(f"{passed} of {len(results)} checks passed")


def _command(text: str) -> list[str]:
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"COMMAND cannot be read: {str(error).lower()}") from None
    if not command:
        raise argparse.ArgumentTypeError("COMMAND is empty")
    return command


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _LONGEST_LIMIT_S:
        raise argparse.ArgumentTypeError(f"SECONDS is above 0 and at most {_LONGEST_LIMIT_S:g}, not {text!r}")
    return seconds
