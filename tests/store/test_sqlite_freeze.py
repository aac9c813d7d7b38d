"""A disk that fails for a while: the same bytes are tried again, and the matches hear of it."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.store.base import IndexState
from referee.store.errors import StoreError, StoreFatal, StoreGivenUp
from referee.store.sqlite import SqliteStore
from tests.store.contract import Listener, Outcomes, append_all, create, entry, match_row, record, secrets
from tests.store.faults import Disk, opened

LARGE = 20_000


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def intruder(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Another program's connection to the same database."""
    connection = sqlite3.connect(tmp_path / "referee.db", isolation_level=None)
    yield connection
    connection.close()


def append(store: SqliteStore, number: int, index: int, done: Callable[[StoreError | None], None]) -> None:
    item = entry(index, size=LARGE)
    store.append(number, index, item.head, item.data, done)


async def freeze_and_thaw(
    store: SqliteStore, listener: Listener, freeze: Callable[[], object], thaw: Callable[[], object]
) -> Outcomes:
    """Appends to matches 1 and 2 while the disk fails, the second during the freeze; returns the outcomes."""
    outcomes: Outcomes = []
    both = asyncio.Event()

    def done(error: StoreError | None) -> None:
        assert listener.thawed.is_set(), "the thaw is told before the outcomes"
        outcomes.append(error)
        if len(outcomes) == 2:
            both.set()

    await create(store, 1)
    await create(store, 2)
    freeze()
    append(store, 1, 1, done)
    await asyncio.wait_for(listener.frozen.wait(), 10)
    listener.frozen.clear()
    append(store, 2, 1, done)
    await asyncio.wait_for(listener.frozen.wait(), 10)
    assert outcomes == []
    assert await store.read_entries(1, 0, LARGE) == []
    thaw()
    await asyncio.wait_for(both.wait(), 10)
    return outcomes


async def assert_whole_after_freeze(store: SqliteStore, listener: Listener, outcomes: Outcomes) -> None:
    assert outcomes == [None, None]
    assert listener.told == [("frozen", [1]), ("frozen", [2]), ("thawed", [1, 2])]
    for number in (1, 2):
        assert await store.read_entries(number, 0, LARGE) == [entry(1, size=LARGE)]
        assert await append_all(store, (number, entry(2))) == [None]


async def test_busy_database_freezes_until_it_is_free(
    tmp_path: Path, listener: Listener, intruder: sqlite3.Connection
) -> None:
    async with opened(tmp_path, listener) as store:
        outcomes = await freeze_and_thaw(
            store, listener, lambda: intruder.execute("BEGIN IMMEDIATE"), lambda: intruder.execute("ROLLBACK")
        )
        await assert_whole_after_freeze(store, listener, outcomes)


async def test_full_disk_freezes_until_there_is_room(tmp_path: Path, listener: Listener, disk: Disk) -> None:
    async with opened(tmp_path, listener, disk) as store:
        outcomes = await freeze_and_thaw(store, listener, disk.fill, disk.make_room)
        await assert_whole_after_freeze(store, listener, outcomes)


async def test_read_only_database_freezes_until_it_is_writable(tmp_path: Path, listener: Listener, disk: Disk) -> None:
    async with opened(tmp_path, listener, disk) as store:
        outcomes = await freeze_and_thaw(
            store, listener, lambda: disk.set_read_only(True), lambda: disk.set_read_only(False)
        )
        await assert_whole_after_freeze(store, listener, outcomes)


async def test_short_waits_are_no_freeze(tmp_path: Path, listener: Listener, intruder: sqlite3.Connection) -> None:
    async with opened(tmp_path, listener) as store:
        await create(store, 1)
        for index in (1, 2):
            intruder.execute("BEGIN IMMEDIATE")
            asyncio.get_running_loop().call_later(0.02, intruder.execute, "ROLLBACK")
            assert await append_all(store, (1, entry(index))) == [None]
            await asyncio.sleep(0.15)
        assert listener.told == []


