"""The file with the organiser's token of a referee."""

from base64 import urlsafe_b64encode
from pathlib import Path
from secrets import token_bytes
from typing import Final

from referee.cli.failures import CommandError
from referee.cli.private_files import FileThere, NewFile, read_private, write_new

_TOKEN_BYTES: Final = 32
_SHORTEST: Final = 22


def organiser_token(path: Path) -> str:
    """Returns the token in a file, which is made with a new one if it is missing, readable for its owner alone.

    Raises CommandError for a file that others may read, and for a token of less than 22 characters, about 128 bits.
    """
    token = urlsafe_b64encode(token_bytes(_TOKEN_BYTES)).decode().rstrip("=")
    try:
        write_new(NewFile(path, f"{token}\n".encode()))
    except FileThere:
        return _read(path)
    return token


def _read(path: Path) -> str:
    token = read_private(path).strip().decode("ascii", "replace")
    if len(token) < _SHORTEST or not (token.isascii() and token.isprintable() and " " not in token):
        raise CommandError(f"{path} holds no token of at least {_SHORTEST} characters")
    return token
