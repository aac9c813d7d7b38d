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
