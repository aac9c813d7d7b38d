"""The promise about a deal that stands in the header before any seat has spoken."""

from hashlib import sha256

MATCH_ID_SIZE = 16
DEAL_ID_SIZE = 16
SEED_SIZE = 32
SALT_SIZE = 32

_TAG = b"unoduo/v1/commit\0"


def commitment(match_id: bytes, salt: bytes, deal_id: bytes, seed: bytes) -> bytes:
    """Returns the 32 bytes that commit a match to its deal (`PROTOCOL.md`, "The deal").

    The salt is fresh for each match, so that two matches cannot be seen to share a deal. Raises ValueError when a part
    has the wrong size: the parts are joined without lengths, so only fixed sizes make the result unambiguous.
    """
    for name, part, size in (
        ("match_id", match_id, MATCH_ID_SIZE),
        ("salt", salt, SALT_SIZE),
        ("deal_id", deal_id, DEAL_ID_SIZE),
        ("seed", seed, SEED_SIZE),
    ):
        if len(part) != size:
            raise ValueError(f"{name} has {len(part)} bytes, not {size}")
    return sha256(_TAG + match_id + salt + deal_id + seed).digest()
