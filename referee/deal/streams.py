"""The word streams under a deal key, and the shuffler of a match made of them."""

from collections.abc import Iterator
from enum import IntEnum
from hashlib import sha256
from hmac import digest
from struct import Struct

from referee.deal.keys import check_sizes, deal_key
from referee.rules.cards import Card
from referee.rules.shuffling import shuffled

_WORDS = Struct(">16H")
_MESSAGE = Struct(">BII")


class Label(IntEnum):
    """Names the use of a stream; the value is its byte in the hashed message."""

    CUT = 1
    DECK = 2
    OPENING_BLOCK = 3
    RECYCLE = 4


def words(key: bytes, label: Label, k: int) -> Iterator[int]:
    """Yields the 16-bit words of a stream, without end (`PROTOCOL.md`, "The deal").

    `key` is a deal key (32 bytes); `k` is 0, except for recycle number `k` of the round, counted from 1. Each block of
    16 big-endian words is one HMAC-SHA-256.
    """
    counter = 0
    while True:
        yield from _WORDS.unpack(digest(key, _MESSAGE.pack(label, k, counter), sha256))
        counter += 1


class SealedShuffler:
    """Shuffles for a match out of its sealed deal; implements `referee.rules.shuffling.Shuffler`.

    The same arguments give the same order for ever. The last shuffle of each label is kept, because deciding and
    evolving ask for it one after the other.
    """

    __slots__ = ("_deal_id", "_e1", "_e2", "_last", "_seed")

    def __init__(self, seed: bytes, deal_id: bytes, e1: bytes, e2: bytes) -> None:
        check_sizes(seed, deal_id, e1, e2)  # now, not in the middle of a match
        self._seed = seed
        self._deal_id = deal_id
        self._e1 = e1
        self._e2 = e2
        self._last: dict[Label, tuple[int, int, tuple[Card, ...], tuple[Card, ...]]] = {}

    def cut(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the deck as shuffled for the cut."""
        return self._shuffle(Label.CUT, 0, 0, cards)

    def deck(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the deck of a round (from 1) as shuffled before the draft; position 0 is the next card out."""
        return self._shuffle(Label.DECK, round, 0, cards)

    def opening_block(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the cards laid aside in the draft, oldest first, as shuffled to form the draw pile."""
        return self._shuffle(Label.OPENING_BLOCK, round, 0, cards)

    def recycled(self, round: int, number: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the discard pile, oldest first, as shuffled for recycle `number` (from 1) of a round."""
        return self._shuffle(Label.RECYCLE, round, number, cards)

    def _shuffle(self, label: Label, round: int, k: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        last = self._last.get(label)
        if last is not None and last[0] == round and last[1] == k and last[2] == cards:
            return last[3]
        key = deal_key(self._seed, self._deal_id, self._e1, self._e2, round)
        order = shuffled(cards, words(key, label, k))
        self._last[label] = (round, k, cards, order)
        return order
