"""What a seat is told: whole entries from where it stands to the end of the log, then its view and its decision."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from referee.adjudication.state import Decision, Lifecycle, MatchState
from referee.codec.observations import encode_clock, encode_decision, encode_observation, encode_view
from referee.match import answers
from referee.match.deadline import Deadline
from referee.match.feed import Feed
from referee.match.seating import Seating
from referee.match.seats import Attachment, Delivery, Hold
from referee.rules.legality import legal_actions
from referee.rules.observe import view
from referee.rules.state import State

# Local names: an attribute load on an enum class costs more than the comparison that it is for.
_HELD: Final = Hold.HELD
_EVERY_ENTRY: Final = Delivery.EVERY_ENTRY
_FROZEN: Final = Lifecycle.FROZEN
_ENDED: Final = Lifecycle.ENDED


@dataclass(frozen=True, slots=True)
class Live:
    """Holds what a seat is told beside the log while a match is not over."""

    state: MatchState
    deadline: Deadline
    seating: Seating


class Teller:
    """Builds the next item for a seat of one match.

    `live` is None once the match is over; `ended` makes the last item for a handle, and is None until the match is
    sealed.
    """

    def __init__(self, feed: Feed, live: Live | None) -> None:
        self._feed = feed
        self.live = live
        self.ended: Callable[[int], bytes] | None = None

    def next_item(self, attachment: Attachment) -> bytes | None:
        """Returns the next item for this seat, or None if nothing is due to it now.

        If more is due behind it, the session is woken again.
        """
        if attachment.hold is not _HELD:
            return None
        feed = self._feed
        if attachment.page is not None or feed.is_behind(attachment):
            page = feed.next_page(attachment)
            if page is None:
                return None
            attachment.wake()
            return answers.observation(attachment.handle, page)
        if self.live is not None and self.live.state.entries != feed.entries:
            # The state is ahead of what is committed; the seat is woken when that is committed too.
            return None
        if attachment.entry < feed.entries or attachment.behind or (attachment.fresh and self._has_view()):
            if not self._is_due(attachment):
                return None
            if self.ended is not None:
                attachment.wake()
            return answers.observation(attachment.handle, self._observation(attachment))
        if self.ended is not None:
            item = self.ended(attachment.handle)
            attachment.end(Hold.ENDED)
            return item
        return None

    def _has_view(self) -> bool:
        return self.live is not None and self.live.state.rules is not None

    def _is_due(self, attachment: Attachment) -> bool:
        if attachment.delivery is _EVERY_ENTRY or self.live is None:
            return True
        if attachment.fresh and not attachment.visiting:
            return True
        state = self.live.state
        decision = _open_decision(state)
        return state.lifecycle is _ENDED or (decision is not None and decision.seat is attachment.seat)

    def _observation(self, attachment: Attachment) -> bytes:
        feed, live, seat = self._feed, self.live, attachment.seat
        events = feed.take(attachment)
        attachment.behind = False
        if live is None or live.state.rules is None:
            return encode_observation(events, feed.sequence, feed.head, caught_up=True)
        state, rules = live.state, live.state.rules
        decision = _open_decision(state)
        left_ms = live.deadline.left_ms()
        decides = decision is not None and decision.seat is seat
        shown = encode_view(view(rules, seat)) if decides or attachment.fresh else None
        attachment.fresh = False
        own_bank_ms, opponent_bank_ms = state.banks[seat], state.banks[seat.other]
        return encode_observation(
            events,
            feed.sequence,
            feed.head,
            caught_up=True,
            view=shown,
            decision=_decision(state, rules, decision, left_ms) if decision is not None and decides else None,
            clock=encode_clock(own_bank_ms, left_ms if decides else None),
            opponent_clock=encode_clock(opponent_bank_ms, left_ms if decision is not None and not decides else None),
            opponent_presence=live.seating.presence(seat.other),
        )


def _open_decision(state: MatchState) -> Decision | None:
    """Returns the decision that can be answered now: none while the match stands still."""
    return state.decision if state.lifecycle is not _FROZEN else None


def _decision(state: MatchState, rules: State, decision: Decision, left_ms: int) -> bytes:
    legal = legal_actions(rules)
    return encode_decision(decision.decision_id, decision.phase, left_ms, state.tries_left, legal)
