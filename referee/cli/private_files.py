"""Files with secrets: written once, for their owner alone, and read only if that has stayed so."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_IMODE
from typing import Final

from referee.cli.failures import CommandError
from referee.cli.output import open_at_once, reason_of

OWNER_ONLY: Final = 0o600
EVERYBODY: Final = 0o644
_OTHERS: Final = 0o077


class FileThere(CommandError):
    """Tells that a file is there already, and is not replaced."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is there already, and is not replaced")


@dataclass(frozen=True, slots=True)
class NewFile:
    """Holds what is to be written where, and who may read it; the content is not in the `repr`."""

    path: Path
    data: bytes = field(repr=False)
    mode: int = OWNER_ONLY


def write_new(*files: NewFile) -> None:
    """Writes files that are not there yet, all or none. Raises FileThere, and CommandError if that cannot be done."""
    written: list[Path] = []
    try:
        for file in files:
            _write(file, written)
    except CommandError:
        for path in written:
            path.unlink(missing_ok=True)
        raise


def read_private(path: Path) -> bytes:
    """Returns what a file holds. Raises CommandError, also for a file that others may read."""
    try:
        with open(path, "rb", opener=open_at_once) as file:
            if S_IMODE(os.fstat(file.fileno()).st_mode) & _OTHERS:
                raise CommandError(f"{path} can be read by others: chmod 600 it, or give another file")
            return file.read()
    except OSError as error:
        raise CommandError(f"cannot read {path}: {reason_of(error)}") from None


def _write(file: NewFile, written: list[Path]) -> None:
    try:
        descriptor = os.open(file.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, file.mode)
        written.append(file.path)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(file.data)
    except FileExistsError:
        raise FileThere(file.path) from None
    except OSError as error:
        raise CommandError(f"cannot write {file.path}: {reason_of(error)}") from None
