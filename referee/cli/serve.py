"""`unoduo serve`: serves matches until a signal stops it."""

import argparse
import logging
from pathlib import Path

from referee.cli.arguments import DEFAULT_HOST, DEFAULT_PORT, Commands
from referee.cli.failures import CommandError, ExitCode
from referee.cli.interruption import run_interruptible
from referee.cli.settings import number

_EPILOG = """\
Prints one line with its address when it is ready, and serves until SIGINT or SIGTERM; what goes wrong meanwhile is
logged on the error output. Whoever can reach the port is an organiser, hence loopback addresses only."""
_LARGEST_PORT = 65_535
_MEMORY = "memory"


def add_to(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "serve", help="serve matches over gRPC", description="Serves matches over gRPC.", epilog=_EPILOG
    )
    parser.add_argument("--host", default=DEFAULT_HOST, help="a loopback address (default: %(default)s)")
    parser.add_argument(
        "--port",
        type=number("PORT"),
        default=DEFAULT_PORT,
        help="the port; 0 takes a free one (default: %(default)s)",
    )
    parser.add_argument(
        "--store",
        default=_MEMORY,
        metavar="DIR",
        help="the directory that keeps the matches, or `memory` to forget them at the end (default: %(default)s)",
    )
    parser.add_argument("--dev", action="store_true", help="answer reflection requests, for grpcurl")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Serves. Returns OK after a signal; raises CommandError for a bad host, busy port or unusable store."""
    if options.port > _LARGEST_PORT:
        raise CommandError(f"--port must be at most {_LARGEST_PORT}, not {options.port}")
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
    code = run_interruptible(lambda: _serve(options))
    # A signal is how a server is meant to end.
    return ExitCode.OK if code in (ExitCode.INTERRUPTED, ExitCode.TERMINATED) else code


async def _serve(options: argparse.Namespace) -> ExitCode:
    from referee.server.binding import ServeError
    from referee.server.runtime import serve
    from referee.store.base import Store
    from referee.store.errors import StoreUnavailable
    from referee.store.memory import MemoryStore
    from referee.store.sqlite import SqliteStore

    store: Store = MemoryStore() if options.store == _MEMORY else SqliteStore(Path(options.store))
    try:
        async with serve(store, host=options.host, port=options.port, dev=options.dev) as running:
            print(f"serving on {running.address}, store {options.store}", flush=True)
            error = await running.failed
    except (ServeError, StoreUnavailable) as refusal:
        raise CommandError(str(refusal)) from None
    raise CommandError(str(error), ExitCode.FAILED)
