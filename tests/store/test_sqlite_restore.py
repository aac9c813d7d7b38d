"""A store opened from a backup is recognised, until the referee has settled it."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from referee.store.base import IndexRecord
from referee.store.sqlite import SqliteStore
from tests.store.contract import create, index_head, match_row, record, secrets
from tests.store.faults import opened


async def is_restored(directory: Path) -> bool:
    async with opened(directory) as store:
        return store.restored


def other_second_record() -> IndexRecord:
    """Returns a record that takes the place of the second match in the index."""
    return replace(record(1), data=b"another past", head=b"\xee" * 32)


async def history(directory: Path, backup: Path) -> None:
    """Leaves a store of two matches, and a backup of its database as of the first."""
    async with opened(directory) as store:
        await create(store, 1)
    shutil.copy(directory / "referee.db", backup)
    async with opened(directory) as store:
        await create(store, 2)


async def test_restart_is_no_restore(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    await history(directory, tmp_path / "backup")
    assert not await is_restored(directory)


async def test_older_database_is_a_restore_until_settled(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    await history(directory, tmp_path / "backup")
    shutil.copy(tmp_path / "backup", directory / "referee.db")
    assert await is_restored(directory)
    assert await is_restored(directory), "it is not forgotten by a restart"
    async with opened(directory) as store:
        await store.seal_match(1, b"seal", {}, other_second_record())
        assert store.restored, "nor when the index moves on, here to the length that was told"
    async with opened(directory) as store:
        assert store.restored
        await store.settle_restore()
        assert not store.restored
    assert not await is_restored(directory)


async def test_longer_index_of_another_past_is_a_restore(tmp_path: Path) -> None:
    directory, other = tmp_path / "store", tmp_path / "other"
    await history(directory, tmp_path / "backup")
    shutil.copytree(directory, other)
    shutil.copy(tmp_path / "backup", other / "referee.db")
    async with opened(other) as store:
        await store.seal_match(1, b"seal", {}, other_second_record())
        await store.settle_restore()
        await store.create_match(match_row(2), secrets(), IndexRecord(b"\xee" * 32, b"and on", b"\xef" * 32))
    shutil.copy(other / "referee.db", directory / "referee.db")
    assert await is_restored(directory)


async def test_lost_or_damaged_mark_is_a_restore(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    await history(directory, tmp_path / "backup")
    mark = directory / "index-head"
    text = mark.read_text()
    assert text == f"{2:010d} {index_head(2).hex()}\n"
    negative = f"-000000001 {index_head(2).hex()}\n"
    for damaged in ("", text[:-1], text.replace(" ", "-"), "x" * len(text), text + "more", negative):
        mark.write_text(damaged)
        assert await is_restored(directory), damaged
    mark.unlink()
    assert await is_restored(directory)


async def test_lost_record_of_the_index_is_a_restore(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    await history(directory, tmp_path / "backup")
    (directory / "index-head").write_text(f"{1:010d} {index_head(1).hex()}\n")
    with closing(sqlite3.connect(directory / "referee.db")) as database, database:
        database.execute("DELETE FROM index_records WHERE position = 0")
    assert await is_restored(directory)


async def test_lost_database_is_a_restore(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    await history(directory, tmp_path / "backup")
    (directory / "referee.db").unlink()
    assert await is_restored(directory)


async def test_database_ahead_of_its_mark_is_no_restore(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    await history(directory, tmp_path / "backup")
    (directory / "index-head").write_text(f"{1:010d} {index_head(1).hex()}\n")
    assert not await is_restored(directory)


async def test_new_store_has_its_mark_before_its_first_match(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.open()
    await store.close()
    assert (tmp_path / "index-head").read_text() == f"{0:010d} {bytes(32).hex()}\n"
