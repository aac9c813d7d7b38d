"""The journal file against `proto/vectors/log/journals.json`."""

import io

import pytest

from referee.log.journal import MAX_RECORD, JournalFault, JournalWriter, read_records
from tests.log.vectors import Case, named, unhex


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


def test_writer_writes_the_journal_of_the_vectors() -> None:
    case = next(case for case in named("log/journals.json")["argvalues"] if case["name"] == "three_records")
    sink = io.BytesIO()
    writer = JournalWriter(sink)
    for record in case["records"]:
        writer.record(unhex(record))
    assert sink.getvalue() == unhex(case["file"])


@pytest.mark.parametrize("size", [0, MAX_RECORD + 1])
def test_record_that_no_reader_would_take_is_not_written(size: int) -> None:
    with pytest.raises(ValueError, match=f"not {size}"):
        JournalWriter(io.BytesIO()).record(bytes(size))
