"""What the tests of restarts share."""

from dataclasses import replace
from typing import Any

from referee.codec.entries import Entry, decode_entry
from referee.match.registry import CreatedMatch
from referee.match.replays import replay_page
from referee.rules.seats import Seat
from referee.store.base import StoredEntry
from tests.match.table import ORDER, Sitter, Table, settle

FRESH = replace(ORDER, seed=None)
GRACE_MS = ORDER.time_control.reconnect_grace_ms


async def log(table: Table, match: CreatedMatch) -> list[StoredEntry]:
    return await table.store.read_entries(match.row.number, 0, 10**8)


async def last_entry(table: Table, match: CreatedMatch) -> Entry:
    return decode_entry((await log(table, match))[-1].data)


async def back(table: Table, match: CreatedMatch, **fields: Any) -> tuple[Sitter, Sitter]:
    """Lets both seats join again, A first."""
    a, b = await table.join(match, Seat.A, **fields), await table.join(match, Seat.B, **fields)
    await settle()
    return a, b


async def proof(table: Table, match: CreatedMatch) -> bytes:
    """Returns the replay of a match."""
    data, token = b"", ""
    while True:
        page, token = await replay_page(table.store, match.row, token)
        data += page
        if not token:
            return data
