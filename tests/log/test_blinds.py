"""Blinds against `proto/vectors/log/blinds.json`."""

import pytest

from referee.log.blinds import blinder
from tests.log.vectors import Case, named, unhex


@pytest.mark.parametrize("case", **named("log/blinds.json"))
def test_blind_matches_the_vectors(case: Case) -> None:
    made = blinder(unhex(case["blind_key"]))(case["entry"]).hex()
    assert made == case["blind"]
    assert made not in case["not"].values()


@pytest.mark.parametrize("key", [b"", bytes(16), bytes(33)])
def test_blind_key_of_wrong_size_is_refused(key: bytes) -> None:
    with pytest.raises(ValueError, match="a blind key has 32 bytes"):
        blinder(key)
