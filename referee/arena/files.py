"""Files that are whole whenever the machine stops."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_PART_PREFIX: Final = "."
_PART_SUFFIX: Final = ".part"


def write_whole(file: Path, data: bytes) -> None:
    """Writes a file so that it is there whole or not at all. Raises OSError."""
    write_all_whole({file: data})


def write_all_whole(files: Mapping[Path, bytes]) -> None:
    """Writes files so that each is there whole or not at all; when this returns, all are. Raises OSError."""
    for file, data in files.items():
        part = file.with_name(f"{_PART_PREFIX}{file.name}{_PART_SUFFIX}")
        with part.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(part, file)
    for folder in {file.parent for file in files}:
        sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Makes what was done to the names of a folder last. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_part(file: Path) -> bool:
    """Returns whether a file is one that the end of a program has left unfinished; it is written anew in its time."""
    return file.name.startswith(_PART_PREFIX) and file.name.endswith(_PART_SUFFIX)
