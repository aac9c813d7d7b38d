"""The replay file: vectors, the writer, and the blame for every single flipped bit."""

import io

import pytest

from referee.log.file_format import (
    FILE_HEAD,
    MAX_ENTRY,
    MAX_SECTION,
    EntryPart,
    FileFault,
    HeaderPart,
    Part,
    ReplayWriter,
    RevealPart,
    SealPart,
    chained_bytes,
    read_parts,
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
    sink = io.BytesIO()
    writer = ReplayWriter(sink)
    ends = [("file head", len(FILE_HEAD))]
    head = header_head(HEADER)
    writer.header(HEADER, head)
    ends.append(("header", sink.tell()))
    for index, entry in enumerate(ENTRIES, 1):
        head = entry_head(head, entry)
        writer.entry(entry, head)
        ends.append((f"entry {index}", sink.tell()))
    writer.seal(b"seal")
    ends.append(("seal", sink.tell()))
    writer.reveal(b"reveal")
    ends.append(("reveal", sink.tell()))
    return sink.getvalue(), ends


@pytest.mark.parametrize("case", **named("log/files.json"))
def test_reader_finds_what_the_vectors_say(case: Case) -> None:
    parts, blamed = read(unhex(case["file"]))
    assert [{"part": name_of(part), "bytes": part.data.hex()} for part in parts] == case["parts"]
    assert blamed == case.get("fault")


def test_writer_writes_the_complete_file_of_the_vectors() -> None:
    case = next(case for case in named("log/files.json")["argvalues"] if case["name"] == "complete")
    content = {part["part"]: unhex(part["bytes"]) for part in case["parts"]}
    sink = io.BytesIO()
    writer = ReplayWriter(sink)
    head = header_head(content["header"])
    writer.header(content["header"], head)
    for index in (1, 2, 3):
        head = entry_head(head, content[f"entry {index}"])
        writer.entry(content[f"entry {index}"], head)
    writer.seal(content["seal"])
    writer.reveal(content["reveal"])
    assert sink.getvalue() == unhex(case["file"])


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
    writer = ReplayWriter(sink := io.BytesIO())
    writer.header(HEADER, header_head(HEADER))
    largest = bytes(MAX_ENTRY)
    writer.entry(largest, entry_head(header_head(HEADER), largest))
    parts, blamed = read(sink.getvalue())
    assert (parts[1].data, blamed) == (largest, None)
    with pytest.raises(ValueError, match="1 to 1048576 bytes, not 1048577"):
        chained_bytes(bytes(MAX_ENTRY + 1), bytes(32))
    with pytest.raises(ValueError, match="1 to 65536 bytes, not 65537"):
        writer.seal(bytes(MAX_SECTION + 1))


def test_writer_refuses_a_head_that_does_not_follow() -> None:
    writer = ReplayWriter(sink := io.BytesIO())
    with pytest.raises(FileFault) as header_fault:
        writer.header(HEADER, bytes(32))
    assert header_fault.value.part == "header"
    writer.header(HEADER, header_head(HEADER))
    first = entry_head(header_head(HEADER), b"one")
    writer.entry(b"one", first)
    before = sink.getvalue()
    with pytest.raises(FileFault) as entry_fault:
        writer.entry(b"two", entry_head(header_head(HEADER), b"two"))
    assert entry_fault.value.part == "entry 2"
    assert sink.getvalue() == before
