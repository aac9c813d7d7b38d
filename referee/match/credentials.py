"""Who may do what: tokens of seats and spectators, kept as hashes."""

from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Final

from referee.rules.seats import SEATS, Seat

_TOKEN_BYTES: Final = 24


@dataclass(frozen=True, slots=True)
class Tokens:
    """Holds the tokens of a new match, which are shown once: those of seats A and B, and that of the spectators."""

    seats: tuple[str, str]
    spectator: str


@dataclass(frozen=True, slots=True)
class Grant:
    """Says what a token is for: a match, and the seat in it, or None for a spectator."""

    number: int
    seat: Seat | None


class Credentials:
    """Keeps the hash of each token and what it is for."""

    def __init__(self) -> None:
        self._grants: dict[bytes, Grant] = {}
        self._seats: dict[int, tuple[bytes, bytes]] = {}

    def issue(self, number: int) -> Tokens:
        """Returns new tokens, of 192 random bits each, for a match that has none."""
        tokens = Tokens((token_urlsafe(_TOKEN_BYTES), token_urlsafe(_TOKEN_BYTES)), token_urlsafe(_TOKEN_BYTES))
        hashes = (_hash(tokens.seats[Seat.A]), _hash(tokens.seats[Seat.B]))
        self._seats[number] = hashes
        for seat in SEATS:
            self._grants[hashes[seat]] = Grant(number, seat)
        self._grants[_hash(tokens.spectator)] = Grant(number, None)
        return tokens

    def grant(self, token: str) -> Grant | None:
        """Returns what a token is for, or None if nobody has it."""
        return self._grants.get(_hash(token))

    def covers(self, token: str, number: int, seat: Seat) -> bool:
        """Returns whether a token is that of this seat, in a time that does not depend on the answer."""
        expected = self._seats.get(number, (b"", b""))[seat]
        return compare_digest(_hash(token), expected)


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
