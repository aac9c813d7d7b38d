"""Reads a replay file as what it says, without judging it."""

from collections.abc import Iterator
from dataclasses import dataclass

from referee.codec.entries import Entry, decode_entry
from referee.codec.errors import Malformed
from referee.codec.headers import Header, decode_header
from referee.log.byte_streams import Source
from referee.log.file_format import EntryPart, FileFault, HeaderPart, Part, read_parts


@dataclass(frozen=True, slots=True)
class Replay:
    """Holds the header of a file and its entries, which are read one by one as they are asked for, once."""

    header: Header
    entries: Iterator[Entry]


def replay(stream: Source) -> Replay:
    """Returns what a replay file tells; heads are checked, rules are not (`verify` does that).

    Raises:
        FileFault: here for the file head and the header, and while the entries are read for the part that is damaged
            or holds what no such part has.
    """
    parts = read_parts(stream)
    first = next(parts)
    # The reader yields the header first or raises.
    assert isinstance(first, HeaderPart)
    try:
        header = decode_header(first.data)
    except Malformed as malformed:
        raise FileFault("header", str(malformed)) from None
    return Replay(header, _entries(parts))


def _entries(parts: Iterator[Part]) -> Iterator[Entry]:
    for part in parts:
        if isinstance(part, EntryPart):
            try:
                yield decode_entry(part.data)
            except Malformed as malformed:
                raise FileFault(f"entry {part.index}", str(malformed)) from None
