"""The SQLite store against the contract, on a real file."""

import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.store.base import DealRow, SealRow
from referee.store.sqlite import SqliteStore
from referee.store.sqlite_schema import connect
from tests.store.contract import (
    Listener,
    StoreContract,
    append_all,
    bot_row,
    create,
    digests,
    entry,
    match_row,
    seal,
    secrets,
)
from tests.store.deal_contract import SEED, DealContract, deal_id
from tests.store.token_contract import TokenContract


class TestSqliteStore(StoreContract, TokenContract, DealContract):
    @pytest.fixture
    async def store(self, listener: Listener, tmp_path: Path) -> AsyncIterator[SqliteStore]:
        store = SqliteStore(tmp_path / "store")
        await store.open(listener)
        yield store
        await store.close()

    async def test_everything_is_there_after_reopening(self, store: SqliteStore, tmp_path: Path) -> None:
        for number in (1, 2):
            await create(store, number)
            await append_all(store, (number, entry(1)), (number, entry(2)))
        await store.put_ready(2, 0, b"e1")
        await store.put_bot(bot_row(1))
        await store.put_deal(deal_id(1), SEED)
        await store.put_deal(deal_id(2), SEED)
        await store.close_deal(deal_id(1), {})
        await store.replace_token_digest(1, 2, bytes(32))
        await seal(store, 1)
        state = store.index_state()
        await store.close()

        again = SqliteStore(tmp_path / "store")
        await again.open()
        assert again.index_state() == state
        assert not again.restored
        ended = replace(match_row(1), token_digests=(*digests(1)[:2], bytes(32)), ended=True, revealed=True)
        assert await again.list_matches(0, 10) == [ended, match_row(2)]
        assert await again.bots() == [bot_row(1)]
        assert await again.read_deal(deal_id(1)) == DealRow(deal_id(1), SEED, closed=True)
        assert await again.open_deals() == [DealRow(deal_id(2), SEED)]
        assert await again.read_seal(1) == SealRow(1, b"seal", b"reveal")
        assert await again.read_secrets(2) == secrets()
        assert await again.readies(2) == (b"e1", None)
        assert await again.read_entries(2, 0, 100) == [entry(1), entry(2)]
        assert await append_all(again, (2, entry(3))) == [None]
        await again.close()


async def test_all_but_entries_waits_for_the_disk_where_entries_do_not(tmp_path: Path) -> None:
    levels: list[str] = []

    def traced(database: Path) -> sqlite3.Connection:
        connection = connect(database)
        connection.set_trace_callback(statements.append)
        return connection

    statements: list[str] = []
    store = SqliteStore(tmp_path / "store", sync_entries=False, connect=traced)
    await store.open()
    await create(store, 1)
    await append_all(store, (1, entry(1)))
    await seal(store, 1)
    await store.close()
    level = "FULL"
    for statement in statements:
        if statement.startswith("PRAGMA synchronous = "):
            level = statement.rpartition(" ")[2]
        tables = ("INTO matches", "INTO entries", "UPDATE matches SET seal")
        levels += [f"{table} {level}" for table in tables if table in statement]
    assert levels == ["INTO matches FULL", "INTO entries NORMAL", "UPDATE matches SET seal FULL"]
