"""What to answer to an action whose decision is closed: the entry that closed it says so, as long as the log lasts."""

from unoduo.v1 import session_pb2 as pb

from referee.adjudication.inputs import ActionTaken
from referee.adjudication.state import Decision
from referee.codec.entries import Entry, decode_entry
from referee.match import answers
from referee.match.feed import Feed
from referee.match.inbox import ActionPost
from referee.rules.seats import Seat
from referee.store.base import Store


async def answer_closed(
    store: Store, number: int, feed: Feed, last: Decision | None, current: Decision | None, post: ActionPost
) -> None:
    """Answers an action that came for another decision than the one open for its seat.

    `current` is the open decision, `last` the one that was closed before it. Raises StoreError.
    """
    entry = await _closing_entry(store, number, feed, post.decision_id)
    attachment = post.attachment
    if entry is not None and _is_same(entry, post):
        last_sequence = entry.first_sequence + len(entry.events) - 1
        item = answers.accepted(
            attachment.handle, post.action_id, post.decision_id, entry.first_sequence, last_sequence
        )
    else:
        current_id = current.decision_id if current is not None and current.seat is attachment.seat else 0
        reason = _staleness(entry, last, post)
        item = answers.stale(attachment.handle, post.action_id, post.decision_id, reason, current_id)
    attachment.put(item)


async def _closing_entry(store: Store, number: int, feed: Feed, decision_id: int) -> Entry | None:
    """Returns the entry that closed the decision with this id, None if none was closed under it."""
    opened_by = feed.entry_ending_at(decision_id)
    if opened_by is None or opened_by >= feed.entries:
        return None
    (stored,) = await store.read_entries(number, opened_by, 1)
    return decode_entry(stored.data)


def _is_same(entry: Entry, post: ActionPost) -> bool:
    kind = entry.input.kind
    return (
        isinstance(kind, ActionTaken)
        and entry.input.seat is post.attachment.seat
        and kind.action_id == post.action_id
        and kind.action == post.action
    )


def _staleness(entry: Entry | None, last: Decision | None, post: ActionPost) -> pb.StaleReason.ValueType:
    if entry is None or _seat_asked(entry, last) is not post.attachment.seat:
        return pb.STALE_REASON_NOT_OPEN
    kind = entry.input.kind
    if not isinstance(kind, ActionTaken):
        return pb.STALE_REASON_EXPIRED
    return pb.STALE_REASON_CONFLICT if kind.action_id == post.action_id else pb.STALE_REASON_ANSWERED


def _seat_asked(entry: Entry, last: Decision | None) -> Seat | None:
    """Returns the seat whose decision an entry closed; one that ends the match need not be about that seat."""
    if last is not None and last.decision_id == entry.input.decision_id:
        return last.seat
    return entry.input.seat
