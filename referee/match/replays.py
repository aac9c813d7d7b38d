"""Replay files of ended matches, page by page out of the store."""

from referee.log.file_format import FILE_HEAD, REVEAL_TAG, SEAL_TAG, chained_bytes, section_bytes
from referee.match.faults import Fault, ProblemReason
from referee.store.base import MatchRow, Store
from referee.store.errors import StoreError

PAGE_BYTES = 256 * 1024


async def replay_page(store: Store, row: MatchRow, page_token: str) -> tuple[bytes, str]:
    """Returns a page of the replay file of a match and the token of the next one, empty at the end.

    The pages joined are the file. Raises Fault before the reveal, or for a token that was not given out.
    """
    after = _decode_token(page_token)
    try:
        seal = await store.read_seal(row.number)
        if seal is None or seal.reveal is None:
            raise Fault(ProblemReason.REPLAY_NOT_AVAILABLE)
        entries = await store.read_entries(row.number, after, PAGE_BYTES)
    except StoreError:
        raise Fault(ProblemReason.STORE_UNAVAILABLE) from None
    parts = [FILE_HEAD, chained_bytes(row.header, row.h0)] if after == 0 else []
    parts += [chained_bytes(entry.data, entry.head) for entry in entries]
    if entries:
        return b"".join(parts), str(entries[-1].index)
    parts += [section_bytes(SEAL_TAG, seal.seal), section_bytes(REVEAL_TAG, seal.reveal)]
    return b"".join(parts), ""


def _decode_token(page_token: str) -> int:
    """Returns the index of the last entry that was sent before."""
    if not page_token:
        return 0
    if page_token.isascii() and page_token.isdecimal() and 0 < len(page_token) <= 10 and int(page_token) > 0:
        return int(page_token)
    raise Fault(ProblemReason.FIELD_INVALID, field="page_token", message="this is no token of an earlier answer")
