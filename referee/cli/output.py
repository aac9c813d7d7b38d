"""Printing for people and for programs, and reading files."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from referee.cli.failures import CommandError

if TYPE_CHECKING:
    from referee.report.objects import Json


def print_json(value: "Json") -> None:
    """Prints one value on one line, with the keys in the order given."""
    print(json.dumps(value, ensure_ascii=sys.stdout.encoding.lower() != "utf-8"))


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Opens a file for reading. Raises CommandError if it is missing or cannot be read.

    A pipe that nobody writes to is empty: nothing is waited for.
    """
    try:
        # Closed below; errors of the caller are not ours.
        stream = open(path, "rb", opener=open_at_once)  # noqa: SIM115
    except OSError as error:
        raise CommandError(f"cannot read {path}: {reason_of(error)}") from None
    with stream:
        yield stream


def require_seekable(stream: BinaryIO, path: str) -> BinaryIO:
    """Returns an opened file that can be read more than once. Raises CommandError for a pipe."""
    if not stream.seekable():
        raise CommandError(f"{path} is a pipe: it is read more than once, so save it to a file")
    return stream


def open_at_once(path: str, flags: int) -> int:
    """Returns the descriptor of a file, without waiting for somebody to write to a pipe."""
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor


def reason_of(error: OSError) -> str:
    """Returns why the system refused, in lower case, such as `permission denied`."""
    text = error.strerror or (os.strerror(error.errno) if error.errno else str(error))
    return text[:1].lower() + text[1:]


def complain(error: CommandError) -> None:
    """Prints the one line of an error on the error output, without what could steer a terminal."""
    message = "".join(character if character.isprintable() else "?" for character in error.message)
    print(f"unoduo: {message}", file=sys.stderr)
