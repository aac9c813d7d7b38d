"""The journal file of a seat: what it saw and did, record by record, as it happened.

Layout: "UNODUOJ", u8 version, then for each record a u32 length (big-endian) and its bytes. The records carry no
hashes of their own: a journal is proof of what its owner saw only together with the heads recorded in it.
"""

from collections.abc import Iterator

from referee.log.byte_streams import Source, read_up_to

MAGIC = b"UNODUOJ"
VERSION = 1
JOURNAL_HEAD = MAGIC + bytes((VERSION,))
MAX_RECORD = 1 << 20

_LENGTH_SIZE = 4


class JournalFault(Exception):
    """Names the first record (from 1; 0 is the file head) of a journal that cannot be read."""

    def __init__(self, record: int, message: str) -> None:
        super().__init__(f"record {record}: {message}" if record else f"file head: {message}")
        self.record = record
        self.message = message


def read_records(source: Source, *, allow_torn: bool = False) -> Iterator[bytes]:
    """Yields the records of a journal one by one.

    A last record cut short, as a killed client leaves it, ends the journal when `allow_torn` is set. Raises
    JournalFault otherwise, and for a length out of range.
    """
    head = read_up_to(source, len(JOURNAL_HEAD))
    if head[: len(MAGIC)] != MAGIC:
        raise JournalFault(0, "this is no journal")
    if head != JOURNAL_HEAD:
        raise JournalFault(0, f"this program reads journals of version {VERSION} only")
    number = 0
    while length := read_up_to(source, _LENGTH_SIZE):
        number += 1
        size = int.from_bytes(length, "big")
        if len(length) == _LENGTH_SIZE and not 0 < size <= MAX_RECORD:
            raise JournalFault(number, f"a length of {size} bytes is out of range (1 to {MAX_RECORD})")
        data = read_up_to(source, size) if len(length) == _LENGTH_SIZE else b""
        if len(length) < _LENGTH_SIZE or len(data) < size:
            if allow_torn:
                return
            raise JournalFault(number, "the journal is cut short")
        yield data
