"""The key of each round, made of the seed and the entropy of both contributors."""

from hashlib import sha256
from hmac import digest
from struct import Struct

from referee.deal.commitment import DEAL_ID_SIZE, SEED_SIZE

MAX_ENTROPY = 32

_ROUND = Struct(">I")
_TAG = b"unoduo/v1/deal\0"
_GIVEN_TAG = b"unoduo/v1/given-deal\0"
_SHARED_TAG = b"unoduo/v1/shared-deal\0"


def given_deal_id(seed: bytes) -> bytes:
    """Returns the 16-byte id of the deal of a given seed: the same seed is the same deal (`PROTOCOL.md`, "The deal").

    Raises ValueError for a wrong size.
    """
    return _deal_id(_GIVEN_TAG, seed)


def shared_deal_id(seed: bytes) -> bytes:
    """Returns the 16-byte id of the deal that matches share by this seed (`PROTOCOL.md`, "The deal").

    It is the same at every referee, so that a match played again elsewhere has the same cards. Raises ValueError for a
    wrong size.
    """
    return _deal_id(_SHARED_TAG, seed)


def check_sizes(seed: bytes, deal_id: bytes, e1: bytes, e2: bytes) -> None:
    """Raises ValueError if one of the parts of a deal key has a wrong size."""
    if len(seed) != SEED_SIZE or len(deal_id) != DEAL_ID_SIZE:
        raise ValueError(f"a seed has {SEED_SIZE} bytes and a deal id {DEAL_ID_SIZE}")
    if len(e1) > MAX_ENTROPY or len(e2) > MAX_ENTROPY:
        raise ValueError(f"entropy has at most {MAX_ENTROPY} bytes")


def deal_key(seed: bytes, deal_id: bytes, e1: bytes, e2: bytes, round: int) -> bytes:
    """Returns the 32-byte key of a round of a deal; round 0 is the cut (`PROTOCOL.md`, "The deal").

    `e1` and `e2` (0 to 32 bytes) come from contributors 1 and 2 of the deal, not from seats A and B of the match;
    absent is empty. Raises ValueError for a wrong size.
    """
    check_sizes(seed, deal_id, e1, e2)
    message = b"".join((_TAG, deal_id, bytes((len(e1),)), e1, bytes((len(e2),)), e2, _ROUND.pack(round)))
    return digest(seed, message, sha256)


def _deal_id(tag: bytes, seed: bytes) -> bytes:
    if len(seed) != SEED_SIZE:
        raise ValueError(f"a seed has {SEED_SIZE} bytes")
    return sha256(tag + seed).digest()[:DEAL_ID_SIZE]
