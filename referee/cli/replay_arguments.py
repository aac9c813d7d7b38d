"""What the commands that look at a replay have in common: their arguments, and where they write."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from referee.cli.arguments import Parser
from referee.cli.failures import CommandError
from referee.cli.output import reason_of


def add_replay_arguments(parser: Parser) -> None:
    """Adds the file and who looks at it."""
    parser.add_argument("file", metavar="FILE", help="a replay file")
    observer = parser.add_mutually_exclusive_group()
    observer.add_argument("--seat", choices=["A", "B"], help="show what this seat saw")
    observer.add_argument("--spectator", action="store_true", help="show what everybody saw")


def observer_name(options: argparse.Namespace) -> str:
    """Returns the value of the `Observer` that the options name; without any the auditor looks, who sees all."""
    name: str | None = options.seat
    return name or ("spectator" if options.spectator else "auditor")


@contextmanager
def written(target: str, source: str) -> Iterator[IO[bytes]]:
    """Opens a file for writing that appears, in the place of one that was there, once all of it is written.

    What is no regular file, such as a pipe, is written as it is.

    Raises:
        CommandError: if the target is the source, or cannot be written.
    """
    path = Path(target)
    try:
        if path.exists() and path.samefile(source):
            raise CommandError(f"{target} is the file that is read")
        if path.exists() and not path.is_file():
            with path.open("wb") as stream:
                yield stream
        else:
            with replacing(path.resolve()) as stream:
                yield stream
    except OSError as error:
        raise CommandError(f"cannot write {target}: {reason_of(error)}") from None


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Opens a new file for writing that takes the place of this one once all of it is written. Raises OSError."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as stream:
        unfinished = Path(stream.name)
        try:
            yield stream
            stream.flush()
            os.chmod(stream.fileno(), 0o666 & ~_umask())
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise


def _umask() -> int:
    """Returns the mask of the process, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
