"""The master seed of a tournament against `proto/vectors/deal/master.json` and `pairs.json`."""

import pytest

from referee.deal.master import InvalidMaster, master_commitment, pair_seed
from tests.log.vectors import Case, cases, named, unhex

MISTAKES = {
    "little_endian_numbers",
    "missing_length_prefix",
    "list_in_reverse",
    "sorted_list",
    "attempt_before_pair",
    "without_attempt",
    "pairs_from_0",
    "plain_hash",
}


@pytest.mark.parametrize("case", **named("deal/master.json"))
def test_commitment_to_a_master_matches_the_vectors(case: Case) -> None:
    made = master_commitment(unhex(case["master"])).hex()
    assert made == case["commitment"]
    assert made not in case["not"].values()


@pytest.mark.parametrize("case", **named("deal/pairs.json"))
def test_seed_of_a_pair_matches_the_vectors(case: Case) -> None:
    entropies = [unhex(entropy) for entropy in case["entropies"]]
    made = pair_seed(unhex(case["master"]), case["pair"], case["attempt"], entropies).hex()
    assert made == case["seed"]
    assert made not in case["not"].values()


def test_vectors_hold_every_mistake_and_no_seed_twice() -> None:
    assert {mistake for case in cases("deal/pairs.json") for mistake in case["not"]} == MISTAKES
    seeds = [case["seed"] for case in cases("deal/pairs.json")]
    assert len(set(seeds)) == len(seeds)


@pytest.mark.parametrize(
    ("master", "pair", "attempt", "entropies", "field"),
    [
        (bytes(31), 1, 0, [], "master"),
        (bytes(33), 1, 0, [], "master"),
        (bytes(32), 0, 0, [], "pair"),
        (bytes(32), 1 << 32, 0, [], "pair"),
        (bytes(32), 1, -1, [], "attempt"),
        (bytes(32), 1, 1 << 32, [], "attempt"),
        (bytes(32), 1, 0, [b"", bytes(33)], "entropies[1]"),
    ],
)
def test_seed_of_what_is_out_of_range_is_refused_naming_it(
    master: bytes, pair: int, attempt: int, entropies: list[bytes], field: str
) -> None:
    with pytest.raises(InvalidMaster) as refused:
        pair_seed(master, pair, attempt, entropies)
    assert refused.value.field == field
    assert str(refused.value).startswith(f"{field} must ")


def test_commitment_to_a_master_of_wrong_size_is_refused() -> None:
    with pytest.raises(InvalidMaster) as refused:
        master_commitment(bytes(16))
    assert (refused.value.field, refused.value.message) == ("master", "must have 32 bytes, not 16")
