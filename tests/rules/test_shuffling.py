from collections import Counter
from itertools import permutations, product

import pytest

from referee.rules.cards import CARDS, Card
from referee.rules.shuffling import shuffled


def test_shuffle_swaps_from_the_last_position_down() -> None:
    # i = 3: 5 % 4 = 1 -> a d c b; i = 2: 0 -> c d a b; i = 1: 65535 % 2 = 1 -> unchanged.
    a, b, c, d = CARDS[:4]
    assert shuffled((a, b, c, d), iter([5, 0, 65535])) == (c, d, a, b)


def test_shuffle_skips_words_that_would_favor_an_index() -> None:
    # For three cards 65535 is the one word past the largest multiple of 3.
    a, b, c = CARDS[:3]
    assert shuffled((a, b, c), iter([65535, 65534, 0])) == shuffled((a, b, c), iter([65534, 0]))
    assert shuffled((a, b, c), iter([65535, 65535, 1, 1])) == (a, c, b)


def test_shuffle_uses_a_word_a_position() -> None:
    words = iter(range(100))
    shuffled(CARDS[:20], words)
    assert next(words) == 19


def test_shuffle_of_one_card_uses_no_word() -> None:
    assert shuffled((Card.WILD,), iter([])) == (Card.WILD,)
    assert shuffled((), iter([])) == ()


def test_shuffle_reaches_every_order_equally_often() -> None:
    cards = CARDS[:3]
    orders = Counter(shuffled(cards, iter(words)) for words in product(range(6), range(6)))
    assert orders == dict.fromkeys(permutations(cards), 6)


def test_shuffle_refuses_a_short_stream() -> None:
    with pytest.raises(StopIteration):
        shuffled(CARDS[:3], iter([1]))
