"""The writing half of the store contract, told as one queue of writes."""

from abc import ABC, abstractmethod
from asyncio import AbstractEventLoop
from collections.abc import Mapping

from referee.store.base import BotRow, Done, IndexRecord, MatchRow, Secrets
from referee.store.writes import (
    Append,
    CloseDeal,
    Create,
    PutBot,
    PutDeal,
    PutReady,
    ReplaceTokenDigest,
    Seal,
    SettleRestore,
    Write,
    promise,
)


class QueuedStore(ABC):
    """Turns the writing methods of `referee.store.base.Store` into writes, which a back-end takes in order."""

    _loop: AbstractEventLoop

    @abstractmethod
    def _submit(self, write: Write) -> None:
        """Takes a write and returns at once; its `done` is called later, from the loop itself."""

    def append(self, number: int, index: int, head: bytes, data: bytes, done: Done) -> None:
        """Queues an entry; see `referee.store.base.Store`."""
        self._submit(Append(number, index, head, data, done))

    async def create_match(self, row: MatchRow, secrets: Secrets, record: IndexRecord) -> None:
        """Commits a new match; see `referee.store.base.Store`."""
        future, done = promise(self._loop)
        self._submit(Create(row.number, row, secrets, record, done))
        await future

    async def put_ready(self, number: int, seat: int, entropy: bytes) -> bytes:
        """Commits the entropy of a seat and returns what counts; see `referee.store.base.Store`."""
        if seat not in (0, 1):
            raise ValueError(f"seat {seat} is not 0 or 1")
        future, done = promise(self._loop)
        write = PutReady(number, seat, entropy, done)
        self._submit(write)
        await future
        return write.counts

    async def seal_match(self, number: int, seal: bytes, reveals: Mapping[int, bytes], record: IndexRecord) -> None:
        """Commits the end of a match; see `referee.store.base.Store`."""
        future, done = promise(self._loop)
        self._submit(Seal(number, seal, reveals, record, done))
        await future

    async def replace_token_digest(self, number: int, place: int, digest: bytes) -> None:
        """Commits another digest of a token; see `referee.store.base.Store`."""
        future, done = promise(self._loop)
        self._submit(ReplaceTokenDigest(number, place, digest, done))
        await future

    async def put_deal(self, deal_id: bytes, seed: bytes) -> None:
        """Commits a deal for matches to share; see `referee.store.base.Store`."""
        future, done = promise(self._loop)
        self._submit(PutDeal(deal_id, seed, done))
        await future

    async def close_deal(self, deal_id: bytes, reveals: Mapping[int, bytes]) -> None:
        """Commits that a deal takes no more matches; see `referee.store.base.Store`."""
        future, done = promise(self._loop)
        self._submit(CloseDeal(deal_id, reveals, done))
        await future

    async def put_bot(self, row: BotRow) -> None:
        """Commits a bot; see `referee.store.base.Store`."""
        future, done = promise(self._loop)
        self._submit(PutBot(row, done))
        await future

    async def settle_restore(self) -> None:
        """Takes the index for the true one; see `referee.store.base.Store`."""
        future, done = promise(self._loop)
        self._submit(SettleRestore(done))
        await future
