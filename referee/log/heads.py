"""The hash chains: one over the entries of each match, one over the index of the referee.

Each kind of message is hashed behind a tag byte of its own, so that none can stand for another. Hashes run over bytes
as stored, never over a re-encoded message.
"""

from hashlib import sha256

HEAD_SIZE = 32
INDEX_ORIGIN = bytes(HEAD_SIZE)


def header_head(header: bytes) -> bytes:
    """Returns `h0`, the head of a log that holds its header alone (`PROTOCOL.md`, "The log")."""
    return sha256(b"\x00" + header).digest()


def entry_head(previous: bytes, entry: bytes) -> bytes:
    """Returns the head after an entry, given the head before it (32 bytes)."""
    return sha256(b"\x01" + _head(previous) + entry).digest()


def index_head(previous: bytes, record: bytes) -> bytes:
    """Returns the head of the referee's index after a record; the first record follows `INDEX_ORIGIN`."""
    return sha256(b"\x02" + _head(previous) + record).digest()


def _head(head: bytes) -> bytes:
    if len(head) != HEAD_SIZE:
        raise ValueError(f"a head has {HEAD_SIZE} bytes, not {len(head)}")
    return head
