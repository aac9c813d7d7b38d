"""Verifying takes no more memory for a long file than for a short one."""

import tracemalloc
from pathlib import Path

import pytest

from referee.audit.report import Status
from referee.audit.verify import Evidence, verify
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from tests.audit.journaled import journal_file, journal_of
from tests.audit.simulated import random_match

# Points to play for: a match of hundreds of entries, and one of thousands.
SHORT, LONG = 1, 600
# Python keeps some of what was freed for later; thousands of anything would take more.
ALLOWANCE = 128 * 1024


def written(folder: Path, target: int) -> tuple[Path, Path, int]:
    """Returns a replay, the journal of a seat of it, and how many entries it has."""
    log = random_match(5, Ruleset(target=target))
    file, journal = folder / f"{target}.unoduo", folder / f"{target}.journal"
    file.write_bytes(log.to_bytes())
    journal.write_bytes(journal_file(journal_of(log, Seat.A)))
    return file, journal, len(log.entries)


def peak(file: Path, journal: Path) -> int:
    """Returns the most memory that verifying held beyond what was there before, in bytes."""
    with file.open("rb") as stream, journal.open("rb") as told:
        tracemalloc.start()
        try:
            report = verify(stream, Evidence(journals=(told,)))
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert report.status is Status.OK, report
    return most


@pytest.mark.timeout(120)
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    short, short_journal, few = written(tmp_path, SHORT)
    long, long_journal, many = written(tmp_path, LONG)
    assert many > 10 * few
    assert many > 4_000
    peak(short, short_journal)  # what is made on the first use is held for all files
    assert peak(long, long_journal) < peak(short, short_journal) + ALLOWANCE
