"""Commitments against `proto/vectors/deal/commitment.json`."""

import pytest

from referee.deal.commitment import commitment
from tests.log.vectors import Case, cases, named, unhex


@pytest.mark.parametrize("case", **named("deal/commitment.json"))
def test_commitment_matches_the_vectors(case: Case) -> None:
    parts = [unhex(case[key]) for key in ("match_id", "salt", "deal_id", "seed")]
    made = commitment(*parts).hex()
    assert made == case["commitment"]
    assert made not in case.get("not", {}).values()


def test_matches_of_one_deal_have_commitments_that_share_nothing() -> None:
    by_name = {case["name"]: case for case in cases("deal/commitment.json")}
    one, other = by_name["counting_bytes"], by_name["same_deal_other_match"]
    assert (one["deal_id"], one["seed"]) == (other["deal_id"], other["seed"])
    assert one["commitment"] != other["commitment"]


@pytest.mark.parametrize("wrong", range(4), ids=["match_id", "salt", "deal_id", "seed"])
def test_part_of_wrong_size_is_refused(wrong: int, request: pytest.FixtureRequest) -> None:
    parts = [bytes(16), bytes(32), bytes(16), bytes(32)]
    parts[wrong] += b"\x00"
    with pytest.raises(ValueError, match=f"{request.node.callspec.id} has"):
        commitment(*parts)
