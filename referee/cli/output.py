"""Printing for people and for programs, and reading files."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from referee.cli.failures import CommandError

if TYPE_CHECKING:
    from referee.report.objects import Json


def print_json(value: "Json") -> None:
    """Prints one value on one line, with the keys in the order given."""
    print(json.dumps(value, ensure_ascii=sys.stdout.encoding.lower() != "utf-8"))


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Opens a file for reading. Raises CommandError if it is missing or cannot be read."""
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 - closed below; errors of the caller are not ours
    except OSError as error:
        raise CommandError(f"cannot read {path}: {reason_of(error)}") from None
    with stream:
        yield stream


def require_seekable(stream: BinaryIO, path: str) -> BinaryIO:
    """Returns an opened file that can be read more than once. Raises CommandError for a pipe."""
    if not stream.seekable():
        raise CommandError(f"{path} is a pipe: it is read more than once, so save it to a file")
    return stream


def reason_of(error: OSError) -> str:
    """Returns why the system refused, in lower case, such as `permission denied`."""
    text = error.strerror or (os.strerror(error.errno) if error.errno else str(error))
    return text[:1].lower() + text[1:]


def complain(error: CommandError) -> None:
    """Prints the one line of an error on the error output."""
    print(f"unoduo: {error.message}", file=sys.stderr)
