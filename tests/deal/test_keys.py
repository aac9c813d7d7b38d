"""Round keys against `proto/vectors/deal/keys.json`."""

import pytest

from referee.deal.keys import deal_key, given_deal_id, shared_deal_id
from tests.log.vectors import Case, cases, named, unhex


@pytest.mark.parametrize("case", **named("deal/keys.json"))
def test_deal_key_matches_the_vectors(case: Case) -> None:
    seed, deal_id, e1, e2 = (unhex(case[key]) for key in ("seed", "deal_id", "e1", "e2"))
    made = deal_key(seed, deal_id, e1, e2, case["round"]).hex()
    assert made == case["key"]
    assert made not in case.get("not", {}).values()


def test_vectors_hold_no_key_twice() -> None:
    keys = [case["key"] for case in cases("deal/keys.json")]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("seed", "deal_id", "e1", "e2"),
    [
        (bytes(31), bytes(16), b"", b""),
        (bytes(32), bytes(17), b"", b""),
        (bytes(32), bytes(16), bytes(33), b""),
        (bytes(32), bytes(16), b"", bytes(33)),
    ],
)
def test_part_of_wrong_size_is_refused(seed: bytes, deal_id: bytes, e1: bytes, e2: bytes) -> None:
    with pytest.raises(ValueError, match="bytes"):
        deal_key(seed, deal_id, e1, e2, 1)


@pytest.mark.parametrize("case", **named("deal/given.json"))
def test_given_deal_id_matches_the_vectors(case: Case) -> None:
    made = given_deal_id(unhex(case["seed"])).hex()
    assert made == case["deal_id"]
    assert made not in case["not"].values()


def test_given_seed_of_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        given_deal_id(bytes(31))


@pytest.mark.parametrize("case", **named("deal/shared.json"))
def test_shared_deal_id_matches_the_vectors(case: Case) -> None:
    made = shared_deal_id(unhex(case["seed"])).hex()
    assert made == case["deal_id"]
    assert made not in case["not"].values()


def test_shared_seed_of_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        shared_deal_id(bytes(33))
