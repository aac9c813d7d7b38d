"""Word streams and the orders of a deal against `proto/vectors/deal` and `proto/vectors/shuffle`."""

from collections.abc import Iterator
from itertools import islice

import pytest

from referee.deal import streams
from referee.deal.streams import Label, SealedShuffler, words
from referee.rules.cards import Card
from referee.rules.shuffling import Shuffler, shuffled
from tests.log.vectors import Case, named, unhex


def cards_of(numbers: list[int]) -> tuple[Card, ...]:
    return tuple(Card(number) for number in numbers)


def shuffler_of(case: Case) -> Shuffler:
    return SealedShuffler(*(unhex(case[key]) for key in ("seed", "deal_id", "e1", "e2")))


def words_of(text: str) -> list[int]:
    return [int(text[at : at + 4], 16) for at in range(0, len(text), 4)]


@pytest.mark.parametrize("case", **named("deal/streams.json"))
def test_words_match_the_vectors(case: Case) -> None:
    expected = words_of(case["words"])
    made = list(islice(words(unhex(case["key"]), Label(case["label"]), case["k"]), len(expected)))
    assert made == expected
    assert b"".join(word.to_bytes(2, "big") for word in made) == unhex("".join(case["blocks"]))
    assert case["blocks"][0] not in case["not"]["first_block"].values()


@pytest.mark.parametrize("case", **named("shuffle/fisher_yates.json"))
def test_shuffle_matches_the_vectors(case: Case) -> None:
    given = words_of(case["words"])
    stream = iter(given)
    order = list(shuffled(cards_of(case["cards"]), stream))
    assert order == case["order"]
    assert len(given) - len(list(stream)) == case["words_used"]
    assert order not in case.get("not", {}).values()


@pytest.mark.parametrize("case", **named("deal/orders.json"))
def test_orders_of_a_deal_match_the_vectors(case: Case) -> None:
    shuffler, deck = shuffler_of(case), cards_of(case["deck"])
    assert list(shuffler.cut(deck)) == case["cut"]
    for round_ in case["rounds"]:
        number, opening = round_["round"], round_["opening_block"]
        assert list(shuffler.deck(number, deck)) == round_["deck"]
        assert list(shuffler.opening_block(number, cards_of(opening["cards"]))) == opening["order"]
        for recycle in round_["recycles"]:
            order = shuffler.recycled(number, recycle["number"], cards_of(recycle["cards"]))
            assert list(order) == recycle["order"]
    assert list(shuffler.deck(1, deck)) not in case.get("not", {}).get("deck_of_round_1", {}).values()


def test_shuffler_asked_in_any_order_gives_the_same_orders() -> None:
    case = named("deal/orders.json")["argvalues"][0]
    shuffler, deck = shuffler_of(case), cards_of(case["deck"])
    second = shuffler.deck(2, deck)
    first = shuffler.deck(1, deck)
    assert (list(first), list(second)) == tuple(round_["deck"] for round_ in case["rounds"])
    assert shuffler.deck(2, deck) == second
    assert shuffler.deck(2, deck[:-1]) != second
    recycles = [shuffler.recycled(1, number, deck) for number in (1, 2, 1)]
    assert recycles[0] == recycles[2] != recycles[1]
    assert shuffler.recycled(2, 1, deck) != recycles[0]


def test_shuffle_asked_twice_running_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Label] = []

    def counted(key: bytes, label: Label, k: int) -> Iterator[int]:
        made.append(label)
        return words(key, label, k)

    monkeypatch.setattr(streams, "words", counted)
    case = named("deal/orders.json")["argvalues"][0]
    shuffler, deck = shuffler_of(case), cards_of(case["deck"])
    for _ in range(2):
        shuffler.cut(deck)
        shuffler.deck(1, deck)
        shuffler.opening_block(1, deck)
    assert made == [Label.CUT, Label.DECK, Label.OPENING_BLOCK]


def test_wrong_sizes_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        SealedShuffler(bytes(31), bytes(16), b"", b"")
