"""The blinds that keep live heads from being opened by guessing the hidden cards of an entry."""

from collections.abc import Callable
from hashlib import sha256

from referee.log.byte_streams import U32

BLIND_SIZE = 16
BLIND_KEY_SIZE = 32

_TAG = b"unoduo/v1/blind\0"
_BLOCK_SIZE = 64
_INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))


def blinder(blind_key: bytes) -> Callable[[int], bytes]:
    """Returns the function that gives the 16 bytes of blind of entry `n` (from 1) (`PROTOCOL.md`, "The log").

    The key is 32 bytes of the operating system, drawn for one match, independent of any seed, and erased at its seal.
    Raises ValueError for another size: an erased key must not make blinds that anybody can make.
    """
    if len(blind_key) != BLIND_KEY_SIZE:
        raise ValueError(f"a blind key has {BLIND_KEY_SIZE} bytes, not {len(blind_key)}")
    # HMAC as RFC 2104 defines it: the library would prepare the same key anew for each entry, which takes longer than
    # the rest.
    block = blind_key.ljust(_BLOCK_SIZE, b"\0")
    inner, outer = block.translate(_INNER_PAD) + _TAG, block.translate(_OUTER_PAD)

    def blind(n: int) -> bytes:
        return sha256(outer + sha256(inner + U32.pack(n)).digest()).digest()[:BLIND_SIZE]

    return blind
