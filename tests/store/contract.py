"""What every store must do; each back-end's test file inherits `StoreContract` and provides the `store` fixture."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

import pytest

from referee.store.base import (
    INDEX_ORIGIN,
    BotRow,
    IndexRecord,
    IndexState,
    MatchRow,
    SealRow,
    Secrets,
    Store,
    StoredEntry,
)
from referee.store.errors import (
    MatchSealed,
    StoreClosed,
    StoreError,
    UnknownMatch,
    WrongIndex,
    WrongIndexHead,
    WrongNumber,
)

Outcomes = list[StoreError | None]


class Listener:
    """Remembers what a store tells it."""

    def __init__(self) -> None:
        self.told: list[tuple[str, list[int]]] = []
        self.frozen = asyncio.Event()
        self.thawed = asyncio.Event()
        self.fatal = asyncio.Event()

    def on_frozen(self, numbers: Sequence[int]) -> None:
        self.told.append(("frozen", list(numbers)))
        self.frozen.set()

    def on_thawed(self, numbers: Sequence[int]) -> None:
        self.told.append(("thawed", list(numbers)))
        self.thawed.set()

    def on_fatal(self, error: StoreError) -> None:
        self.told.append(("fatal", []))
        self.fatal.set()


def match_row(number: int) -> MatchRow:
    header = b"header " + bytes([number])
    h0 = bytes([0xA0, number]) * 16
    return MatchRow(number, bytes([number]) * 16, header, h0, "2026-11-30T00:00:00Z", digests(number))


def digests(number: int) -> tuple[bytes, bytes, bytes]:
    seat_a, seat_b, spectators = (bytes([0xC0, number, place, 0]) * 8 for place in range(3))
    return seat_a, seat_b, spectators


def bot_row(number: int, token: int = 1) -> BotRow:
    return BotRow(number, f"bot {number}", bytes([0xD0, number, token, 0]) * 8)


def secrets(deal: int = 1) -> Secrets:
    return Secrets(bytes([deal]) * 16, b"\x02" * 32, b"\x03" * 32, b"\x04" * 32, b"\x05" * 64)


def record(position: int) -> IndexRecord:
    """Returns the record at a position of an index whose heads are plain numbers."""
    return IndexRecord(index_head(position), b"record %d" % position, index_head(position + 1))


def index_head(length: int) -> bytes:
    return length.to_bytes(32, "big")


def entry(index: int, size: int = 10) -> StoredEntry:
    return StoredEntry(index, bytes([0xB0, index % 256]) * 16, bytes([index % 256]) * size)


async def create(store: Store, number: int, deal: int = 1) -> None:
    await store.create_match(match_row(number), secrets(deal), record(store.index_state().length))


async def seal(store: Store, number: int, reveals: Mapping[int, bytes] | None = None) -> None:
    """Seals a match, by default with its reveal."""
    given = {number: b"reveal"} if reveals is None else reveals
    await store.seal_match(number, b"seal", given, record(store.index_state().length))


async def append_all(store: Store, *writes: tuple[int, StoredEntry]) -> Outcomes:
    """Queues entries at once and returns their outcomes in the order in which they were told."""
    told: Outcomes = []
    all_told = asyncio.Event()

    def done(error: StoreError | None) -> None:
        told.append(error)
        if len(told) == len(writes):
            all_told.set()

    for number, item in writes:
        store.append(number, item.index, item.head, item.data, done)
    assert told == [], "an append must not tell before it has returned"
    await asyncio.wait_for(all_told.wait(), 10)
    return told


class StoreContract:
    @pytest.fixture
    async def store(self, listener: Listener) -> AsyncIterator[Store] | Store:
        raise NotImplementedError

    # Matches

    async def test_new_store_is_empty(self, store: Store) -> None:
        assert store.index_state() == IndexState(1, INDEX_ORIGIN, 0)
        assert await store.list_matches(0, 10) == []
        assert await store.unfinished() == []
        assert await store.index_records(0, 10) == []
        assert not store.restored

    async def test_created_match_is_found_by_number_and_id(self, store: Store) -> None:
        await create(store, 1)
        assert await store.read_match(1) == match_row(1)
        assert await store.find_match(match_row(1).match_id) == match_row(1)
        assert await store.read_secrets(1) == secrets()
        assert store.index_state() == IndexState(2, index_head(1), 1)

    async def test_unknown_match_reads_as_none(self, store: Store) -> None:
        assert await store.read_match(1) is None
        assert await store.find_match(b"x" * 16) is None
        assert await store.read_secrets(1) is None
        assert await store.read_seal(1) is None
        assert await store.readies(1) == (None, None)
        assert await store.read_entries(1, 0, 100) == []

    async def test_match_with_wrong_number_is_refused(self, store: Store) -> None:
        with pytest.raises(WrongNumber):
            await create(store, 2)
        assert store.index_state() == IndexState(1, INDEX_ORIGIN, 0)

    async def test_match_with_taken_id_is_refused(self, store: Store) -> None:
        await create(store, 1)
        with pytest.raises(WrongNumber):
            await store.create_match(replace(match_row(2), match_id=match_row(1).match_id), secrets(), record(1))
        assert await store.read_match(2) is None

    async def test_match_with_wrong_index_head_is_refused(self, store: Store) -> None:
        await create(store, 1)
        with pytest.raises(WrongIndexHead) as caught:
            await store.create_match(match_row(2), secrets(), record(2))
        assert (caught.value.expected, caught.value.given) == (index_head(1), index_head(2))
        assert await store.read_match(2) is None
        assert store.index_state().next_number == 2

    async def test_creations_sent_ahead_of_each_other_all_succeed(self, store: Store) -> None:
        rows = range(1, 21)
        await asyncio.gather(*(store.create_match(match_row(n), secrets(), record(n - 1)) for n in rows))
        assert [row.number for row in await store.list_matches(0, 100)] == list(rows)
        assert store.index_state() == IndexState(21, index_head(20), 20)

    async def test_matches_are_listed_in_pages(self, store: Store) -> None:
        for number in range(1, 6):
            await create(store, number)
        assert [row.number for row in await store.list_matches(0, 2)] == [1, 2]
        assert [row.number for row in await store.list_matches(2, 2)] == [3, 4]
        assert [row.number for row in await store.list_matches(4, 2)] == [5]
        assert await store.list_matches(5, 2) == []
        assert await store.list_matches(9, 2) == []

    async def test_last_entry_is_that_of_the_match(self, store: Store) -> None:
        for number in (1, 2, 3):
            await create(store, number)
        assert await store.read_last_entry(1) is None
        assert await store.read_last_entry(9) is None
        await append_all(store, (1, entry(1)), (2, entry(1)), (2, entry(2)), (1, entry(2)), (1, entry(3)))
        assert await store.read_last_entry(1) == entry(3)
        assert await store.read_last_entry(2) == entry(2)
        assert await store.read_last_entry(3) is None

    async def test_matches_of_a_deal_are_found(self, store: Store) -> None:
        for number, deal in ((1, 7), (2, 8), (3, 7)):
            await create(store, number, deal)
        assert [row.number for row in await store.deal_matches(bytes([7]) * 16)] == [1, 3]

    # Entropy

    async def test_first_entropy_of_a_seat_counts(self, store: Store) -> None:
        await create(store, 1)
        assert await store.put_ready(1, 1, b"first") == b"first"
        assert await store.put_ready(1, 1, b"second") == b"first"
        assert await store.readies(1) == (None, b"first")

    async def test_empty_entropy_is_entropy_given(self, store: Store) -> None:
        await create(store, 1)
        assert await store.put_ready(1, 0, b"") == b""
        assert await store.put_ready(1, 0, b"late") == b""
        assert await store.readies(1) == (b"", None)

    async def test_entropy_for_unknown_match_or_seat_is_refused(self, store: Store) -> None:
        with pytest.raises(UnknownMatch):
            await store.put_ready(1, 0, b"e")
        await create(store, 1)
        with pytest.raises(ValueError, match="seat 2"):
            await store.put_ready(1, 2, b"e")

    # Entries

    async def test_entries_are_read_as_appended(self, store: Store) -> None:
        await create(store, 1)
        assert await append_all(store, (1, entry(1)), (1, entry(2))) == [None, None]
        assert await append_all(store, (1, entry(3))) == [None]
        assert await store.read_entries(1, 0, 1000) == [entry(1), entry(2), entry(3)]
        assert await store.read_entries(1, 2, 1000) == [entry(3)]
        assert await store.read_entries(1, 3, 1000) == []

    async def test_large_group_is_stored_whole(self, store: Store) -> None:
        numbers = range(1, 21)
        for number in numbers:
            await create(store, number)
        writes = [(number, entry(index)) for index in range(1, 151) for number in numbers]
        assert await append_all(store, *writes) == [None] * 3000
        for number in numbers:
            assert await store.read_entries(number, 0, 1 << 20) == [entry(index) for index in range(1, 151)]

    async def test_entries_are_read_in_pages_of_whole_entries(self, store: Store) -> None:
        await create(store, 1)
        await append_all(store, *((1, entry(index, size=100)) for index in range(1, 6)))
        assert [e.index for e in await store.read_entries(1, 0, 200)] == [1, 2]
        assert [e.index for e in await store.read_entries(1, 0, 299)] == [1, 2]
        assert [e.index for e in await store.read_entries(1, 2, 300)] == [3, 4, 5]

    async def test_entry_larger_than_a_page_is_read_alone(self, store: Store) -> None:
        await create(store, 1)
        await append_all(store, (1, entry(1, size=500)), (1, entry(2)))
        assert [e.index for e in await store.read_entries(1, 0, 100)] == [1]

    async def test_wrong_index_fails_alone_in_its_group(self, store: Store) -> None:
        await create(store, 1)
        await create(store, 2)
        writes = ((1, entry(1)), (2, entry(1)), (1, entry(3)), (1, entry(1)), (2, entry(2)), (1, entry(2)))
        outcomes = await append_all(store, *writes)
        assert [type(outcome) for outcome in outcomes] == [
            type(None),
            type(None),
            WrongIndex,
            WrongIndex,
            type(None),
            type(None),
        ]
        gap = outcomes[2]
        assert isinstance(gap, WrongIndex)
        assert (gap.number, gap.expected, gap.given) == (1, 2, 3)
        assert await store.read_entries(1, 0, 1000) == [entry(1), entry(2)]
        assert await store.read_entries(2, 0, 1000) == [entry(1), entry(2)]

    async def test_entry_for_unknown_match_is_refused(self, store: Store) -> None:
        assert [type(outcome) for outcome in await append_all(store, (9, entry(1)))] == [UnknownMatch]

    async def test_callback_may_append_again(self, store: Store) -> None:
        await create(store, 1)
        finished: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()

        def append(index: int) -> None:
            item = entry(index)
            store.append(1, index, item.head, item.data, lambda error: next_one(index, error))

        def next_one(index: int, error: StoreError | None) -> None:
            if error is not None or index == 500:
                finished.set_result(error)
            else:
                append(index + 1)

        append(1)
        assert await asyncio.wait_for(finished, 30) is None
        assert len(await store.read_entries(1, 0, 1 << 20)) == 500

    async def test_callback_that_raises_stops_no_other(self, store: Store) -> None:
        await create(store, 1)
        reported: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))
        error = RuntimeError("a bug of the caller")

        def raising(_: StoreError | None) -> None:
            raise error

        store.append(1, 1, entry(1).head, entry(1).data, raising)
        assert await append_all(store, (1, entry(2))) == [None]
        assert reported == [error]

    # Ends

    async def test_sealed_match_keeps_its_seal_and_loses_its_blind_key(self, store: Store) -> None:
        await create(store, 1)
        await append_all(store, (1, entry(1)))
        await seal(store, 1)
        assert await store.read_seal(1) == SealRow(1, b"seal", b"reveal")
        assert await store.read_match(1) == replace(match_row(1), ended=True, revealed=True)
        assert await store.read_secrets(1) == replace(secrets(), blind_key=b"")
        assert await store.index_records(0, 10) == [record(0), record(1)]
        assert await store.index_records(1, 1) == [record(1)]
        assert store.index_state() == IndexState(2, index_head(2), 2)

    async def test_sealed_match_is_no_longer_unfinished(self, store: Store) -> None:
        for number in (1, 2, 3):
            await create(store, number)
        await seal(store, 2)
        assert [row.number for row in await store.unfinished()] == [1, 3]

    async def test_sealed_match_takes_nothing_more(self, store: Store) -> None:
        await create(store, 1)
        await seal(store, 1)
        assert [type(outcome) for outcome in await append_all(store, (1, entry(1)))] == [MatchSealed]
        with pytest.raises(MatchSealed):
            await store.put_ready(1, 0, b"late")
        with pytest.raises(MatchSealed):
            await seal(store, 1)
        assert store.index_state().length == 2

    async def test_seal_of_unknown_match_or_wrong_index_head_is_refused(self, store: Store) -> None:
        with pytest.raises(UnknownMatch):
            await seal(store, 1)
        await create(store, 1)
        with pytest.raises(WrongIndexHead):
            await store.seal_match(1, b"seal", {1: b"reveal"}, record(0))
        assert await store.read_seal(1) is None
        assert await store.read_secrets(1) == secrets()
        assert await append_all(store, (1, entry(1))) == [None]

    async def test_seal_may_bring_the_reveals_of_matches_that_ended_before(self, store: Store) -> None:
        for number in (1, 2, 3):
            await create(store, number)
        await seal(store, 1, {})
        assert await store.read_match(1) == replace(match_row(1), ended=True)
        await seal(store, 2, {1: b"first", 2: b"own", 3: b"early", 4: b"unknown"})
        for number, reveal in ((1, b"first"), (2, b"own")):
            assert await store.read_seal(number) == SealRow(number, b"seal", reveal)
            assert await store.read_match(number) == replace(match_row(number), ended=True, revealed=True)
        assert await store.read_match(3) == match_row(3)
        await seal(store, 3, {1: b"second"})
        assert await store.read_seal(1) == SealRow(1, b"seal", b"first")
        assert await store.read_seal(3) == SealRow(3, b"seal", None)

    # The end of the store

    async def test_close_finishes_what_is_queued(self, store: Store) -> None:
        await create(store, 1)
        outcomes: Outcomes = []
        for index in (1, 2):
            store.append(1, index, entry(index).head, entry(index).data, outcomes.append)
        await store.close()
        assert outcomes == [None, None]

    async def test_closed_store_refuses_writes(self, store: Store) -> None:
        await create(store, 1)
        await store.close()
        assert [type(outcome) for outcome in await append_all(store, (1, entry(1)))] == [StoreClosed]
        with pytest.raises(StoreClosed):
            await create(store, 2)
