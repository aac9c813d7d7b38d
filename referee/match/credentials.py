"""Who calls, and what a token is worth (`PROTOCOL.md`, "The calls").

A token says what it is for and proves it with 200 random bits. Of a token only its SHA-256 digest is kept, with the row
of its match or bot, so that it holds as long as the log does and can be replaced.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from hashlib import sha256
from hmac import compare_digest
from secrets import token_bytes
from struct import Struct, error
from typing import Final

from referee.codec.headers import decode_header
from referee.rules.seats import Seat
from referee.store.base import MatchRow

_PROOF_SIZE: Final = 25
_WHAT_FOR: Final = Struct(">IB")
_TOKEN_CHARACTERS: Final = (_WHAT_FOR.size + _PROOF_SIZE) * 4 // 3
_DIGEST_SIZE: Final = 32
# Stands where there is no digest to compare with, so that the comparison is made all the same.
NO_DIGEST: Final = bytes(_DIGEST_SIZE)


class Role(IntEnum):
    """Names what a token is for, by its number in the token; those of a match are places of `token_digests` too."""

    SEAT_A = 0
    SEAT_B = 1
    SPECTATOR = 2
    BOT = 3


class CallerKind(Enum):
    """Names the kinds of callers."""

    ORGANISER = "organiser"
    BOT = "bot"
    SEAT = "seat"
    SPECTATOR = "spectator"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Caller:
    """Says who calls.

    `bot` is the name of a bot, `digest` that of the token by which the caller is known, empty for an organiser and for
    nobody.
    """

    kind: CallerKind
    bot: str = ""
    digest: bytes = b""

    def belongs_to(self, row: MatchRow | None) -> bool:
        """Returns whether a bot, seat or spectator is one of a match, by a token that still holds."""
        if self.kind is CallerKind.BOT:
            return row is not None and any(player.bot == self.bot for player in decode_header(row.header).players)
        digests = row.token_digests if row is not None else (NO_DIGEST,) * 3
        # All are compared, so that the time that it takes tells nothing.
        return sum(compare_digest(self.digest, digest) for digest in digests) > 0


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """Says which seat somebody asks for and by what: as the caller, or by a token of the seat if that is not empty."""

    seat: Seat
    caller: Caller
    seat_token: str = field(repr=False)

    @property
    def is_empty(self) -> bool:
        """Returns whether there is nothing by which any seat could be granted."""
        return not self.seat_token and self.caller.kind in (CallerKind.ORGANISER, CallerKind.NOBODY)

    def grant(self, row: MatchRow | None) -> bytes | None:
        """Returns the digest of the token by which the seat of a match is granted, or None.

        The same is compared whether there is such a match or not.
        """
        wanted = row.token_digests[self.seat] if row is not None else NO_DIGEST
        by_token = compare_digest(digest_of(self.seat_token), wanted)
        by_caller = compare_digest(self.caller.digest, wanted)
        if by_token or by_caller:
            return wanted
        if row is not None and self.caller.kind is CallerKind.BOT:
            owner = decode_header(row.header).players[self.seat].bot
            return self.caller.digest if owner == self.caller.bot else None
        return None


@dataclass(frozen=True, slots=True)
class Claim:
    """Says what a text claims to be the token of: a match or bot by its number, in a role."""

    number: int
    role: Role


@dataclass(frozen=True, slots=True)
class Tokens:
    """Holds the tokens of a new match, which are shown once: those of seats A and B, and that of the spectators."""

    seats: tuple[str, str] = field(repr=False)
    spectator: str = field(repr=False)

    @property
    def digests(self) -> tuple[bytes, bytes, bytes]:
        """Returns what is kept of them."""
        seat_a, seat_b = self.seats
        return digest_of(seat_a), digest_of(seat_b), digest_of(self.spectator)


class TokenProofs:
    """Draws the random parts of the tokens of a match before its number is known."""

    def __init__(self) -> None:
        self._proofs = [token_bytes(_PROOF_SIZE) for _ in range(3)]

    def tokens(self, number: int) -> Tokens:
        """Returns the tokens of the match, the same each time."""
        seat_a, seat_b, spectator = (_text(number, Role(place), proof) for place, proof in enumerate(self._proofs))
        return Tokens((seat_a, seat_b), spectator)


def new_token(number: int, role: Role) -> str:
    """Returns a new token for a match or bot."""
    return _text(number, role, token_bytes(_PROOF_SIZE))


def digest_of(token: str) -> bytes:
    """Returns the digest of a token, 32 bytes, or of any text that was sent as one."""
    return sha256(token.encode(errors="replace")).digest()


def claim_of(text: str) -> Claim | None:
    """Returns what a text claims to be the token of, or None if it cannot be the token of a match or bot."""
    if len(text) != _TOKEN_CHARACTERS or not text.isascii():
        return None
    try:
        number, role = _WHAT_FOR.unpack_from(urlsafe_b64decode(text))
        return Claim(number, Role(role))
    except (ValueError, error):
        return None


def _text(number: int, role: Role, proof: bytes) -> str:
    return urlsafe_b64encode(_WHAT_FOR.pack(number, role) + proof).decode()
