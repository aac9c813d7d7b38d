"""The replay file: vectors, its parts as written, and the blame for every single flipped bit."""

import io
from itertools import accumulate

import pytest

from referee.log.file_format import (
    FILE_HEAD,
    MAX_ENTRY,
    MAX_SECTION,
    REVEAL_TAG,
    SEAL_TAG,
    EntryPart,
    FileFault,
    HeaderPart,
    Part,
    RevealPart,
    SealPart,
    chained_bytes,
    read_parts,
    section_bytes,
)
from referee.log.heads import entry_head, header_head
from tests.log.vectors import Case, named, unhex

HEADER = b"header"
ENTRIES = (b"entry one", b"\x00", b"\xf5\xfa" * 3)


class Trickle(io.RawIOBase):
    """A raw stream that gives one byte at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def read(self, size: int = -1, /) -> bytes:
        return self._data.read(min(size, 1))


def name_of(part: Part) -> str:
    if isinstance(part, HeaderPart):
        return "header"
    if isinstance(part, EntryPart):
        return f"entry {part.index}"
    return "seal" if isinstance(part, SealPart) else "reveal"


def read(data: bytes) -> tuple[list[Part], str | None]:
    """Returns the parts read and the part blamed."""
    parts: list[Part] = []
    try:
        for part in read_parts(io.BytesIO(data)):
            parts.append(part)  # noqa: PERF402 (what came before a fault counts)
    except FileFault as fault:
        return parts, fault.part
    return parts, None


def written() -> tuple[bytes, list[tuple[str, int]]]:
    """Returns a whole file and the part that each of its bytes belongs to, as (part, end)."""
    head = header_head(HEADER)
    pieces = [("file head", FILE_HEAD), ("header", chained_bytes(HEADER, head))]
    for index, entry in enumerate(ENTRIES, 1):
        head = entry_head(head, entry)
        pieces.append((f"entry {index}", chained_bytes(entry, head)))
    pieces += [("seal", section_bytes(SEAL_TAG, b"seal")), ("reveal", section_bytes(REVEAL_TAG, b"reveal"))]
    ends = accumulate(len(data) for _, data in pieces)
    return b"".join(data for _, data in pieces), [(part, end) for (part, _), end in zip(pieces, ends, strict=True)]


@pytest.mark.parametrize("case", **named("log/files.json"))
def test_reader_finds_what_the_vectors_say(case: Case) -> None:
    parts, blamed = read(unhex(case["file"]))
    assert [{"part": name_of(part), "bytes": part.data.hex()} for part in parts] == case["parts"]
    assert blamed == case.get("fault")


def test_parts_joined_are_the_complete_file_of_the_vectors() -> None:
    case = next(case for case in named("log/files.json")["argvalues"] if case["name"] == "complete")
    content = {part["part"]: unhex(part["bytes"]) for part in case["parts"]}
    head = header_head(content["header"])
    data = FILE_HEAD + chained_bytes(content["header"], head)
    for index in (1, 2, 3):
        entry = content[f"entry {index}"]
        head = entry_head(head, entry)
        data += chained_bytes(entry, head)
    data += section_bytes(SEAL_TAG, content["seal"]) + section_bytes(REVEAL_TAG, content["reveal"])
    assert data == unhex(case["file"])


def test_heads_are_read_with_their_parts() -> None:
    parts, _ = read(written()[0])
    head = header_head(HEADER)
    assert parts[0] == HeaderPart(HEADER, head)
    for index, entry in enumerate(ENTRIES, 1):
        head = entry_head(head, entry)
        assert parts[index] == EntryPart(index, entry, head)
    assert parts[-2:] == [SealPart(b"seal"), RevealPart(b"reveal")]


def test_every_flipped_bit_is_blamed_on_its_part() -> None:
    data, ends = written()
    start = 0
    for part, end in ends:
        for position in range(start, end):
            for bit in range(8):
                damaged = bytearray(data)
                damaged[position] ^= 1 << bit
                assert read(bytes(damaged))[1] == part, (part, position, bit)
        start = end
    assert start == len(data)


def test_every_cut_is_blamed_on_its_part_or_leaves_whole_parts() -> None:
    data, ends = written()
    start = 0
    for count, (part, end) in enumerate(ends):
        for length in range(start, end):
            at_border = length == start and part not in ("file head", "header")
            parts, blamed = read(data[:length])
            assert blamed == (None if at_border else part), (part, length)
            assert len(parts) == max(0, count - 1)
        start = end


def test_stream_that_gives_little_at_a_time_is_read_whole() -> None:
    data, ends = written()
    assert len(list(read_parts(Trickle(data)))) == len(ends) - 1


def test_reader_asks_for_no_more_than_a_part_at_a_time() -> None:
    data, ends = written()
    source = io.BytesIO(data)
    borders = {end for _, end in ends}
    for _ in read_parts(source):
        assert source.tell() in borders


def test_damaged_length_is_refused_before_anything_is_read_for_it() -> None:
    source = io.BytesIO(FILE_HEAD + (MAX_ENTRY + 1).to_bytes(4, "big") + bytes(100))
    with pytest.raises(FileFault, match=r"header: a length of 1048577 bytes is out of range \(1 to 1048576\)"):
        list(read_parts(source))
    assert source.tell() == len(FILE_HEAD) + 4


def test_largest_entry_passes_and_a_larger_one_is_not_written() -> None:
    largest = bytes(MAX_ENTRY)
    head = header_head(HEADER)
    data = FILE_HEAD + chained_bytes(HEADER, head) + chained_bytes(largest, entry_head(head, largest))
    parts, blamed = read(data)
    assert (parts[1].data, blamed) == (largest, None)
    with pytest.raises(ValueError, match="1 to 1048576 bytes, not 1048577"):
        chained_bytes(bytes(MAX_ENTRY + 1), bytes(32))
    with pytest.raises(ValueError, match="1 to 65536 bytes, not 65537"):
        section_bytes(SEAL_TAG, bytes(MAX_SECTION + 1))


HEADER_BYTES = chained_bytes(HEADER, header_head(HEADER))
SEAL_BYTES = section_bytes(SEAL_TAG, b"seal")
REVEAL_BYTES = section_bytes(REVEAL_TAG, b"reveal")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"UNODOU\x00\x01", "file head: this is no replay file"),
        (FILE_HEAD[:-1], "file head: the file is cut short"),
        (b"UNODUO\x00\x02", "file head: format version 2 is unknown, this program reads 1"),
        (b"UNODUO\x01\x00", "file head: format version 256 is unknown, this program reads 1"),
        (FILE_HEAD, "header: the file is cut short"),
        (FILE_HEAD + bytes(4), "header: a length of 0 bytes is out of range (1 to 1048576)"),
        (FILE_HEAD + HEADER_BYTES[:-1], "header: the file is cut short"),
        (FILE_HEAD + chained_bytes(HEADER, bytes(32)), "header: its head is not that of its bytes"),
        (FILE_HEAD + HEADER_BYTES + b"\x00", "entry 1: the file is cut short"),
        (
            FILE_HEAD + HEADER_BYTES + b"\x00\x10\x00\x01",
            "entry 1: a length of 1048577 bytes is out of range (1 to 1048576)",
        ),
        (
            FILE_HEAD + HEADER_BYTES + chained_bytes(b"entry", bytes(32)),
            "entry 1: its head does not follow from the one before and its bytes",
        ),
        (FILE_HEAD + HEADER_BYTES + REVEAL_BYTES, "seal: it begins with byte 0xfa, not 0xf5"),
        (FILE_HEAD + HEADER_BYTES + b"\x03", "seal: it begins with byte 0x03, not 0xf5"),
        (
            FILE_HEAD + HEADER_BYTES + b"\xf5\x00\x01\x00\x01",
            "seal: a length of 65537 bytes is out of range (1 to 65536)",
        ),
        (FILE_HEAD + HEADER_BYTES + SEAL_BYTES[:-1], "seal: the file is cut short"),
        (
            FILE_HEAD + HEADER_BYTES + SEAL_BYTES[:-1] + bytes((SEAL_BYTES[-1] ^ 1,)),
            "seal: its digest is not that of its bytes",
        ),
        (FILE_HEAD + HEADER_BYTES + SEAL_BYTES + SEAL_BYTES, "reveal: it begins with byte 0xf5, not 0xfa"),
        (FILE_HEAD + HEADER_BYTES + SEAL_BYTES + REVEAL_BYTES[:3], "reveal: the file is cut short"),
        (FILE_HEAD + HEADER_BYTES + SEAL_BYTES + REVEAL_BYTES + b"\x00", "reveal: bytes follow it"),
    ],
)
def test_fault_says_where_and_what_in_a_sentence(data: bytes, message: str) -> None:
    with pytest.raises(FileFault) as caught:
        list(read_parts(io.BytesIO(data)))
    assert str(caught.value) == message
    assert f"{caught.value.part}: {caught.value.message}" == message


def test_sizes_that_can_be_written_are_those_that_can_be_read() -> None:
    assert chained_bytes(b"!", bytes(32)) == b"\x00\x00\x00\x01!" + bytes(32)
    assert len(chained_bytes(bytes(MAX_ENTRY), bytes(32))) == 4 + MAX_ENTRY + 32
    assert section_bytes(SEAL_TAG, b"!")[:6] == b"\xf5\x00\x00\x00\x01!"
    largest = section_bytes(SEAL_TAG, bytes(MAX_SECTION))
    assert read(FILE_HEAD + HEADER_BYTES + largest)[0][1:] == [SealPart(bytes(MAX_SECTION))]
    for data, head in ((b"", bytes(32)), (b"!", bytes(31)), (b"!", bytes(33))):
        with pytest.raises(ValueError, match=f"^a header or entry has 1 to 1048576 bytes, not {len(data)}, and a head"):
            chained_bytes(data, head)
    with pytest.raises(ValueError, match=r"^a seal or reveal has 1 to 65536 bytes, not 0$"):
        section_bytes(REVEAL_TAG, b"")
