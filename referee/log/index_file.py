"""The file of a referee's index: its records, each with the head behind it, and a signed checkpoint if there is one.

Layout, integers big-endian::

    file head    "UNODUOI", u8 version
    record n     u32 length, bytes, head 32      n from 1
    checkpoint   u8 0xF6, signature 64           at most one, at the end

The first byte of a record is the top byte of its length, hence 0. The checkpoint signs all records before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from referee.log.byte_streams import U32, Source, read_up_to
from referee.log.file_format import MAX_SECTION, FileFault
from referee.log.heads import HEAD_SIZE, INDEX_ORIGIN, index_head

INDEX_FILE_HEAD = b"UNODUOI\x01"
INDEX = "index"
CHECKPOINT_TAG = 0xF6
SIGNATURE_SIZE = 64


@dataclass(frozen=True, slots=True)
class RecordPart:
    """Holds a record as stored and the heads before and behind it; `place` counts from 1."""

    place: int
    data: bytes
    before: bytes
    head: bytes


@dataclass(frozen=True, slots=True)
class CheckpointPart:
    """Holds the signature of the index as of its last record."""

    records: int
    head: bytes
    signature: bytes


def record_bytes(data: bytes, head: bytes) -> bytes:
    """Returns a record with the head behind it as the file holds them. Raises ValueError for its size."""
    if not 0 < len(data) <= MAX_SECTION or len(head) != HEAD_SIZE:
        raise ValueError(f"a record has 1 to {MAX_SECTION} bytes, not {len(data)}, and a head {HEAD_SIZE}")
    return U32.pack(len(data)) + data + head


def index_checkpoint(signature: bytes) -> bytes:
    """Returns a checkpoint as the file holds it, nothing if there is no signature."""
    return bytes((CHECKPOINT_TAG,)) + signature if signature else b""


def read_index(source: Source) -> Iterator[RecordPart | CheckpointPart]:
    """Yields the parts of an index one by one, each record after its head has been checked.

    Raises FileFault of part `index` at the first that is damaged or cut short.
    """
    if read_up_to(source, len(INDEX_FILE_HEAD)) != INDEX_FILE_HEAD:
        raise FileFault(INDEX, "this is no index of version 1")
    place, head = 0, INDEX_ORIGIN
    while (first := source.read(1)) and first[0] != CHECKPOINT_TAG:
        place, before = place + 1, head
        size: int = U32.unpack(first + _read_exactly(source, U32.size - 1))[0]
        if not 0 < size <= MAX_SECTION:
            raise FileFault(INDEX, f"a length of {size} bytes is out of range (1 to {MAX_SECTION})")
        data = _read_exactly(source, size)
        head = index_head(before, data)
        if _read_exactly(source, HEAD_SIZE) != head:
            message = f"record {place}: its head does not follow from the one before and its bytes"
            raise FileFault(INDEX, message)
        yield RecordPart(place, data, before, head)
    if first:
        yield CheckpointPart(place, head, _read_exactly(source, SIGNATURE_SIZE))
        if source.read(1):
            raise FileFault(INDEX, "bytes follow its checkpoint")


def _read_exactly(source: Source, size: int) -> bytes:
    data = read_up_to(source, size)
    if len(data) != size:
        raise FileFault(INDEX, "the file is cut short")
    return data
