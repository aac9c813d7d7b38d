"""The contract of every store; `memory` and `sqlite` fulfil it, and one test class holds them to it.

All methods are called from the event loop that opened the store, and all callbacks arrive on it. Writes take effect in
the order in which they were called, so a caller may send the next one on the assumption that the last one succeeds: the
expected index, number or head is checked when its turn comes. A write is durable when it is acknowledged, and visible
to every read that starts after that.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from referee.store.errors import StoreError

INDEX_ORIGIN = bytes(32)

Done = Callable[[StoreError | None], None]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """Holds what is known of a match apart from its entries; `created` is RFC 3339 text, information only.

    `token_digests` are those of the tokens of seats A and B and of the spectators, 32 bytes each. `ended` and
    `revealed` are the store's own: a new row has neither.
    """

    number: int
    match_id: bytes
    header: bytes
    h0: bytes
    created: str
    token_digests: tuple[bytes, bytes, bytes]
    ended: bool = False
    revealed: bool = False

    def with_token(self, place: int, digest: bytes) -> "MatchRow":
        """Returns this row with another digest at a place of `token_digests`."""
        digests = [*self.token_digests]
        digests[place] = digest
        seat_a, seat_b, spectators = digests
        return replace(self, token_digests=(seat_a, seat_b, spectators))


@dataclass(frozen=True, slots=True)
class BotRow:
    """Holds what is known of a bot: its number from 1, its name, and the digest of its token (32 bytes)."""

    number: int
    name: str
    token_digest: bytes


@dataclass(frozen=True, slots=True)
class DealRow:
    """Holds a deal that matches share: its id (16 bytes), its seed (32 bytes), and whether it takes no more matches."""

    deal_id: bytes = field(repr=False)
    seed: bytes = field(repr=False)
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Secrets:
    """Holds the secrets of one match: deal id (16 bytes), seed, salt and blind key (32 bytes each).

    `bot_seeds` are those given for the bots in seats A and B, 32 bytes each and joined, empty if none were. The blind
    key of a sealed match is erased, hence empty. None of them is in the `repr`, which may be logged.
    """

    deal_id: bytes = field(repr=False)
    seed: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    blind_key: bytes = field(repr=False)
    bot_seeds: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """Holds one entry of a log: its index from 1, the head after it (32 bytes) and its bytes."""

    index: int
    head: bytes
    data: bytes


@dataclass(frozen=True, slots=True)
class SealRow:
    """Holds the seal of an ended match, and its reveal once that is public."""

    number: int
    seal: bytes
    reveal: bytes | None


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """Holds one record of the referee's index: the head that it follows, its bytes and the head after it."""

    previous: bytes
    data: bytes
    head: bytes


@dataclass(frozen=True, slots=True)
class IndexState:
    """Holds the end of the referee's index as committed, and the number of the next match (from 1)."""

    next_number: int
    head: bytes
    length: int


class StoreListener(Protocol):
    """Is told what befalls the store as a whole."""

    def on_frozen(self, numbers: Sequence[int]) -> None:
        """Learns that the writes of these matches wait for the disk; each number is told once a freeze."""

    def on_thawed(self, numbers: Sequence[int]) -> None:
        """Learns that the freeze of these matches is over, before the outcome of each write is told."""

    def on_fatal(self, error: StoreError) -> None:
        """Learns that the store is broken for good; it is told once, after every write that was pending has failed."""


