"""Who may do what: tokens of seats and spectators, none of which has to be kept."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest, digest
from secrets import token_bytes
from struct import Struct, error
from typing import Final

from referee.rules.seats import SEATS, Seat

_KEY_SIZE: Final = 32
_MAC_SIZE: Final = 25
_WHAT_FOR: Final = Struct(">IB")
_TOKEN_SIZE: Final = _WHAT_FOR.size + _MAC_SIZE
_TOKEN_CHARACTERS: Final = _TOKEN_SIZE * 4 // 3
# What a token is for, by the number in it.
_HOLDERS: Final = (*SEATS, None)


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
    """Makes tokens that say what they are for and prove it with 200 bits under a key of this process.

    So a token can be checked as long as the process lives, however many matches it has seen, and no token or hash of
    one is in memory.
    """

    def __init__(self) -> None:
        self._key = token_bytes(_KEY_SIZE)

    def issue(self, number: int) -> Tokens:
        """Returns the tokens of a match."""
        seat_a, seat_b, spectator = (self._token(Grant(number, holder)) for holder in _HOLDERS)
        return Tokens((seat_a, seat_b), spectator)

    def grant(self, token: str) -> Grant | None:
        """Returns what a token is for, or None if nobody has it.

        The time that it takes tells nothing: whether there is such a match is not asked, and a right and a wrong proof
        are compared alike.
        """
        claim = _claim(token)
        return claim if claim is not None and compare_digest(token, self._token(claim)) else None

    def _token(self, grant: Grant) -> str:
        what_for = _WHAT_FOR.pack(grant.number, _HOLDERS.index(grant.seat))
        return urlsafe_b64encode(what_for + digest(self._key, what_for, sha256)[:_MAC_SIZE]).decode()


def _claim(token: str) -> Grant | None:
    """Returns what a token says it is for, None if it cannot be a token."""
    if len(token) != _TOKEN_CHARACTERS or not token.isascii():
        return None
    try:
        number, holder = _WHAT_FOR.unpack_from(urlsafe_b64decode(token))
    except (ValueError, error):
        return None
    return Grant(number, _HOLDERS[holder]) if holder < len(_HOLDERS) else None
