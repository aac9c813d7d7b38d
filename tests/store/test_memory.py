"""The memory store against the contract, and its switches."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from referee.store.errors import StoreFatal, StoreGivenUp
from referee.store.memory import MemoryStore
from tests.store.contract import Listener, Outcomes, StoreContract, append_all, create, entry
from tests.store.deal_contract import DealContract
from tests.store.token_contract import TokenContract


class TestMemoryStore(StoreContract, TokenContract, DealContract):
    @pytest.fixture
    async def store(self, listener: Listener) -> AsyncIterator[MemoryStore]:
        store = MemoryStore()
        await store.open(listener)
        yield store
        await store.close()

    async def test_frozen_store_tells_and_holds_writes_until_it_thaws(
        self, store: MemoryStore, listener: Listener
    ) -> None:
        await create(store, 1)
        outcomes: Outcomes = []
        store.freeze()
        for index in (1, 2):
            store.append(1, index, entry(index).head, entry(index).data, outcomes.append)
        await asyncio.wait_for(listener.frozen.wait(), 1)
        assert (outcomes, await store.read_entries(1, 0, 100)) == ([], [])
        store.thaw()
        await asyncio.wait_for(listener.thawed.wait(), 1)
        await asyncio.sleep(0)
        assert outcomes == [None, None]
        assert listener.told == [("frozen", [1]), ("thawed", [1])]
        assert await store.read_entries(1, 0, 100) == [entry(1), entry(2)]

    async def test_given_up_writes_fail_and_later_ones_do_not(self, store: MemoryStore) -> None:
        await create(store, 1)
        outcomes: Outcomes = []
        store.freeze()
        store.append(1, 1, entry(1).head, entry(1).data, outcomes.append)
        store.give_up()
        assert await append_all(store, (1, entry(1))) == [None]
        assert [type(outcome) for outcome in outcomes] == [StoreGivenUp]

    async def test_broken_store_fails_everything_and_tells_once(self, store: MemoryStore, listener: Listener) -> None:
        await create(store, 1)
        outcomes: Outcomes = []
        store.freeze()
        store.append(1, 1, entry(1).head, entry(1).data, outcomes.append)
        store.fail()
        await asyncio.wait_for(listener.fatal.wait(), 1)
        assert [type(outcome) for outcome in outcomes] == [StoreFatal]
        assert [type(outcome) for outcome in await append_all(store, (1, entry(1)))] == [StoreFatal]
        assert [what for what, _ in listener.told].count("fatal") == 1
