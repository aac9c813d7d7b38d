"""A store in memory, for matches that need not outlive their referee, and for tests."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from typing import assert_never

from referee.store.base import (
    INDEX_ORIGIN,
    BotRow,
    DealRow,
    IndexRecord,
    IndexState,
    MatchRow,
    SealRow,
    Secrets,
    StoredEntry,
    StoreListener,
)
from referee.store.errors import (
    DealClosed,
    MatchSealed,
    StoreClosed,
    StoreError,
    StoreFatal,
    StoreGivenUp,
    UnknownDeal,
    UnknownMatch,
    WrongBot,
    WrongIndex,
    WrongIndexHead,
    WrongNumber,
)
from referee.store.paging import page
from referee.store.queued import QueuedStore
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
    Told,
    Write,
    tell,
)


class MemoryStore(QueuedStore):
    """Keeps everything in memory; fulfils `referee.store.base.Store`.

    Writes are made at once and told together, in one pass of the loop. `freeze`, `thaw`, `give_up` and `fail` bring
    about on purpose what a disk does by chance.
    """

    def __init__(self) -> None:
        self._rows: dict[int, MatchRow] = {}
        self._numbers: dict[bytes, int] = {}
        self._deals: dict[bytes, DealRow] = {}
        self._sharing: dict[bytes, list[int]] = {}
        self._bots: dict[str, BotRow] = {}
        self._secrets: dict[int, Secrets] = {}
        self._readies: dict[tuple[int, int], bytes] = {}
        # Head and data of each entry: plain tuples of bytes, which the garbage collector need not look through.
        self._entries: dict[int, list[tuple[bytes, bytes]]] = {}
        self._seals: dict[int, SealRow] = {}
        self._index: list[IndexRecord] = []
        self._listener: StoreListener | None = None
        self._told: list[Told] = []
        self._held: list[Write] | None = None
        self._refusal: StoreError | None = None

    @property
    def restored(self) -> bool:
        """Returns False: memory has no backups."""
        return False

    async def open(self, listener: StoreListener | None = None) -> None:
        """Takes the running loop and the listener."""
        self._loop = asyncio.get_running_loop()
        self._listener = listener

    async def close(self) -> None:
        """Refuses further writes; what was told is told first, and what is held is given up."""
        self.give_up()
        self._refusal = self._refusal or StoreClosed("the store is closed")
        await asyncio.sleep(0)

    def index_state(self) -> IndexState:
        """Returns the end of the referee's index."""
        head = self._index[-1].head if self._index else INDEX_ORIGIN
        return IndexState(next_number=len(self._rows) + 1, head=head, length=len(self._index))

    async def index_records(self, start: int, limit: int) -> list[IndexRecord]:
        """Returns records of the referee's index."""
        return self._index[start : start + limit]

    async def readies(self, number: int) -> tuple[bytes | None, bytes | None]:
        """Returns the entropy of seats A and B."""
        return self._readies.get((number, 0)), self._readies.get((number, 1))

    async def read_match(self, number: int) -> MatchRow | None:
        """Returns the row of a match."""
        return self._rows.get(number)

    async def find_match(self, match_id: bytes) -> MatchRow | None:
        """Returns the row of the match with this id."""
        number = self._numbers.get(match_id)
        return None if number is None else self._rows[number]

    async def read_secrets(self, number: int) -> Secrets | None:
        """Returns the secrets of a match."""
        return self._secrets.get(number)

    async def read_seal(self, number: int) -> SealRow | None:
        """Returns the seal of a match."""
        return self._seals.get(number)

    async def read_entries(self, number: int, after_index: int, max_bytes: int) -> list[StoredEntry]:
        """Returns the next entries of a match."""
        following = islice(self._entries.get(number, []), after_index, None)
        return page((StoredEntry(index, *entry) for index, entry in enumerate(following, after_index + 1)), max_bytes)

    async def read_last_entry(self, number: int) -> StoredEntry | None:
        """Returns the last entry of a match."""
        entries = self._entries.get(number)
        return StoredEntry(len(entries), *entries[-1]) if entries else None

    async def unfinished(self) -> list[MatchRow]:
        """Returns the rows of all matches without a seal."""
        return [row for row in self._rows.values() if not row.ended]

    async def list_matches(self, after_number: int, limit: int) -> list[MatchRow]:
        """Returns rows by number."""
        end = min(after_number + limit, len(self._rows))
        return [self._rows[number] for number in range(after_number + 1, end + 1)]

    async def deal_matches(self, deal_id: bytes) -> list[MatchRow]:
        """Returns the rows of all matches of a deal."""
        return [self._rows[number] for number in self._sharing.get(deal_id, ())]

    async def read_deal(self, deal_id: bytes) -> DealRow | None:
        """Returns a deal that matches share."""
        return self._deals.get(deal_id)

    async def open_deals(self) -> list[DealRow]:
        """Returns the shared deals that take more matches."""
        return [self._deals[deal_id] for deal_id in sorted(self._deals) if not self._deals[deal_id].closed]

    async def bots(self) -> list[BotRow]:
        """Returns the rows of all bots."""
        return [*self._bots.values()]

    def freeze(self) -> None:
        """Holds all writes from now on, as a full disk does."""
        if self._held is None:
            self._held = []

    def thaw(self) -> None:
        """Makes the writes that were held, and those that follow."""
        for write in self._release():
            self._submit(write)

    def give_up(self) -> None:
        """Fails the writes that were held, as a store does after the limit of its retries."""
        for write in self._release():
            self._tell_soon(write, StoreGivenUp("the store gave up a write"))

    def fail(self) -> None:
        """Breaks the store for good: held and further writes fail, and the listener is told."""
        self._refusal = StoreFatal("the store is broken")
        self.thaw()
        if self._listener is not None:
            self._loop.call_soon(self._listener.on_fatal, self._refusal)

    def _submit(self, write: Write) -> None:
        if self._refusal is not None:
            self._tell_soon(write, self._refusal)
        elif self._held is None:
            self._tell_soon(write, self._apply(write))
        else:
            if self._listener is not None and write.number not in {held.number for held in self._held}:
                self._loop.call_soon(self._listener.on_frozen, [write.number])
            self._held.append(write)

    def _release(self) -> list[Write]:
        held, self._held = self._held or [], None
        if held and self._listener is not None:
            self._loop.call_soon(self._listener.on_thawed, sorted({write.number for write in held}))
        return held

    def _tell_soon(self, write: Write, error: StoreError | None) -> None:
        self._told.append((write, error))
        if len(self._told) == 1:
            self._loop.call_soon(self._tell)

    def _tell(self) -> None:
        told, self._told = self._told, []
        tell(self._loop, told)

    def _apply(self, write: Write) -> StoreError | None:
        if isinstance(write, Append):
            return self._append(write)
        if isinstance(write, Create):
            return self._create(write)
        if isinstance(write, PutReady):
            return self._put_ready(write)
        if isinstance(write, Seal):
            return self._seal(write)
        if isinstance(write, ReplaceTokenDigest):
            return self._replace_token_digest(write)
        if isinstance(write, PutDeal):
            return self._put_deal(write)
        if isinstance(write, CloseDeal):
            return self._close_deal(write)
        if isinstance(write, PutBot):
            return self._put_bot(write.row)
        if isinstance(write, SettleRestore):
            return None
        assert_never(write)

    def _append(self, write: Append) -> StoreError | None:
        if (refusal := self._not_open(write.number)) is not None:
            return refusal
        entries = self._entries[write.number]
        if write.index != len(entries) + 1:
            return WrongIndex(write.number, len(entries) + 1, write.index)
        entries.append((write.head, write.data))
        return None

    def _create(self, write: Create) -> StoreError | None:
        number = write.number
        if number != len(self._rows) + 1 or write.row.match_id in self._numbers:
            return WrongNumber(f"match {number} is not the next one, or its id is taken")
        deal = self._deals.get(write.secrets.deal_id)
        if deal is not None and deal.closed:
            return DealClosed()
        if (refusal := self._not_next(write.record)) is not None:
            return refusal
        self._rows[number] = write.row
        self._numbers[write.row.match_id] = number
        self._secrets[number] = write.secrets
        self._sharing.setdefault(write.secrets.deal_id, []).append(number)
        self._entries[number] = []
        self._index.append(write.record)
        return None

    def _put_ready(self, write: PutReady) -> StoreError | None:
        if (refusal := self._not_open(write.number)) is not None:
            return refusal
        write.counts = self._readies.setdefault((write.number, write.seat), write.entropy)
        return None

    def _seal(self, write: Seal) -> StoreError | None:
        number = write.number
        if (refusal := self._not_open(number) or self._not_next(write.record)) is not None:
            return refusal
        self._rows[number] = replace(self._rows[number], ended=True)
        self._secrets[number] = replace(self._secrets[number], blind_key=b"")
        self._seals[number] = SealRow(number, write.seal, None)
        self._reveal(write.reveals)
        self._index.append(write.record)
        return None

    def _reveal(self, reveals: Mapping[int, bytes]) -> None:
        for number, reveal in reveals.items():
            seal = self._seals.get(number)
            if seal is not None and seal.reveal is None:
                self._seals[number] = replace(seal, reveal=reveal)
                self._rows[number] = replace(self._rows[number], revealed=True)

    def _put_deal(self, write: PutDeal) -> StoreError | None:
        self._deals.setdefault(write.deal_id, DealRow(write.deal_id, write.seed))
        return None

    def _close_deal(self, write: CloseDeal) -> StoreError | None:
        deal = self._deals.get(write.deal_id)
        if deal is None:
            return UnknownDeal()
        self._deals[write.deal_id] = replace(deal, closed=True)
        self._reveal(write.reveals)
        return None

    def _replace_token_digest(self, write: ReplaceTokenDigest) -> StoreError | None:
        row = self._rows.get(write.number)
        if row is None:
            return UnknownMatch(write.number)
        self._rows[write.number] = row.with_token(write.place, write.digest)
        return None

    def _put_bot(self, row: BotRow) -> StoreError | None:
        known = self._bots.get(row.name)
        if row.number != (len(self._bots) + 1 if known is None else known.number):
            return WrongBot(row.number, row.name)
        self._bots[row.name] = row
        return None

    def _not_open(self, number: int) -> StoreError | None:
        row = self._rows.get(number)
        if row is None:
            return UnknownMatch(number)
        return MatchSealed(number) if row.ended else None

    def _not_next(self, record: IndexRecord) -> StoreError | None:
        head = self.index_state().head
        return None if record.previous == head else WrongIndexHead(head, record.previous)
