"""The orders of cards that a case gives in place of chance."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.rules.cards import Card
from referee.rules.shuffling import Shuffler


class UnexpectedShuffle(Exception):
    """Reports that the engine shuffles cards of which the case gives no order, or not the cards it gives one of."""


@dataclass(frozen=True, slots=True)
class Shuffles:
    """Holds given orders, next card out first.

    `cut` and `later_decks`, those of the rounds after the first, are None if the start says enough.  The draft discards
    and the recycles, in their order, are those of the first round; what is not given is not to be shuffled at all.
    """

    cut: tuple[Card, ...] | None
    later_decks: tuple[tuple[Card, ...], ...] | None
    opening_block: tuple[Card, ...] | None
    recycles: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class GivenShuffler:
    """Gives the orders of a case, and those of its start where it gives no other; UnexpectedShuffle for the rest."""

    given: Shuffles
    start: Shuffler

    def cut(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the deck as cut, which a case gives small."""
        return self.start.cut(cards) if self.given.cut is None else self.given.cut

    def deck(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the deck of a round, which a case gives small."""
        if round == 1 or self.given.later_decks is None:
            return self.start.deck(round, cards)
        return _numbered(self.given.later_decks, round - 1, f"the deck of round {round}")

    def opening_block(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the draft discards of the first round."""
        if round != 1 or self.given.opening_block is None:
            raise UnexpectedShuffle(f"the draft discards of round {round} are shuffled, and no order is given")
        return _of_same_cards(self.given.opening_block, cards, "the draft discards")

    def recycled(self, round: int, number: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the discards of a recycle in the first round."""
        what = f"recycle {number} of round {round}"
        return _of_same_cards(_numbered(self.given.recycles if round == 1 else (), number, what), cards, what)


def _numbered(orders: Sequence[tuple[Card, ...]], number: int, what: str) -> tuple[Card, ...]:
    if number > len(orders):
        raise UnexpectedShuffle(f"{what} is shuffled, and no order is given")
    return orders[number - 1]


def _of_same_cards(order: tuple[Card, ...], cards: tuple[Card, ...], what: str) -> tuple[Card, ...]:
    if sorted(order) != sorted(cards):
        raise UnexpectedShuffle(f"{what}: other cards are shuffled than an order is given of")
    return order
