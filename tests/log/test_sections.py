from io import BytesIO

import pytest

from referee.log.file_format import (
    FILE_HEAD,
    MAX_ENTRY,
    REVEAL_TAG,
    SEAL_TAG,
    RevealPart,
    SealPart,
    chained_bytes,
    read_sections,
    section_bytes,
)

HEAD = bytes(32)
# Heads are no matter of this reader, so none here is right.
OPEN = FILE_HEAD + b"".join(chained_bytes(data, HEAD) for data in (b"header", b"first entry", b"e" * 70_000))
SEAL = section_bytes(SEAL_TAG, b"seal")
REVEAL = section_bytes(REVEAL_TAG, b"reveal")


def test_sections_are_found_behind_the_entries() -> None:
    assert read_sections(BytesIO(OPEN + SEAL + REVEAL)) == (SealPart(b"seal"), RevealPart(b"reveal"))


def test_sections_are_found_wherever_the_source_stands() -> None:
    source = BytesIO(OPEN + SEAL + REVEAL)
    source.seek(40)
    assert read_sections(source) == (SealPart(b"seal"), RevealPart(b"reveal"))


@pytest.mark.parametrize(
    ("data", "seal"),
    [
        (b"", None),
        (FILE_HEAD, None),
        (OPEN, None),
        (OPEN[:-1], None),
        (OPEN + b"\0\0", None),
        (OPEN + REVEAL, None),
        (OPEN + bytes(4) + HEAD + SEAL, None),
        (OPEN + (1).to_bytes(4, "big") + b"e" + HEAD + SEAL, SealPart(b"seal")),
        (OPEN + MAX_ENTRY.to_bytes(4, "big") + bytes(MAX_ENTRY) + HEAD + SEAL, SealPart(b"seal")),
        (OPEN + (MAX_ENTRY + 1).to_bytes(4, "big") + bytes(MAX_ENTRY + 1) + HEAD + SEAL, None),
        (OPEN + SEAL, SealPart(b"seal")),
        (OPEN + SEAL[:-1], None),
        (OPEN + SEAL + SEAL, SealPart(b"seal")),
        (OPEN + SEAL + REVEAL[:-1], SealPart(b"seal")),
        (OPEN + SEAL + REVEAL[:-1] + b"\0", SealPart(b"seal")),
    ],
    ids=[
        "empty",
        "file head",
        "no sections",
        "entry cut short",
        "length cut short",
        "reveal first",
        "length of nothing",
        "length of one",
        "greatest length",
        "length too great",
        "seal alone",
        "seal cut short",
        "two seals",
        "reveal cut short",
        "reveal damaged",
    ],
)
def test_section_that_is_missing_or_damaged_is_not_there(data: bytes, seal: SealPart | None) -> None:
    assert read_sections(BytesIO(data)) == (seal, None)


def test_sections_behind_a_damaged_length_are_not_there() -> None:
    place = len(FILE_HEAD) + 2
    data = bytearray(OPEN + SEAL + REVEAL)
    data[place] ^= 0x10
    assert read_sections(BytesIO(bytes(data))) == (None, None)
