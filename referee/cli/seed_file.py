"""Files that hold a seed of 32 bytes, as 64 hex digits, for their owner alone."""

from pathlib import Path
from typing import Final

from referee.cli.failures import CommandError
from referee.cli.private_files import NewFile, read_private

SEED_SIZE: Final = 32


def read_seed(path: Path) -> bytes:
    """Returns the seed in a file. Raises CommandError, also for a file that others may read."""
    try:
        seed = bytes.fromhex(read_private(path).decode("ascii", "replace"))
    except ValueError:
        seed = b""
    if len(seed) != SEED_SIZE:
        raise CommandError(f"{path} does not hold a seed of 64 hex digits")
    return seed


def seed_file(path: Path, seed: bytes) -> NewFile:
    """Returns what is to be written for `read_seed`."""
    return NewFile(path, seed.hex().encode() + b"\n")
