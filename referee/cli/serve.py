"""`unoduo serve`: serves matches until a signal stops it."""

import argparse
import asyncio
from ipaddress import ip_address
from pathlib import Path

from referee.cli.arguments import DEFAULT_HOST, DEFAULT_PORT, Commands
from referee.cli.failures import CommandError, ExitCode
from referee.cli.interruption import run_interruptible
from referee.cli.settings import number

_EPILOG = """\
Prints one line with its address when it is ready, and serves until SIGINT or SIGTERM. Whoever can reach the port is an
organiser, hence loopback addresses only."""
_LARGEST_PORT = 65_535


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
        default="memory",
        metavar="DIR",
        help="the directory that keeps the matches, or `memory` to forget them at the end (default: %(default)s)",
    )
    parser.add_argument("--dev", action="store_true", help="answer reflection requests, for grpcurl")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Serves. Returns OK after a signal; raises CommandError for a bad host, busy port or unusable store."""
    _check_address(options.host, options.port)
    code = run_interruptible(lambda: _serve(options))
    # A signal is how a server is meant to end.
    return ExitCode.OK if code in (ExitCode.INTERRUPTED, ExitCode.TERMINATED) else code


def _check_address(host: str, port: int) -> None:
    try:
        loopback = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise CommandError(f"--host must be a loopback address, such as {DEFAULT_HOST}, not {host}")
    if port > _LARGEST_PORT:
        raise CommandError(f"--port must be at most {_LARGEST_PORT}, not {port}")


async def _serve(options: argparse.Namespace) -> ExitCode:
    from referee.server.runtime import PortBusy, serve
    from referee.store.base import Store
    from referee.store.errors import StoreUnavailable
    from referee.store.memory import MemoryStore
    from referee.store.sqlite import SqliteStore

    store: Store = MemoryStore() if options.store == "memory" else SqliteStore(Path(options.store))
    try:
        async with serve(store, host=options.host, port=options.port, dev=options.dev) as running:
            print(f"serving on {options.host}:{running.port}, store {options.store}", flush=True)
            await asyncio.get_running_loop().create_future()
    except (PortBusy, StoreUnavailable) as error:
        raise CommandError(str(error)) from None
    return ExitCode.OK
