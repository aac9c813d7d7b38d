"""The file with the key by which a referee signs, and the one with its public key."""

import os
from pathlib import Path
from stat import S_IMODE
from typing import TYPE_CHECKING, Final

from referee.cli.failures import CommandError
from referee.cli.output import reason_of

if TYPE_CHECKING:
    from referee.audit.signatures import SigningKey

_OWNER_ONLY: Final = 0o600
_EVERYBODY: Final = 0o644
_OTHERS: Final = 0o077


def make_signing_key(path: Path) -> "SigningKey":
    """Writes a new key, readable for its owner alone, and its public key as hex digits beside it, as `public_name`.

    Raises CommandError, also for a file that is there already.
    """
    from referee.audit.signatures import SigningKey

    key = SigningKey.generate()
    _write(path, key.to_pem(), _OWNER_ONLY)
    _write(public_name(path), f"{key.public.hex()}\n".encode(), _EVERYBODY)
    return key


def public_name(path: Path) -> Path:
    """Returns where the public key of a key file is written."""
    return path.with_name(f"{path.name}.pub")


def read_signing_key(path: Path) -> "SigningKey":
    """Returns the key in a file. Raises CommandError, also for a file that others may read."""
    from referee.audit.signatures import SigningKey

    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read()
    except OSError as error:
        raise CommandError(f"cannot read {path}: {reason_of(error)}") from None
    if S_IMODE(mode) & _OTHERS:
        raise CommandError(f"{path} can be read by others: chmod 600 it, or give another file")
    try:
        return SigningKey.from_pem(data)
    except ValueError:
        raise CommandError(f"{path} holds no signing key (unoduo keygen --signing FILE makes one)") from None


def _write(path: Path, data: bytes, mode: int) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    except FileExistsError:
        raise CommandError(f"{path} is there already, and is not replaced") from None
    except OSError as error:
        raise CommandError(f"cannot write {path}: {reason_of(error)}") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
