"""What to answer to an action whose decision is closed: the entry that closed it says so, as long as the log lasts."""

from unoduo.v1 import session_pb2 as pb

from referee.adjudication.inputs import ActionTaken
from referee.adjudication.state import Decision
from referee.codec.entries import decode_entry
from referee.match.feed import Feed
from referee.rules.actions import Action
from referee.rules.seats import Seat
from referee.store.base import Store


async def closed_verdict(
    store: Store,
    number: int,
    feed: Feed,
    last_decision: Decision | None,
    seat: Seat,
    decision_id: int,
    action_id: str,
    action: Action,
) -> tuple[int, int] | pb.StaleReason.ValueType:
    """Returns the first and last sequence if this very action was accepted, else the reason why it is stale.

    `last_decision` is the decision that was closed last: an entry that ends a match need not tell whose decision it
    closed. Raises StoreError.
    """
    opened_by = feed.entry_ending_at(decision_id)
    if opened_by is None or opened_by >= feed.entries:
        return pb.STALE_REASON_NOT_OPEN
    (stored,) = await store.read_entries(number, opened_by, 1)
    entry = decode_entry(stored.data)
    kind = entry.input.kind
    if isinstance(kind, ActionTaken):
        if entry.input.seat is not seat:
            return pb.STALE_REASON_NOT_OPEN
        if kind.action_id != action_id:
            return pb.STALE_REASON_ANSWERED
        if kind.action != action:
            return pb.STALE_REASON_CONFLICT
        return entry.first_sequence, entry.first_sequence + len(entry.events) - 1
    if last_decision is not None and last_decision.decision_id == decision_id:
        return pb.STALE_REASON_EXPIRED if last_decision.seat is seat else pb.STALE_REASON_NOT_OPEN
    return pb.STALE_REASON_EXPIRED if entry.input.seat is seat else pb.STALE_REASON_NOT_OPEN
