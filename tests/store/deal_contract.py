"""What every store must do with the deals that matches share."""

import pytest

from referee.store.base import DealRow, SealRow, Store
from referee.store.errors import DealClosed, UnknownDeal
from tests.store.contract import create, index_head, seal, secrets

SEED = b"\x02" * 32


def deal_id(deal: int = 1) -> bytes:
    return secrets(deal).deal_id


class DealContract:
    async def test_unknown_deal_reads_as_none_and_cannot_be_closed(self, store: Store) -> None:
        assert await store.read_deal(deal_id()) is None
        assert await store.open_deals() == []
        await create(store, 1)
        assert await store.read_deal(deal_id()) is None, "the deal of a match is not one to share"
        with pytest.raises(UnknownDeal):
            await store.close_deal(deal_id(), {})

    async def test_deal_is_found_and_stays_as_it_is(self, store: Store) -> None:
        for deal in (2, 1):
            await store.put_deal(deal_id(deal), SEED)
        await store.put_deal(deal_id(1), b"\x03" * 32)
        assert await store.read_deal(deal_id(1)) == DealRow(deal_id(1), SEED)
        assert await store.open_deals() == [DealRow(deal_id(1), SEED), DealRow(deal_id(2), SEED)]

    async def test_closed_deal_takes_no_match_and_is_not_opened_again(self, store: Store) -> None:
        for deal in (1, 2):
            await store.put_deal(deal_id(deal), SEED)
        await create(store, 1, deal=1)
        await store.close_deal(deal_id(1), {})
        await store.put_deal(deal_id(1), SEED)
        with pytest.raises(DealClosed):
            await create(store, 2, deal=1)
        assert await store.read_deal(deal_id(1)) == DealRow(deal_id(1), SEED, closed=True)
        assert await store.open_deals() == [DealRow(deal_id(2), SEED)]
        assert await store.read_match(2) is None
        assert store.index_state().head == index_head(1)
        await create(store, 2, deal=2)
        assert [row.number for row in await store.deal_matches(deal_id(2))] == [2]

    async def test_closing_brings_the_reveals_of_ended_matches_once(self, store: Store) -> None:
        await store.put_deal(deal_id(), SEED)
        for number in (1, 2, 3):
            await create(store, number)
        await seal(store, 1, {})
        await seal(store, 2, {2: b"before"})
        for told in (b"first", b"second"):
            await store.close_deal(deal_id(), dict.fromkeys((1, 2, 3), told))
        assert await store.read_seal(1) == SealRow(1, b"seal", b"first")
        assert await store.read_seal(2) == SealRow(2, b"seal", b"before")
        open_match = await store.read_match(3)
        assert open_match is not None
        assert not open_match.revealed

    async def test_deal_is_not_in_the_repr_of_its_row(self, store: Store) -> None:
        await store.put_deal(deal_id(), SEED)
        assert repr(await store.read_deal(deal_id())) == "DealRow(closed=False)"
