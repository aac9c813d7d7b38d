"""What the referee signs when a match has ended."""

from referee.log.byte_streams import U32
from referee.log.heads import HEAD_SIZE

_TAG = b"unoduo/v1/result\0"


def result_bytes(number: int, h0: bytes, final_head: bytes, outcome: bytes) -> bytes:
    """Returns the bytes whose signature makes a result the referee's own (`PROTOCOL.md`, "The log").

    `number` is the match number, `outcome` the encoded outcome as it stands in the seal. Raises ValueError for a head
    that has not 32 bytes.
    """
    if len(h0) != HEAD_SIZE or len(final_head) != HEAD_SIZE:
        raise ValueError(f"a head has {HEAD_SIZE} bytes")
    return b"".join((_TAG, U32.pack(number), h0, final_head, outcome))