async def test_wrong_index_during_a_freeze_fails_alone(tmp_path: Path, listener: Listener, disk: Disk) -> None:
    async with opened(tmp_path, listener, disk) as store:
        await create(store, 1)
        await create(store, 2)
        disk.fill()
        asyncio.get_running_loop().call_later(0.05, disk.make_room)
        writes = ((1, entry(1, LARGE)), (1, entry(3)), (2, entry(1, LARGE)), (1, entry(2)))
        outcomes = await append_all(store, *writes)
        assert [outcome is None for outcome in outcomes] == [True, False, True, True]
        assert [e.index for e in await store.read_entries(1, 0, 2 * LARGE)] == [1, 2]


async def test_creation_waits_out_a_freeze_like_an_entry(tmp_path: Path, listener: Listener, disk: Disk) -> None:
    async with opened(tmp_path, listener, disk) as store:
        disk.set_read_only(True)
        creation = asyncio.ensure_future(create(store, 1))
        await asyncio.wait_for(listener.frozen.wait(), 10)
        assert not creation.done()
        assert store.index_state().next_number == 1
        disk.set_read_only(False)
        await asyncio.wait_for(creation, 10)
        assert store.index_state().next_number == 2


async def test_creations_that_found_no_room_are_made_whole_later(
    tmp_path: Path, listener: Listener, disk: Disk
) -> None:
    async with opened(tmp_path, listener, disk) as store:
        disk.fill()
        large = replace(match_row(2), header=bytes(LARGE))
        creations = asyncio.gather(
            store.create_match(match_row(1), secrets(), record(0)), store.create_match(large, secrets(), record(1))
        )
        await asyncio.wait_for(listener.frozen.wait(), 10)
        assert await store.list_matches(0, 10) == []
        disk.make_room()
        await asyncio.wait_for(creations, 10)
        assert await store.list_matches(0, 10) == [match_row(1), large]
        assert await store.index_records(0, 10) == [record(0), record(1)]
        assert store.index_state() == IndexState(3, record(1).head, 2)


async def test_retries_end_at_their_limit_and_the_store_goes_on(tmp_path: Path, listener: Listener, disk: Disk) -> None:
    async with opened(tmp_path, listener, disk, retry_limit_s=0.3) as store:
        await create(store, 1)
        disk.fill()
        outcomes = await append_all(store, (1, entry(1, LARGE)), (1, entry(2, LARGE)))
        assert [type(outcome) for outcome in outcomes] == [StoreGivenUp, StoreGivenUp]
        assert listener.told == [("frozen", [1]), ("thawed", [1])]
        disk.make_room()
        assert await append_all(store, (1, entry(1, LARGE))) == [None]
        assert await store.read_entries(1, 0, LARGE) == [entry(1, LARGE)]


async def test_close_gives_up_what_a_freeze_holds(tmp_path: Path, listener: Listener, disk: Disk) -> None:
    async with opened(tmp_path, listener, disk) as store:
        await create(store, 1)
        disk.fill()
        outcomes: Outcomes = []
        append(store, 1, 1, outcomes.append)
        await asyncio.wait_for(listener.frozen.wait(), 10)
        await store.close()
        assert [type(outcome) for outcome in outcomes] == [StoreGivenUp]


async def test_other_error_breaks_the_store_for_good(
    tmp_path: Path, listener: Listener, intruder: sqlite3.Connection
) -> None:
    async with opened(tmp_path, listener) as store:
        await create(store, 1)
        intruder.execute("ALTER TABLE entries RENAME TO moved")
        outcomes = await append_all(store, (1, entry(1)), (1, entry(2)))
        assert [type(outcome) for outcome in outcomes] == [StoreFatal, StoreFatal]
        intruder.execute("ALTER TABLE moved RENAME TO entries")
        assert [type(outcome) for outcome in await append_all(store, (1, entry(1)))] == [StoreFatal]
        assert listener.told == [("fatal", [])]


async def test_unreadable_database_breaks_writing_too(
    tmp_path: Path, listener: Listener, intruder: sqlite3.Connection
) -> None:
    async with opened(tmp_path, listener) as store:
        await create(store, 1)
        intruder.execute("ALTER TABLE secrets RENAME TO moved")
        with pytest.raises(StoreFatal, match="no such table"):
            await store.read_secrets(1)
        assert [type(outcome) for outcome in await append_all(store, (1, entry(1)))] == [StoreFatal]
        assert listener.told == [("fatal", [])]
