"""`unoduo serve`: serves matches until a signal stops it."""

import argparse
import logging
from pathlib import Path

from referee.cli.arguments import DEFAULT_HOST, DEFAULT_PORT, Commands
from referee.cli.failures import CommandError, ExitCode
from referee.cli.interruption import run_interruptible
from referee.cli.limits import limit, limits_help
from referee.cli.organiser_token import organiser_token
from referee.cli.settings import number
from referee.cli.signing_key import read_signing_key

_EPILOG = """\
Prints one line with its address when it is ready, and serves until SIGINT, SIGTERM or SIGHUP; what goes wrong meanwhile
is logged on the error output.

Without --organiser-token whoever reaches the port without a token of a seat is the organiser, hence loopback addresses
only. With it the organiser is known by the token in that file, which is made if it is missing: give its name to the
other commands as --token-file. Other addresses than loopback need that, and TLS (unoduo keygen makes a certificate) or
--insecure, which lets everybody on the way read and change what is said.

With --signing-key (unoduo keygen --signing FILE makes one) results and the index are signed, of matches made under that
key. Give auditors the public key by another way than the replays: a signature proves no more than that.

The limits, with their defaults, which --limit NAME=VALUE changes:
"""
_LARGEST_PORT = 65_535
_MEMORY = "memory"


def add_to(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "serve", help="serve matches over gRPC", description="Serves matches over gRPC.", epilog=_EPILOG + limits_help()
    )
    parser.add_argument("--host", default=DEFAULT_HOST, help="the address to listen on (default: %(default)s)")
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
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", help="speak TLS with this certificate (PEM)")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="the key of the certificate (PEM)")
    parser.add_argument(
        "--insecure", action="store_true", help="speak plaintext also on an address that other machines reach"
    )
    parser.add_argument(
        "--organiser-token", type=Path, metavar="FILE", help="know the organiser by the token in this file"
    )
    parser.add_argument(
        "--signing-key", type=Path, metavar="FILE", help="sign results and the index with the key in this file (PEM)"
    )
    parser.add_argument(
        "--limit", type=limit, action="append", default=[], metavar="NAME=VALUE", help="change a limit; see below"
    )
    parser.add_argument("--dev", action="store_true", help="answer reflection requests, for grpcurl")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Serves. Returns OK after a signal; raises CommandError for a bad host, busy port or unusable store."""
    if not 0 <= options.port <= _LARGEST_PORT:
        raise CommandError(f"--port must be 0 to {_LARGEST_PORT}, not {options.port}")
    if not options.store:
        raise CommandError("--store needs the name of a directory, or `memory`")
    if Path(options.store).is_file():
        raise CommandError(f"--store needs a directory, or `memory`; {options.store} is a file")
    if (options.tls_cert is None) != (options.tls_key is None):
        raise CommandError("--tls-cert and --tls-key go together")
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
    code = run_interruptible(lambda: _serve(options))
    # A signal is how a server is meant to end.
    return ExitCode.OK if code in (ExitCode.INTERRUPTED, ExitCode.TERMINATED) else code


async def _serve(options: argparse.Namespace) -> ExitCode:
    from referee.server.binding import ServeError
    from referee.server.limits import Limits
    from referee.server.runtime import serve
    from referee.server.tls import read_certificate
    from referee.store.base import Store
    from referee.store.errors import StoreUnavailable
    from referee.store.memory import MemoryStore
    from referee.store.sqlite import SqliteStore

    store: Store = MemoryStore() if options.store == _MEMORY else SqliteStore(Path(options.store))
    try:
        certificate = read_certificate(options.tls_cert, options.tls_key) if options.tls_cert is not None else None
        token = organiser_token(options.organiser_token) if options.organiser_token is not None else None
        signer = read_signing_key(options.signing_key) if options.signing_key is not None else None
        async with serve(
            store,
            host=options.host,
            port=options.port,
            dev=options.dev,
            limits=Limits(**dict(options.limit)),
            certificate=certificate,
            insecure=options.insecure,
            organiser_token=token,
            signer=signer,
        ) as running:
            print(f"serving on {running.address}, store {options.store}", flush=True)
            error = await running.failed
    except (ServeError, StoreUnavailable) as refusal:
        raise CommandError(str(refusal)) from None
    raise CommandError(str(error), ExitCode.FAILED)
