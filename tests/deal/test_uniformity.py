"""Shuffles of a deal put each card in each position equally often, by a statistic that notices known mistakes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle, islice
from math import sqrt

import pytest

from referee.deal.streams import Label, SealedShuffler, words
from referee.rules.cards import Card, deck_cards
from referee.rules.ruleset import DUO

DECK = deck_cards(DUO.deck)
KEY = b"uniform".ljust(32, b"\0")
# Chance alone exceeds it once in 16,000 times; the shuffles are the same in each run.
SIGMAS = 4

Shuffle = Callable[[Iterator[int]], tuple[Card, ...]]


def deviation(orders: Iterable[tuple[Card, ...]]) -> float:
    """Returns by how many standard deviations the chi-square of card by position differs from what chance gives.

    A face is expected as often as the deck has copies of it. Each order fills each position and has each copy, so the
    counts hang together: hence the degrees of freedom, and the factor by which their sum is too large.
    """
    size, copies = len(DECK), Counter(DECK)
    positions = b"".join(map(bytes, orders))
    number = len(positions) // size
    total = 0.0
    for place in range(size):
        found = Counter(positions[place::size])
        for face, times in copies.items():
            expected = number * times / size
            total += (found[face] - expected) ** 2 / expected
    freedom = (size - 1) * (len(copies) - 1)
    return (total * (size - 1) / size - freedom) / sqrt(2 * freedom)


def orders_of(shuffle: Shuffle, number: int) -> Iterator[tuple[Card, ...]]:
    """Yields orders that a shuffle makes of the streams that the deal would use."""
    return (shuffle(words(KEY, Label.DECK, k)) for k in range(number))


def swapped(stream: Iterator[int], choices_at: Callable[[int], int]) -> tuple[Card, ...]:
    """Returns the deck as exchanged from the last position down, with a word modulo the choices that there are."""
    order = list(DECK)
    for last in range(len(order) - 1, 0, -1):
        chosen = next(stream) % choices_at(last)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def right(stream: Iterator[int]) -> tuple[Card, ...]:
    return swapped(stream, lambda last: last + 1)


def modulo_of_a_byte(stream: Iterator[int]) -> tuple[Card, ...]:
    return right(word & 0xFF for word in stream)


def never_left_in_place(stream: Iterator[int]) -> tuple[Card, ...]:
    return swapped(stream, lambda last: last)


def exchanged_with_any(stream: Iterator[int]) -> tuple[Card, ...]:
    return swapped(stream, lambda _: len(DECK))


def test_shuffles_of_a_deal_are_uniform() -> None:
    shuffler = SealedShuffler(KEY, bytes(16), b"one", b"other")
    rounds = range(1, 100_001)
    assert abs(deviation(shuffler.deck(round, DECK) for round in rounds)) < SIGMAS


def test_statistic_passes_a_right_shuffle() -> None:
    assert abs(deviation(orders_of(right, 5_000))) < SIGMAS


@pytest.mark.parametrize("shuffle", [modulo_of_a_byte, never_left_in_place, exchanged_with_any])
def test_statistic_shows_a_mistaken_shuffle(shuffle: Shuffle) -> None:
    assert deviation(orders_of(shuffle, 5_000)) > 2 * SIGMAS


def test_statistic_shows_an_order_that_is_too_even() -> None:
    turned = [DECK[start:] + DECK[:start] for start in range(len(DECK))]
    assert deviation(islice(cycle(turned), 50 * len(DECK))) < -SIGMAS
