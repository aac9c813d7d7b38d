"""The file with the key by which a referee signs, and the one with its public key."""

from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.failures import CommandError
from referee.cli.private_files import EVERYBODY, NewFile, read_private, write_new

if TYPE_CHECKING:
    from referee.audit.signatures import SigningKey


def make_signing_key(path: Path) -> "SigningKey":
    """Writes a new key, readable for its owner alone, and its public key as hex digits beside it, as `public_name`.

    Raises CommandError, also for a file that is there already.
    """
    from referee.audit.signatures import SigningKey

    if not path.name:
        raise CommandError(f"{path} names no file to write")
    key = SigningKey.generate()
    public = f"{key.public.hex()}\n".encode()
    write_new(NewFile(path, key.to_pem()), NewFile(public_name(path), public, EVERYBODY))
    return key


def public_name(path: Path) -> Path:
    """Returns where the public key of a key file is written."""
    return path.with_name(f"{path.name}.pub")


def read_signing_key(path: Path) -> "SigningKey":
    """Returns the key in a file. Raises CommandError, also for a file that others may read."""
    from referee.audit.signatures import SigningKey

    data = read_private(path)
    try:
        return SigningKey.from_pem(data)
    except ValueError:
        raise CommandError(f"{path} holds no signing key (unoduo keygen --signing FILE makes one)") from None
