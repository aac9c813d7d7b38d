"""The hash chain over all matches of a referee (`PROTOCOL.md`, "The log")."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from referee.codec.seals import IndexCreated, IndexSealed, Seal, encode_index_record, encode_seal
from referee.codec.seals import IndexRecord as IndexEntry
from referee.log.heads import index_head
from referee.match.signing import Signer, signed_checkpoint
from referee.store.base import IndexRecord, MatchRow, Secrets, Store


@dataclass(frozen=True, slots=True)
class IndexPage:
    """Holds records of the index as stored, the head after the last of them, and how many there are in all.

    `signature` is that of the checkpoint behind them, empty if the referee does not sign.
    """

    records: tuple[bytes, ...]
    head: bytes
    total: int
    signature: bytes


class RefereeIndex:
    """Adds records to the index, one write at a time: each must name the head that it follows.

    Matches begin and end a thousand times more rarely than they are moved on, so that a lock costs nothing here.
    """

    def __init__(self, store: Store, signer: Signer | None = None) -> None:
        self._store = store
        self._signer = signer
        self._lock = asyncio.Lock()

    async def create(self, make_row: Callable[[int, bytes], MatchRow], secrets: Secrets) -> MatchRow:
        """Commits a new match and returns its row, made from its number and the index head before it.

        Raises StoreError.
        """
        async with self._lock:
            state = self._store.index_state()
            row = make_row(state.next_number, state.head)
            record = encode_index_record(IndexEntry(row.number, IndexCreated(row.h0)))
            await self._store.create_match(row, secrets, _following(state.head, record))
            return row

    async def seal(self, number: int, seal: Seal, reveals: Callable[[], Awaitable[Mapping[int, bytes]]]) -> bool:
        """Commits the end of a match, with the reveals that it brings; returns whether its own is among them.

        They are asked for when no other match can begin or end any more before this one does. Raises StoreError.
        """
        async with self._lock:
            revealed = await reveals()
            head = self._store.index_state().head
            record = encode_index_record(IndexEntry(number, IndexSealed(seal.final_head, seal.outcome)))
            await self._store.seal_match(number, encode_seal(seal), revealed, _following(head, record))
            return number in revealed

    async def close_deal(self, deal_id: bytes, reveals: Callable[[], Awaitable[Mapping[int, bytes]]]) -> None:
        """Commits that a deal takes no more matches, with the reveals that this brings; no record tells of it.

        They are asked for when no match can begin or end any more before this is done. Raises StoreError.
        """
        async with self._lock:
            await self._store.close_deal(deal_id, await reveals())

    async def page(self, after: int, limit: int) -> IndexPage:
        """Returns up to `limit` records behind the first `after`; behind the end there are none. Raises StoreError."""
        records = await self._store.index_records(after, limit)
        state = self._store.index_state()
        head, place = (records[-1].head, after + len(records)) if records else (state.head, state.length)
        signature = signed_checkpoint(self._signer, place, head)
        return IndexPage(tuple(record.data for record in records), head, state.length, signature)


def _following(head: bytes, record: bytes) -> IndexRecord:
    return IndexRecord(head, record, index_head(head, record))
