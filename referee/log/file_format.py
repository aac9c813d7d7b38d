"""The replay file: a match as one stream of bytes that shows each change, down to the bit, in its own part.

Layout, integers big-endian::

    file head   "UNODUO", u16 version
    header      u32 length, bytes, head 32
    entry n     u32 length, bytes, head 32                     n from 1
    seal        u8 0xF5, u32 length, bytes, digest 32          at most one, after the last entry
    reveal      u8 0xFA, u32 length, bytes, digest 32          at most one, after the seal

A head is that of the chain in `heads`; a digest is SHA-256 over 0x03, tag, length and bytes. The first byte of an entry
is the top byte of its length, hence 0, and each tag has six bits set: a first byte with at most one bit set is a
(perhaps damaged) length, any other a (perhaps damaged) tag, so that one flipped bit never moves the blame to another
part. A file may end after any part, and is then incomplete, which is a fact for the caller and no fault.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from struct import Struct
from types import MappingProxyType

from referee.log.byte_streams import U32, SeekableSource, Source, read_up_to
from referee.log.heads import HEAD_SIZE, entry_head, header_head

MAGIC = b"UNODUO"
VERSION = 1
_U16 = Struct(">H")
FILE_HEAD = MAGIC + _U16.pack(VERSION)
MAX_ENTRY = 1 << 20
MAX_SECTION = 1 << 16
SEAL_TAG = 0xF5
REVEAL_TAG = 0xFA

_PARTS = MappingProxyType({SEAL_TAG: "seal", REVEAL_TAG: "reveal"})


class FileFault(Exception):
    """Names the first part that is not as it was written: `file head`, `header`, `entry N`, `seal` or `reveal`."""

    def __init__(self, part: str, message: str) -> None:
        super().__init__(f"{part}: {message}")
        self.part = part
        self.message = message


@dataclass(frozen=True, slots=True)
class HeaderPart:
    """Holds the header as stored, and `h0`."""

    data: bytes
    head: bytes


@dataclass(frozen=True, slots=True)
class EntryPart:
    """Holds an entry as stored: its index from 1, its bytes and the head after it."""

    index: int
    data: bytes
    head: bytes


@dataclass(frozen=True, slots=True)
class SealPart:
    """Holds the seal as stored."""

    data: bytes


@dataclass(frozen=True, slots=True)
class RevealPart:
    """Holds the reveal as stored."""

    data: bytes


Part = HeaderPart | EntryPart | SealPart | RevealPart


def chained_bytes(data: bytes, head: bytes) -> bytes:
    """Returns a header or an entry with the head after it as the file holds them. Raises ValueError for its size."""
    if not 0 < len(data) <= MAX_ENTRY or len(head) != HEAD_SIZE:
        raise ValueError(f"a header or entry has 1 to {MAX_ENTRY} bytes, not {len(data)}, and a head {HEAD_SIZE}")
    return U32.pack(len(data)) + data + head


def section_bytes(tag: int, data: bytes) -> bytes:
    """Returns a seal or a reveal as the file holds it. Raises ValueError for its size."""
    if not 0 < len(data) <= MAX_SECTION:
        raise ValueError(f"a seal or reveal has 1 to {MAX_SECTION} bytes, not {len(data)}")
    body = bytes((tag,)) + U32.pack(len(data)) + data
    return body + _digest(body)


def read_parts(source: Source) -> Iterator[Part]:
    """Yields the parts of a replay file one by one, each after its head or digest has been checked.

    Raises FileFault at the first part that is damaged, cut short or out of order. Holds one part at a time.
    """
    _read_file_head(source)
    part = "header"
    data = _read_sized(source, part, _read_exactly(source, U32.size, part), MAX_ENTRY)
    head = _read_exactly(source, HEAD_SIZE, part)
    if header_head(data) != head:
        raise FileFault(part, "its head is not that of its bytes")
    yield HeaderPart(data, head)

    index = 0
    while (first := source.read(1)) and first[0].bit_count() <= 1:
        index += 1
        part = f"entry {index}"
        length = first + _read_exactly(source, U32.size - 1, part)
        data = _read_sized(source, part, length, MAX_ENTRY)
        stored = _read_exactly(source, HEAD_SIZE, part)
        head = entry_head(head, data)
        if head != stored:
            raise FileFault(part, "its head does not follow from the one before and its bytes")
        yield EntryPart(index, data, head)
    if not first:
        return

    yield SealPart(_read_section(source, SEAL_TAG, first))
    if not (first := source.read(1)):
        return

    yield RevealPart(_read_section(source, REVEAL_TAG, first))
    if source.read(1):  # mutant: to ask for more says as well that something follows
        raise FileFault("reveal", "bytes follow it")


def read_sections(source: SeekableSource) -> tuple[SealPart | None, RevealPart | None]:
    """Returns seal and reveal, skipping what stands before them: a verifier needs the seed before the first entry.

    One that is missing, damaged or behind a damaged length is None; what is wrong, and where, `read_parts` tells. The
    file begins at place 0 of the source; the source is left anywhere.
    """
    source.seek(len(FILE_HEAD))
    seal: SealPart | None = None
    try:
        while (first := source.read(1)) == b"\0":
            length = first + read_up_to(source, U32.size - 1)
            if len(length) < U32.size:
                return None, None
            size = U32.unpack(length)[0]
            if not 0 < size <= MAX_ENTRY:
                return None, None
            source.seek(size + HEAD_SIZE, 1)
        if first:
            seal = SealPart(_read_section(source, SEAL_TAG, first))
            if first := source.read(1):
                return seal, RevealPart(_read_section(source, REVEAL_TAG, first))
    except FileFault:
        pass
    return seal, None


def _read_file_head(source: Source) -> None:
    part = "file head"
    found = read_up_to(source, len(FILE_HEAD))
    if found[: len(MAGIC)] != MAGIC:
        raise FileFault(part, "this is no replay file")
    if len(found) != len(FILE_HEAD):
        raise FileFault(part, "the file is cut short")
    version = _U16.unpack(found[len(MAGIC) :])[0]
    if version != VERSION:
        raise FileFault(part, f"format version {version} is unknown, this program reads {VERSION}")


def _read_section(source: Source, tag: int, first: bytes) -> bytes:
    part = _PARTS[tag]
    if first[0] != tag:
        raise FileFault(part, f"it begins with byte 0x{first[0]:02x}, not 0x{tag:02x}")
    length = _read_exactly(source, U32.size, part)
    data = _read_sized(source, part, length, MAX_SECTION)
    if _read_exactly(source, HEAD_SIZE, part) != _digest(first + length + data):
        raise FileFault(part, "its digest is not that of its bytes")
    return data


def _read_sized(source: Source, part: str, length: bytes, limit: int) -> bytes:
    size: int = U32.unpack(length)[0]
    if not 0 < size <= limit:
        raise FileFault(part, f"a length of {size} bytes is out of range (1 to {limit})")
    return _read_exactly(source, size, part)


def _read_exactly(source: Source, size: int, part: str) -> bytes:
    data = read_up_to(source, size)
    if len(data) != size:
        raise FileFault(part, "the file is cut short")
    return data


def _digest(body: bytes) -> bytes:
    return sha256(b"\x03" + body).digest()
