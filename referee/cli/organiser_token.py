"""The file with the organiser's token of a referee."""

import os
from base64 import urlsafe_b64encode
from pathlib import Path
from secrets import token_bytes
from stat import S_IMODE
from typing import Final

from referee.cli.failures import CommandError
from referee.cli.output import reason_of

_TOKEN_BYTES: Final = 32
_SHORTEST: Final = 22
_OWNER_ONLY: Final = 0o600
_OTHERS: Final = 0o077


def organiser_token(path: Path) -> str:
    """Returns the token in a file, which is made with a new one if it is missing, readable for its owner alone.

    Raises CommandError for a file that others may read, and for a token of less than 22 characters, about 128 bits.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _OWNER_ONLY)
    except FileExistsError:
        return _read(path)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {reason_of(error)}") from None
    token = urlsafe_b64encode(token_bytes(_TOKEN_BYTES)).decode().rstrip("=")
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{token}\n")
    return token


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            token = file.read().strip().decode("ascii", "replace")
    except OSError as error:
        raise CommandError(f"cannot read {path}: {reason_of(error)}") from None
    if S_IMODE(mode) & _OTHERS:
        raise CommandError(f"{path} can be read by others: chmod 600 it, or give another file")
    if len(token) < _SHORTEST or not (token.isascii() and token.isprintable() and " " not in token):
        raise CommandError(f"{path} holds no token of at least {_SHORTEST} characters")
    return token
