"""The journal file against `proto/vectors/log/journals.json`."""

import io

import pytest

from referee.log.journal import JournalFault, read_records
from tests.log.vectors import Case, named, unhex

# A journal of one record, "!".
OPEN = b"UNODUOJ\x02\x00\x00\x00\x01!"


def read(data: bytes, *, allow_torn: bool) -> tuple[list[str], int | None]:
    """Returns the records read and the record blamed."""
    records: list[str] = []
    try:
        for record in read_records(io.BytesIO(data), allow_torn=allow_torn):
            records.append(record.hex())  # noqa: PERF401 (what came before a fault counts)
    except JournalFault as fault:
        return records, fault.record
    return records, None


@pytest.mark.parametrize("case", **named("log/journals.json"))
def test_strict_reader_finds_what_the_vectors_say(case: Case) -> None:
    assert read(unhex(case["file"]), allow_torn=False) == (case["records"], case.get("fault"))


@pytest.mark.parametrize("case", **named("log/journals.json"))
def test_tolerant_reader_forgives_a_torn_end_only(case: Case) -> None:
    fault = None if case.get("torn") else case.get("fault")
    assert read(unhex(case["file"]), allow_torn=True) == (case["records"], fault)


@pytest.mark.parametrize(
    ("data", "record", "message"),
    [
        (b"UNODUO\x00\x01", 0, "file head: this is no journal"),
        (b"UNODUOJ\x03", 0, "file head: this program reads journals up to version 2 only"),
        (OPEN + bytes(4), 2, "record 2: a length of 0 bytes is out of range (1 to 1048576)"),
        (OPEN + b"\x00\x10\x00\x01", 2, "record 2: a length of 1048577 bytes is out of range (1 to 1048576)"),
        (OPEN + b"\x00", 2, "record 2: the journal is cut short"),
        (OPEN + b"\x00\x00\x00\x02?", 2, "record 2: the journal is cut short"),
    ],
)
def test_fault_says_where_and_what_in_a_sentence(data: bytes, record: int, message: str) -> None:
    with pytest.raises(JournalFault) as caught:
        list(read_records(io.BytesIO(data)))
    fault = caught.value
    assert (str(fault), fault.record) == (message, record)
    assert message.endswith(f": {fault.message}")


def test_largest_record_passes() -> None:
    data = b"UNODUOJ\x02\x00\x10\x00\x00" + bytes(1 << 20)
    assert list(read_records(io.BytesIO(data))) == [bytes(1 << 20)]
