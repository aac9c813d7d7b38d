"""Tokens."""

from referee.match.credentials import Credentials, Grant
from referee.rules.seats import Seat


def test_token_is_for_its_seat_alone() -> None:
    credentials = Credentials()
    first, second = credentials.issue(1), credentials.issue(2)
    for seat in Seat:
        assert credentials.covers(first.seats[seat], 1, seat)
        assert not credentials.covers(first.seats[seat], 1, seat.other)
        assert not credentials.covers(first.seats[seat], 2, seat)
        assert not credentials.covers(first.spectator, 1, seat)
        assert credentials.grant(second.seats[seat]) == Grant(2, seat)
    assert credentials.grant(first.spectator) == Grant(1, None)


def test_unknown_token_is_for_nothing() -> None:
    credentials = Credentials()
    credentials.issue(1)
    for token in ("", "x", "\ud800", "é" * 10_000):
        assert credentials.grant(token) is None
        assert not credentials.covers(token, 1, Seat.A)
        assert not credentials.covers(token, 99, Seat.A)


def test_tokens_are_kept_as_hashes_only() -> None:
    credentials = Credentials()
    tokens = credentials.issue(1)
    kept = repr(vars(credentials))
    assert not any(token in kept for token in (*tokens.seats, tokens.spectator))