class Store(Protocol):
    """Keeps bytes. Refusals (`StoreRefused`) concern the one call that they answer."""

    @property
    def restored(self) -> bool:
        """Returns whether the store was opened from a backup: its index is behind, or beside, the last one told.

        It stays true, over restarts too, until `settle_restore`.
        """

    async def open(self, listener: StoreListener | None = None) -> None:
        """Takes sole ownership. Raises `StoreUnavailable`, `StoreLocked` or `StoreVersion`."""

    async def close(self) -> None:
        """Finishes the writes that wait and releases the store; a frozen store gives them up instead."""

    async def settle_restore(self) -> None:
        """Takes the index as it is for the true one, once every unfinished match of a backup has been voided."""

    def index_state(self) -> IndexState:
        """Returns the committed end of the referee's index."""

    async def index_records(self, start: int, limit: int) -> list[IndexRecord]:
        """Returns up to `limit` records of the referee's index from position `start` (the first is 0)."""

    async def create_match(self, row: MatchRow, secrets: Secrets, record: IndexRecord) -> None:
        """Commits header, secrets and index record of a new match together.

        Raises `WrongNumber` unless the number is the next one and the match id new, `DealClosed` if its deal is a
        shared one that takes no more matches, and `WrongIndexHead` unless the record follows the index.
        """

    async def put_ready(self, number: int, seat: int, entropy: bytes) -> bytes:
        """Commits the entropy of a seat, unless it has some, and returns what counts: the first."""

    async def readies(self, number: int) -> tuple[bytes | None, bytes | None]:
        """Returns the entropy given by seats A and B; None for a seat that has given none."""

    def append(self, number: int, index: int, head: bytes, data: bytes, done: Done) -> None:
        """Queues an entry and returns at once; `done` gets None after the commit, or the error.

        `done` is never called from within `append`. Errors: `WrongIndex`, `UnknownMatch`, `MatchSealed`,
        `StoreGivenUp`, `StoreFatal`, `StoreClosed`.
        """

    async def seal_match(self, number: int, seal: bytes, reveals: Mapping[int, bytes], record: IndexRecord) -> None:
        """Commits the end of a match with its index record and the reveals that it brings, and erases its blind key.

        `reveals` are those of this match and of others by their numbers, empty while the deal must stay secret; the
        first of a match counts, and one of a match that has not ended is left out. The final entry is appended before.
        Raises `UnknownMatch`, `MatchSealed` or `WrongIndexHead`.
        """

    async def replace_token_digest(self, number: int, place: int, digest: bytes) -> None:
        """Commits another digest at a place of `MatchRow.token_digests`, also of a sealed match.

        Raises `UnknownMatch`.
        """

    async def put_deal(self, deal_id: bytes, seed: bytes) -> None:
        """Commits a new deal for matches to share; one that is there stays as it is, open or closed."""

    async def close_deal(self, deal_id: bytes, reveals: Mapping[int, bytes]) -> None:
        """Commits that a deal takes no more matches, with the reveals that this brings, as `seal_match` does.

        Closing a deal again is no error. Raises `UnknownDeal`.
        """

    async def put_bot(self, row: BotRow) -> None:
        """Commits a new bot, or another token digest of a known one.

        Raises `WrongBot` unless the number and the name belong together, or are the next number and a new name.
        """

    async def bots(self) -> list[BotRow]:
        """Returns the rows of all bots, by number."""

    async def read_deal(self, deal_id: bytes) -> DealRow | None:
        """Returns a deal that matches share, or None."""

    async def open_deals(self) -> list[DealRow]:
        """Returns the shared deals that take more matches, by id."""

    async def read_match(self, number: int) -> MatchRow | None:
        """Returns the row of a match, or None."""

    async def find_match(self, match_id: bytes) -> MatchRow | None:
        """Returns the row of the match with this id, or None."""

    async def read_secrets(self, number: int) -> Secrets | None:
        """Returns the secrets of a match, or None."""

    async def read_seal(self, number: int) -> SealRow | None:
        """Returns the seal of a match, or None while it has none."""

    async def read_entries(self, number: int, after_index: int, max_bytes: int) -> list[StoredEntry]:
        """Returns the next whole entries after an index, as many as fit into `max_bytes` of data, but at least one."""

    async def read_last_entry(self, number: int) -> StoredEntry | None:
        """Returns the last entry of a match, or None while it has none."""

    async def unfinished(self) -> list[MatchRow]:
        """Returns the rows of all matches without a seal, by number."""

    async def list_matches(self, after_number: int, limit: int) -> list[MatchRow]:
        """Returns up to `limit` rows, by number, from the one after `after_number`."""

    async def deal_matches(self, deal_id: bytes) -> list[MatchRow]:
        """Returns the rows of all matches of a deal, whether it was made to be shared or not, by number."""
