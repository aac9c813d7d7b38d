"""The deals of matches, and those that matches share (`PROTOCOL.md`, "The deal")."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from referee.adjudication.terms import DealMode
from referee.deal.commitment import DEAL_ID_SIZE, SEED_SIZE
from referee.deal.keys import given_deal_id, shared_deal_id
from referee.match.faults import Fault, ProblemReason
from referee.match.referee_index import RefereeIndex
from referee.match.reveals import reveals_of
from referee.store.base import Store
from referee.store.errors import UnknownDeal


@dataclass(frozen=True, slots=True)
class Deal:
    """Holds where the cards of a match come from: a deal id (16 bytes) and a seed (32 bytes), both secret."""

    mode: DealMode
    deal_id: bytes = field(repr=False)
    seed: bytes = field(repr=False)


class Deals:
    """Finds the deals of new matches, and makes and closes those that several share.

    `draw` gives that many random bytes.
    """

    def __init__(self, store: Store, index: RefereeIndex, draw: Callable[[int], bytes]) -> None:
        self._store = store
        self._index = index
        self._draw = draw
        self._closing: set[asyncio.Task[None]] = set()

    async def of_match(self, seed: bytes | None, deal_id: bytes | None) -> Deal:
        """Returns the deal of a match: the shared one with this id, that of a given seed, or a fresh one.

        Whether a shared one still takes matches is found when the match is stored. Raises StoreError.
        """
        if deal_id is not None:
            shared = await self._store.read_deal(deal_id)
            if shared is None:
                raise UnknownDeal
            return Deal(DealMode.SHARED, deal_id, shared.seed)
        if seed is not None:
            return Deal(DealMode.GIVEN, given_deal_id(seed), seed)
        return Deal(DealMode.FRESH, self._draw(DEAL_ID_SIZE), self._draw(SEED_SIZE))

    async def create(self, seed: bytes | None) -> bytes:
        """Makes a deal to share, without a seed with one that is drawn, and returns its id.

        The deal of a seed is made once: an open one is there already. Raises Fault for a closed one, and StoreError.
        """
        seed = self._draw(SEED_SIZE) if seed is None else seed
        deal_id = shared_deal_id(seed)
        await self._store.put_deal(deal_id, seed)
        kept = await self._store.read_deal(deal_id)
        if kept is None or kept.closed:
            raise Fault(ProblemReason.DEAL_CLOSED, field="seed")
        return deal_id

    async def close(self, deal_id: bytes) -> None:
        """Lets a deal take no more matches; if all that it has are over, they are revealed. Raises StoreError.

        What has been begun is done even if the caller goes away: a match that ends meanwhile must find it done.
        """
        closing = asyncio.create_task(self._close(deal_id))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)
        await asyncio.shield(closing)

    async def close_all(self) -> None:
        """Closes all deals. Raises StoreError."""
        for deal in await self._store.open_deals():
            await self._close(deal.deal_id)

    async def _close(self, deal_id: bytes) -> None:
        await self._index.close_deal(deal_id, partial(reveals_of, self._store, deal_id))
