"""Numbers as bytes, and what the file formats need of a binary stream."""

from struct import Struct
from typing import Final, Protocol

U32: Final = Struct(">I")


class Source(Protocol):
    """Is a binary stream to read from."""

    def read(self, size: int, /) -> bytes:
        """Returns up to `size` bytes; none at the end."""


class SeekableSource(Source, Protocol):
    """Is a binary stream to read from in any order, such as an open file."""

    def seek(self, offset: int, whence: int = ..., /) -> int:
        """Moves to a place counted from the start (0) or from the present place (1)."""


def read_up_to(source: Source, size: int) -> bytes:
    """Returns the next `size` bytes, fewer only at the end: a raw stream may give less at a time."""
    data = b""
    while more := source.read(size - len(data)):
        data += more
    return data
