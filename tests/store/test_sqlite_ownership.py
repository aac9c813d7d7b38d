"""Who may open a store, and what is left after a killed process."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from referee.store.base import DealRow
from referee.store.errors import StoreLocked, StoreUnavailable, StoreVersion
from referee.store.sqlite import SqliteStore
from tests.store.contract import append_all, create, entry, match_row, record, seal, secrets
from tests.store.faults import opened

ROOT = Path(__file__).parents[2]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextmanager
def appending_child(directory: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "tests.store.appending_child", str(directory)]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


async def test_every_acknowledged_entry_outlives_a_kill(tmp_path: Path) -> None:
    with appending_child(tmp_path / "store") as child:
        assert child.stdout is not None
        lines = [child.stdout.readline().split() for _ in range(200)]
        child.kill()
        lines += [line.split() for line in child.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    acknowledged = {1: 0, 2: 0}
    for printed_number, printed_index, outcome in lines:
        assert outcome == "ok"
        acknowledged[int(printed_number)] = int(printed_index)
    assert min(acknowledged.values()) > 50

    async with opened(tmp_path / "store") as store:
        assert not store.restored
        for number, last in acknowledged.items():
            entries = await store.read_entries(number, 0, 1 << 30)
            assert len(entries) in (last, last + 1), "one append was in flight at most"
            assert entries == [entry(index) for index in range(1, len(entries) + 1)]
            assert await append_all(store, (number, entry(len(entries) + 1))) == [None]


async def test_second_process_is_refused_by_name(tmp_path: Path) -> None:
    with appending_child(tmp_path) as child:
        assert child.stdout is not None
        child.stdout.readline()
        with pytest.raises(StoreLocked, match=f"in use by process {child.pid}"):
            await SqliteStore(tmp_path).open()


async def test_second_store_of_one_process_is_refused(tmp_path: Path) -> None:
    async with opened(tmp_path):
        with pytest.raises(StoreLocked, match=f"process {os.getpid()}"):
            await SqliteStore(tmp_path).open()
    async with opened(tmp_path):
        pass


async def test_directory_and_files_are_private(tmp_path: Path) -> None:
    directory = tmp_path / "deep" / "store"
    async with opened(directory) as store:
        await create(store, 1)
        assert mode(directory) == 0o700
        modes = {path.name: mode(path) for path in directory.iterdir()}
    assert modes.keys() >= {"referee.db", "referee.db-wal", "lock", "index-head"}
    assert set(modes.values()) == {0o600}


async def test_empty_directory_is_made_private(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    directory.mkdir(mode=0o755)
    async with opened(directory):
        assert mode(directory) == 0o700


async def test_open_directory_with_other_files_is_left_alone(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o755)
    (tmp_path / "letter.txt").touch()
    with pytest.raises(StoreUnavailable, match=r"holds other files, such as letter\.txt"):
        await SqliteStore(tmp_path).open()
    assert mode(tmp_path) == 0o755
    assert os.listdir(tmp_path) == ["letter.txt"]


async def test_place_that_is_no_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for directory in (tmp_path / "file", tmp_path / "file" / "store", Path("/proc/store")):
        with pytest.raises(StoreUnavailable, match="cannot be used as a store"):
            await SqliteStore(directory).open()


async def test_file_that_is_no_database_is_refused_and_released(tmp_path: Path) -> None:
    (tmp_path / "referee.db").write_bytes(b"no database at all" * 100)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match=r"referee\.db cannot be used: file is not a database"):
            await SqliteStore(tmp_path).open()


async def test_database_with_a_schema_that_is_no_text_is_refused(tmp_path: Path) -> None:
    async with opened(tmp_path):
        pass
    database = tmp_path / "referee.db"
    database.write_bytes(database.read_bytes().replace(b"CREATE TABLE secrets", b"CREATE TABLE s \xff\xfexyz"))
    with pytest.raises(StoreUnavailable, match=r"referee\.db cannot be used"):
        await SqliteStore(tmp_path).open()


_BEFORE_BOT_SEEDS = "ALTER TABLE secrets DROP COLUMN bot_seeds; PRAGMA user_version = 3"
_BEFORE_DEALS = f"{_BEFORE_BOT_SEEDS}; DROP TABLE deals; PRAGMA user_version = 2"


@pytest.mark.parametrize("before", [_BEFORE_BOT_SEEDS, _BEFORE_DEALS])
async def test_store_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path, before: str) -> None:
    async with opened(tmp_path) as store:
        await create(store, 1)
        store._db.executescript(before)
    for _ in range(2):
        async with opened(tmp_path) as store:
            assert await store.read_match(1) == match_row(1)
            assert store._db.execute("PRAGMA user_version").fetchone() == (4,)
            assert await store.read_secrets(1) == replace(secrets(), bot_seeds=b"")
            await store.put_deal(bytes(16), bytes(32))
            assert await store.read_deal(bytes(16)) == DealRow(bytes(16), bytes(32))


@pytest.mark.parametrize("version", [0, 1, 5])
async def test_other_schema_is_refused(tmp_path: Path, version: int) -> None:
    database = sqlite3.connect(tmp_path / "referee.db")
    database.executescript(f"CREATE TABLE other (x); PRAGMA user_version = {version}")
    database.close()
    with pytest.raises(StoreVersion) as caught:
        await SqliteStore(tmp_path).open()
    assert (caught.value.found, caught.value.wanted) == (version, 4)


async def test_commits_are_synced_and_logged_ahead_and_erasures_overwrite(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store._db.execute("PRAGMA secure_delete").fetchone() == (1,)


async def test_file_of_an_older_backup_is_made_private(tmp_path: Path) -> None:
    async with opened(tmp_path):
        pass
    os.chmod(tmp_path / "referee.db", 0o644)
    async with opened(tmp_path):
        assert mode(tmp_path / "referee.db") == 0o600


async def test_erased_blind_key_is_in_no_file(tmp_path: Path) -> None:
    keys = [bytes([0x80 + number]) * 32 for number in range(3)]

    def keys_in_files() -> list[bytes]:
        content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        return [key for key in keys if key in content]

    async with opened(tmp_path) as store:
        for number, key in enumerate(keys, 1):
            await store.create_match(match_row(number), replace(secrets(), blind_key=key), record(number - 1))
    assert keys_in_files() == keys
    async with opened(tmp_path) as store:
        await seal(store, 2)
    assert keys_in_files() == [keys[0], keys[2]]
