"""What the referee signs: the result of a match that has ended, and how far its index has come."""

from referee.log.byte_streams import U32
from referee.log.heads import HEAD_SIZE

_RESULT_TAG = b"unoduo/v1/result\0"
_CHECKPOINT_TAG = b"unoduo/v1/index\0"


def result_bytes(number: int, h0: bytes, final_head: bytes, outcome: bytes) -> bytes:
    """Returns the bytes whose signature makes a result the referee's own (`PROTOCOL.md`, "The log").

    `number` is the match number, `outcome` the encoded outcome as it stands in the seal. Raises ValueError for a head
    that has not 32 bytes.
    """
    _require_heads(h0, final_head)
    return b"".join((_RESULT_TAG, U32.pack(number), h0, final_head, outcome))


def checkpoint_bytes(records: int, head: bytes) -> bytes:
    """Returns the bytes whose signature makes the first `records` records of an index the referee's own.

    `head` is that of the index behind them. Raises ValueError if it has not 32 bytes.
    """
    _require_heads(head)
    return b"".join((_CHECKPOINT_TAG, U32.pack(records), head))


def _require_heads(*heads: bytes) -> None:
    if any(len(head) != HEAD_SIZE for head in heads):
        raise ValueError(f"a head has {HEAD_SIZE} bytes")
