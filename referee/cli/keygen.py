"""`unoduo keygen`: makes a key and a certificate for TLS, or the key by which a referee signs."""

import argparse
from pathlib import Path

from referee.cli.arguments import Commands
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import reason_of
from referee.cli.private_files import EVERYBODY, NewFile, write_new
from referee.cli.signing_key import make_signing_key, public_name

_EPILOG = """\
Files that are there are never replaced.

--tls writes cert.pem and key.pem into the directory. The certificate signs itself and holds for ten years, for
localhost, 127.0.0.1, ::1 and each --name. Serve with both:

  unoduo serve --host HOST --tls-cert DIR/cert.pem --tls-key DIR/key.pem --organiser-token FILE

and give cert.pem, never key.pem, to all who call: unoduo match list --address HOST:PORT --tls-ca cert.pem

--signing writes a key that signs results and the index (unoduo serve --signing-key FILE), for its owner alone, and its
public key as 64 hex digits beside it, as FILE.pub, and prints the public key and its id. Give FILE.pub, never FILE, to
all who verify: unoduo verify --key FILE.pub REPLAY"""


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Makes a key and a certificate for TLS, or a key that signs."
    parser = commands.add_parser(
        "keygen", help="make a certificate for TLS, or a signing key", description=description, epilog=_EPILOG
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--tls", type=Path, metavar="DIR", help="the directory to write key and certificate into")
    what.add_argument("--signing", type=Path, metavar="FILE", help="the file to write a signing key into")
    parser.add_argument(
        "--name", action="append", default=[], metavar="HOST", help="a further host name or address; may be repeated"
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Writes both files. Raises CommandError if that cannot be done."""
    if options.signing is None:
        _make_certificate(options)
        return ExitCode.OK
    if options.name:
        raise CommandError("--name belongs to --tls")
    key = make_signing_key(options.signing)
    if not options.quiet:
        print(f"public key {key.public.hex()}, in {public_name(options.signing)}")
        print(f"key id {key.key_id.hex()}")
    return ExitCode.OK


def _make_certificate(options: argparse.Namespace) -> None:
    from referee.server.tls import make_certificate

    try:
        certificate = make_certificate(options.name)
    except ValueError as error:
        raise CommandError(str(error)) from None
    try:
        options.tls.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"cannot write into {options.tls}: {reason_of(error)}") from None
    chain, key = options.tls / "cert.pem", options.tls / "key.pem"
    write_new(NewFile(chain, certificate.chain, EVERYBODY), NewFile(key, certificate.key))
    if not options.quiet:
        print(chain, key, sep="\n")
