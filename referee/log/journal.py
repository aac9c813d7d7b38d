"""The journal file of a seat: what it saw and did, record by record, as it happened.

Layout: "UNODUOJ", u8 version, then for each record a u32 length (big-endian) and its bytes. The records carry no
hashes of their own: a journal is proof of what its owner saw only together with the heads recorded in it. Journals of
version 1 have the same form; what version 2 promises to have besides is said in PROTOCOL.md, "The journal".
"""

from collections.abc import Iterator

from referee.log.byte_streams import U32, Source, read_up_to

MAGIC = b"UNODUOJ"
VERSION = 2
_READABLE = (1, VERSION)
JOURNAL_HEAD = MAGIC + bytes((VERSION,))
MAX_RECORD = 1 << 20


class JournalFault(Exception):
    """Names the first record (from 1; 0 is the file head) of a journal that cannot be read."""

    def __init__(self, record: int, message: str) -> None:
        super().__init__(f"record {record}: {message}" if record else f"file head: {message}")
        self.record = record
        self.message = message


def read_version(source: Source) -> int:
    """Reads the head of a journal and returns its version. Raises JournalFault for what is none or a later one."""
    head = read_up_to(source, len(JOURNAL_HEAD))
    if head[: len(MAGIC)] != MAGIC:
        raise JournalFault(0, "this is no journal")
    if len(head) < len(JOURNAL_HEAD) or head[-1] not in _READABLE:
        raise JournalFault(0, f"this program reads journals up to version {VERSION} only")
    return head[-1]


def read_records(source: Source, *, allow_torn: bool = False) -> Iterator[bytes]:
    """Yields the records of a journal one by one.

    A last record cut short, as a killed client leaves it, ends the journal when `allow_torn` is set. Raises
    JournalFault otherwise, and for a length out of range.
    """
    read_version(source)
    number = 0
    while length := read_up_to(source, U32.size):
        number += 1
        record = _read_record(source, number, length) if len(length) == U32.size else None
        if record is None:
            if allow_torn:
                return
            raise JournalFault(number, "the journal is cut short")
        yield record


def _read_record(source: Source, number: int, length: bytes) -> bytes | None:
    size: int = U32.unpack(length)[0]
    if not 0 < size <= MAX_RECORD:
        raise JournalFault(number, f"a length of {size} bytes is out of range (1 to {MAX_RECORD})")
    data = read_up_to(source, size)
    return data if len(data) == size else None
