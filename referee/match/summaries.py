"""Where a match stands, as organisers see it: nothing secret, nothing that links matches of a deal (match.proto)."""

from unoduo.v1 import match_pb2 as pb

from referee.adjudication.state import Lifecycle
from referee.codec.entries import decode_entry
from referee.codec.enums import LIFECYCLES
from referee.codec.headers import Header, decode_header
from referee.codec.outcomes import encode_outcome
from referee.codec.seals import decode_seal
from referee.codec.settings import encode_player
from referee.match.actor import MatchActor
from referee.rules.outcome import Outcome
from referee.store.base import MatchRow, Store, StoredEntry


def live_summary(actor: MatchActor, row: MatchRow) -> pb.MatchSummary:
    """Returns where a match of this process stands, `row` being its row as stored now."""
    return _summary(row, actor.header, actor.lifecycle, actor.sequence, actor.outcome, replay_available=row.revealed)


async def stored_summary(store: Store, row: MatchRow) -> pb.MatchSummary:
    """Returns where a match of an earlier process was left. Raises StoreError."""
    last = await _last_entry(store, row.number)
    sequence = 0
    if last is not None:
        entry = decode_entry(last.data)
        sequence = entry.first_sequence + len(entry.events) - 1
    seal = await store.read_seal(row.number)
    outcome = decode_seal(seal.seal).outcome if seal is not None else None
    unfinished = Lifecycle.PLAYING if last is not None else Lifecycle.CREATED
    lifecycle = Lifecycle.ENDED if row.ended else unfinished
    return _summary(row, decode_header(row.header), lifecycle, sequence, outcome, replay_available=row.revealed)


def _summary(
    row: MatchRow,
    header: Header,
    lifecycle: Lifecycle,
    sequence: int,
    outcome: Outcome | None,
    *,
    replay_available: bool,
) -> pb.MatchSummary:
    return pb.MatchSummary(
        match_id=row.match_id,
        number=row.number,
        players=map(encode_player, header.players),
        lifecycle=LIFECYCLES.numbers[lifecycle],
        sequence=sequence,
        outcome=encode_outcome(outcome) if outcome is not None else None,
        created=row.created,
        replay_available=replay_available,
    )


async def _last_entry(store: Store, number: int) -> StoredEntry | None:
    """Returns the last entry, found in steps that double and then halve: a long match takes some twenty reads."""
    last: StoredEntry | None = None
    step, doubling = 1, True
    while step:
        after = (last.index if last is not None else 0) + step - 1
        found = await store.read_entries(number, after, 1)
        if found:
            last = found[0]
            step = step * 2 if doubling else step // 2
        else:
            doubling = False
            step //= 2
    return last
