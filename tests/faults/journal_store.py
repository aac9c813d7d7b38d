"""Reads what a referee has left on its disk when it is gone, to compare it with what it said while it was there."""

from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from unoduo.v1 import log_pb2

from referee.store.sqlite import SqliteStore
from tests.faults.journal import MatchJournal
from tests.faults.journal_check import Log, compare_log

_ALL = 1 << 30


async def compare_store(journals: Iterable[MatchJournal], directory: Path) -> list[str]:
    """Returns what is wrong with the logs of a store beside the journals of their matches."""
    findings: list[str] = []
    async with _opened(directory) as store:
        for journal in journals:
            row = await store.find_match(journal.match_id)
            if row is None or (row.number, row.header) != (journal.number, journal.header):
                findings.append(f"match {journal.number} was created and is lost")
                continue
            entries = await store.read_entries(row.number, 0, _ALL)
            findings += compare_log(journal, Log(row.header, ((entry.data, entry.head) for entry in entries)))
    return findings


async def compare_index(directory: Path) -> list[str]:
    """Returns what is wrong with the index of a store: each match has one record of its making and one of its end."""
    created, ended = Counter[int](), Counter[int]()
    async with _opened(directory) as store:
        findings = ["the store takes itself for a backup"] if store.restored else []
        findings += [f"match {row.number} has no end" for row in await store.unfinished()]
        for stored in await store.index_records(0, _ALL):
            record = log_pb2.IndexRecord.FromString(stored.data)
            (created if record.HasField("created") else ended)[record.match_number] += 1
        matches = {row.number for row in await store.list_matches(0, _ALL)}
    for number in sorted(matches | created.keys() | ended.keys()):
        if (created[number], ended[number]) != (1, 1):
            findings.append(f"match {number} was created {created[number]} times and ended {ended[number]} times")
    return findings


async def unfinished(directory: Path) -> list[bytes]:
    """Returns the ids of the matches of a store that have no end."""
    async with _opened(directory) as store:
        return [row.match_id for row in await store.unfinished()]


@asynccontextmanager
async def _opened(directory: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(directory)
    await store.open()
    try:
        yield store
    finally:
        await store.close()
