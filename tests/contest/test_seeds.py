"""The bytes that a tournament derives for its bots and its order."""

import hmac
from itertools import product

import pytest

from referee.contest.pairing import Half
from referee.contest.seeds import order_key, pair_bot_seed
from referee.deal.master import pair_seed
from referee.match.assignments import bot_seed
from referee.rules.seats import SEATS, Seat
from tests.contest.made import MASTER


def test_bot_seed_is_the_keyed_hash_of_its_label_and_numbers() -> None:
    message = b"unoduo/v1/pair-bot-seed\0" + bytes.fromhex("00000102000000030201")
    made = pair_bot_seed(MASTER, 0x102, 3, Half.SECOND, Seat.B)
    assert made == hmac.new(MASTER, message, "sha256").digest()
    assert made.hex() == "894a8661df32b8394c462fb129bf87f9092030ad4fcdc0650dcd136dc0dcaea2"


def test_order_key_is_the_keyed_hash_of_its_label_and_numbers() -> None:
    message = b"unoduo/v1/schedule\0" + bytes.fromhex("0000010200000003")
    made = order_key(MASTER, 0x102, 3)
    assert made == hmac.new(MASTER, message, "sha256").digest()
    assert made.hex() == "98b2755d60dcaed507c896cdf63bc1e12c4f248056b9913027ed3f8f00e2271c"


def test_bot_seeds_differ_between_pairs_attempts_halves_and_seats() -> None:
    numbers = [*product((1, 2, 256), (0, 1), Half, SEATS)]
    assert len({pair_bot_seed(MASTER, *number) for number in numbers}) == len(numbers)


def test_no_derivation_is_another_one() -> None:
    made = {
        pair_bot_seed(MASTER, 1, 1, Half.FIRST, Seat.B),
        order_key(MASTER, 1, 1),
        pair_seed(MASTER, 1, 1, []),
        bot_seed(MASTER, Seat.B),
    }
    assert len(made) == 4


@pytest.mark.parametrize("size", [0, 31, 33])
def test_master_of_wrong_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes, not {size}"):
        pair_bot_seed(bytes(size), 1, 0, Half.FIRST, Seat.A)
    with pytest.raises(ValueError, match=f"32 bytes, not {size}"):
        order_key(bytes(size), 1, 0)
