"""Tokens."""

import gc
import sys

import pytest

from referee.match.credentials import Credentials, Grant
from referee.rules.seats import Seat


def test_token_is_for_its_match_and_holder_alone() -> None:
    credentials = Credentials()
    for number in (1, 2, 4_294_967_295):
        tokens = credentials.issue(number)
        for seat in Seat:
            assert credentials.grant(tokens.seats[seat]) == Grant(number, seat)
        assert credentials.grant(tokens.spectator) == Grant(number, None)


def test_tokens_are_all_different_and_of_another_process_worth_nothing() -> None:
    here, there = Credentials(), Credentials()
    tokens = [token for number in range(1, 50) for token in (*here.issue(number).seats, here.issue(number).spectator)]
    assert len(set(tokens)) == 3 * 49
    assert all(there.grant(token) is None for token in tokens)


@pytest.mark.parametrize("token", ["", "x", "\ud800", "é" * 40, "é" * 10_000, "A" * 40, "_" * 40, "!" * 40, "=" * 40])
def test_unknown_token_is_for_nothing(token: str) -> None:
    assert Credentials().grant(token) is None


def test_token_with_any_character_changed_is_for_nothing() -> None:
    credentials = Credentials()
    token = credentials.issue(7).seats[Seat.B]
    for place, character in enumerate(token):
        for other in "Az09-_=":
            if other != character:
                assert credentials.grant(token[:place] + other + token[place + 1 :]) is None


def test_tokens_leave_nothing_behind() -> None:
    credentials = Credentials()
    tokens = credentials.issue(1)
    assert not any(token in repr(vars(credentials)) for token in (*tokens.seats, tokens.spectator))
    del tokens
    gc.collect()
    before = sys.getallocatedblocks()
    for number in range(10_000):
        credentials.issue(number)
    gc.collect()
    assert sys.getallocatedblocks() - before < 1_000
