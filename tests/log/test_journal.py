"""The journal file against `proto/vectors/log/journals.json`."""

import io

import pytest

from referee.log.journal import JournalFault, read_records
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
