"""`unoduo keygen --tls DIR`: makes a key and a certificate for a referee that other machines call."""

import argparse
from pathlib import Path

from referee.cli.arguments import Commands
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import reason_of

_EPILOG = """\
Writes cert.pem and key.pem into the directory; files that are there are never replaced. The certificate signs itself
and holds for ten years, for localhost, 127.0.0.1, ::1 and each --name. Serve with both:

  unoduo serve --host HOST --tls-cert DIR/cert.pem --tls-key DIR/key.pem --organiser-token FILE

and give cert.pem, never key.pem, to all who call: unoduo match list --address HOST:PORT --tls-ca cert.pem"""


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Makes a key and a certificate for TLS."
    parser = commands.add_parser("keygen", help="make a certificate for TLS", description=description, epilog=_EPILOG)
    parser.add_argument("--tls", type=Path, required=True, metavar="DIR", help="the directory to write into")
    parser.add_argument(
        "--name", action="append", default=[], metavar="HOST", help="a further host name or address; may be repeated"
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Writes both files. Raises CommandError if that cannot be done."""
    from referee.server.tls import CERTIFICATE_NAME, KEY_NAME, make_certificate

    try:
        make_certificate(options.tls, options.name)
    except FileExistsError as error:
        raise CommandError(f"{error.filename} is there already, and is not replaced") from None
    except OSError as error:
        raise CommandError(f"cannot write into {options.tls}: {reason_of(error)}") from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    if not options.quiet:
        for name in (CERTIFICATE_NAME, KEY_NAME):
            print(options.tls / name)
    return ExitCode.OK
