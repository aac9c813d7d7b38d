"""`unoduo play`: two bots play a match at a referee of their own, and its replay is verified."""

import argparse
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from referee.cli.arguments import Commands
from referee.cli.failures import CommandError, ExitCode
from referee.cli.interruption import run_interruptible
from referee.cli.output import opened, reason_of
from referee.cli.settings import add_match_options, match_settings, number

_EPILOG = """\
The bots are random, which takes any legal action, greedy, which gets rid of as many points as it can, and careful,
which reckons who will be out first.

The referee runs in this process on a free port of this machine, each bot in a process of its own. When the match is
over its replay is written, verified as `unoduo verify` does, and its path is printed. With the same --seed and
--bot-seed, bots that answer in time play the same match again."""
_BOTS = ("greedy", "random")
_REPLAYS = Path("replays")


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Plays a match of two bots and verifies its replay."
    parser = commands.add_parser("play", help="play a match of two bots", description=description, epilog=_EPILOG)
    for seat, default in zip("AB", _BOTS, strict=True):
        name = f"bot_{seat.lower()}"
        parser.add_argument(
            name, nargs="?", default=default, metavar=name.upper(), help=f"the bot in seat {seat} (default: {default})"
        )
    add_match_options(parser)
    parser.add_argument("--bot-seed", type=number("N"), metavar="N", help="a seed for the choices of the bots")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="the file to write (default: replays/ID.unoduo)")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Plays and verifies. Returns FAILED if the replay is wrong; raises CommandError if a bot died."""
    from unoduo_client.baselines import BASELINES

    from referee.cli.exhibition import Exhibition

    bots = (options.bot_a, options.bot_b)
    for name in bots:
        if name not in BASELINES:
            raise CommandError(f"there is no bot {name!r}; the bots are {', '.join(sorted(BASELINES))}")
    settings = match_settings(options)
    _check_writable(options.replay)
    exhibition = Exhibition(bots, settings, options.bot_seed, options.quiet)
    code = run_interruptible(lambda: exhibition.play(options.replay, _REPLAYS))
    if code is not ExitCode.OK:
        return code
    return _verify(exhibition.replay, options.quiet)


def _check_writable(file: Path | None) -> None:
    """Finds out before the match, not after it, that its replay cannot be written. Raises CommandError."""
    directory = _REPLAYS if file is None else file.parent
    try:
        if file is None:
            directory.mkdir(exist_ok=True)
        elif file.is_dir():
            raise CommandError(f"cannot write {file}: it is a directory")
        elif file.exists() and not file.is_file():
            raise CommandError(f"cannot write {file}: it is no regular file")
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        raise CommandError(f"cannot write into {directory}: {reason_of(error)}") from None


def _verify(file: Path, quiet: bool) -> ExitCode:
    from referee.audit.report import Status
    from referee.audit.verify import verify
    from referee.report.verdict import match_text, verdict_text

    with opened(str(file)) as stream:
        report = verify(stream)
    if not quiet:
        print(match_text(report))
        print(f"verify: {verdict_text(report)}")
        print(f"replay: {file}")
        print(f"look at it: {_own_name()} replay show {shlex.quote(str(file))}")
    elif report.status is not Status.OK:
        raise CommandError(f"{file}: {verdict_text(report)}", ExitCode.FAILED)
    return ExitCode.OK if report.status is Status.OK else ExitCode.FAILED


def _own_name() -> str:
    """Returns how this program can be called again."""
    if shutil.which("unoduo"):
        return "unoduo"
    called = sys.argv[0]
    return called if Path(called).name == "unoduo" else f"{shlex.quote(sys.executable)} -m referee"
