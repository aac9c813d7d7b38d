"""Where the order of the cards comes from (RULES.md R10, PROTOCOL.md on the deal)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from referee.rules.cards import Card

_WORD_VALUES: Final = 1 << 16


def shuffled(cards: Iterable[Card], words: Iterator[int]) -> tuple[Card, ...]:
    """Returns the cards in the order that a stream of 16-bit words gives them; position 0 is the next card out.

    Fisher-Yates from the last position i down to 1: swap it with ``w % (i + 1)``, where w is the next word below the
    largest multiple of ``i + 1`` in 65536; words above are used up and skipped, so that no index is favored
    (PROTOCOL.md on the deal).
    Raises StopIteration if the stream ends too early.
    """
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        choices = last + 1
        limit = _WORD_VALUES - _WORD_VALUES % choices
        word = next(words)
        while word >= limit:
            word = next(words)
        chosen = word % choices
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


class Shuffler(Protocol):
    """Gives every order of cards that a match needs.

    Each method returns the given cards in their new order, position 0 being the next card out, and returns the same
    order whenever it is asked with the same arguments: `decide` and `evolve` both ask.
    """

    def cut(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the deck shuffled for the cut."""

    def deck(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the deck shuffled for a round, rounds counting from 1."""

    def opening_block(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the draft discards, given oldest first, shuffled (asked with `piles` SHUFFLE only)."""

    def recycled(self, round: int, number: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the recycled discards, given oldest first, shuffled (asked with `piles` SHUFFLE only).

        `number` counts the recycles of the round from 1.
        """


@dataclass(frozen=True, slots=True)
class FixedShuffler:
    """Gives the same two orders always, for worked cases and tests.

    `cut_order` is the deck as cut and `deck_order` the deck of every round; discards come back as they lie, oldest
    first, as if they were only turned over.
    """

    cut_order: tuple[Card, ...]
    deck_order: tuple[Card, ...]

    def cut(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the given order of the cut, whatever the deck."""
        return self.cut_order

    def deck(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the given order of the deck, whatever the round."""
        return self.deck_order

    def opening_block(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the cards as they lie."""
        return cards

    def recycled(self, round: int, number: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the cards as they lie."""
        return cards
