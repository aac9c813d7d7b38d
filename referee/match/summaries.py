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
from referee.store.base import MatchRow, Store


def live_summary(actor: MatchActor, row: MatchRow) -> pb.MatchSummary:
    """Returns where a match stands that is in memory, `row` being its row as stored now."""
    return _summary(row, actor.header, actor.lifecycle, actor.sequence, actor.outcome, replay_available=row.revealed)


async def stored_summary(store: Store, row: MatchRow, *, was_given_up: bool) -> pb.MatchSummary:
    """Returns where a match stands by its log: over, given up, or left by an earlier process. Raises StoreError."""
    last = await store.read_last_entry(row.number)
    sequence = decode_entry(last.data).last_sequence if last is not None else 0
    header = decode_header(row.header)
    seal = await store.read_seal(row.number)
    if seal is None:
        lifecycle = Lifecycle.FROZEN if last is not None or was_given_up else Lifecycle.CREATED
        return _summary(row, header, lifecycle, sequence, None, replay_available=False)
    outcome, is_revealed = decode_seal(seal.seal).outcome, seal.reveal is not None
    return _summary(row, header, Lifecycle.ENDED, sequence, outcome, replay_available=is_revealed)


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
