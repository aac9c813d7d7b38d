"""The blinds that keep live heads from being opened by guessing the hidden cards of an entry."""

from hashlib import sha256
from hmac import digest

from referee.log.byte_streams import U32

BLIND_SIZE = 16
BLIND_KEY_SIZE = 32

_TAG = b"unoduo/v1/blind\0"


def blind(blind_key: bytes, n: int) -> bytes:
    """Returns the 16 bytes of blind of entry `n` (from 1) (`PROTOCOL.md`, "The log").

    The key is 32 bytes of the operating system, drawn for one match, independent of any seed, and erased at its seal.
    Raises ValueError for another size: an erased key must not make blinds that anybody can make.
    """
    if len(blind_key) != BLIND_KEY_SIZE:
        raise ValueError(f"a blind key has {BLIND_KEY_SIZE} bytes, not {len(blind_key)}")
    return digest(blind_key, _TAG + U32.pack(n), sha256)[:BLIND_SIZE]
