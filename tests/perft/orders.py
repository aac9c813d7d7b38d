"""The orders that cards can take, and a shuffler that gives a chosen one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.rules.cards import Card


def orders(cards: Iterable[Card]) -> Iterator[tuple[Card, ...]]:
    """Yields each different order of the cards once; equal cards cannot be told apart."""
    rest = sorted(cards)
    if not rest:
        yield ()
    for card in dict.fromkeys(rest):
        others = list(rest)
        others.remove(card)
        for order in orders(others):
            yield (card, *order)


@dataclass
class ChosenOrder:
    """Gives the chosen order for whatever is shuffled in one move, as it lies if none is; `asked` is what that was."""

    order: tuple[Card, ...] | None
    asked: tuple[Card, ...] = ()

    def cut(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        raise AssertionError("the match was cut before")

    def deck(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        raise AssertionError("a small world has one round")

    def opening_block(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return self._shuffled(cards)

    def recycled(self, round: int, number: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return self._shuffled(cards)

    def _shuffled(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        assert self.asked in ((), cards), "one move shuffles once"
        self.asked = cards
        return cards if self.order is None else self.order
