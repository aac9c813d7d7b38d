"""What is ruled about one match in memory: its state, its clock and its log move together."""

from collections.abc import Callable
from functools import partial
from typing import Final

from referee.adjudication.adjudicate import adjudicate
from referee.adjudication.clocks import allowed_ms
from referee.adjudication.inputs import ActionTaken, Expired, Input, InputKind, RejectionLimit, Resume
from referee.adjudication.rulings import MatchEvent
from referee.adjudication.state import Decision, Lifecycle, MatchState
from referee.match.deadline import Deadline
from referee.match.event_log import EventLog
from referee.match.faults import ProblemReason
from referee.match.inbox import ActionPost
from referee.match.refusals import later
from referee.match.tries import answer_known, reject
from referee.rules.errors import IllegalAction
from referee.rules.seats import Seat
from referee.store.base import Secrets
from referee.store.errors import StoreError

# Gets the input, the action behind it if there was one, and the first sequence number of the entry, or the error for
# which it is not stored.
Committed = Callable[[Input, ActionPost | None, int | StoreError], None]

# A local name: an attribute load on an enum class costs more than the comparison that it is for.
_FROZEN: Final = Lifecycle.FROZEN


class Arbiter:
    """Judges the actions of a match and makes its rulings, each an entry of the log.

    While an entry is being appended, nothing may be judged. `last_decision` is the one that was closed last, None if
    none was.
    """

    def __init__(
        self,
        secrets: Secrets,
        state: MatchState,
        last_decision: Decision | None,
        deadline: Deadline,
        log: EventLog,
        on_committed: Committed,
    ) -> None:
        self.secrets = secrets
        self.state = state
        self.last_decision = last_decision
        self._deadline = deadline
        self._log = log
        self._on_committed = on_committed

    @property
    def appending(self) -> bool:
        """Returns whether an entry is on its way into the store."""
        return self._log.appending

    def judge_action(self, post: ActionPost) -> bool:
        """Judges an action for the open decision; returns False, and does nothing, for one that is for another.

        Raises Fault while the match stands still.
        """
        state, seat = self.state, post.attachment.seat
        decision = state.decision
        if decision is None or decision.seat is not seat or decision.decision_id != post.decision_id:
            return False
        if state.lifecycle is _FROZEN:
            raise later(ProblemReason.MATCH_FROZEN)
        if answer_known(state, post):
            return True
        elapsed_ms, lag_credit_ms = self._deadline.read(post.stamp_ms)
        taken = Input(seat, post.decision_id, elapsed_ms, lag_credit_ms, ActionTaken(post.action_id, post.action))
        try:
            events = adjudicate(state, taken)
        except IllegalAction as refusal:
            self._reject(post, refusal)
        else:
            self._commit(taken, events, post)
        return True

    def rule(self, seat: Seat | None, kind: InputKind, *, stamp_ms: int | None = None) -> None:
        """Makes a ruling, now or, if it is about something that a seat said, as of the time at which that was read."""
        state, deadline = self.state, self._deadline
        elapsed_ms, lag_credit_ms = deadline.read_now() if stamp_ms is None else deadline.read(stamp_ms)
        decision_id = state.decision.decision_id if state.decision is not None else 0
        ruling = Input(seat, decision_id, elapsed_ms, lag_credit_ms, kind)
        self._commit(ruling, adjudicate(state, ruling), None)

    def expire(self, decision: Decision) -> None:
        """Rules that the time for the open decision is over."""
        self.rule(decision.seat, Expired())

    def start_clock(self) -> None:
        """Starts the clock of the open decision, if there is one, with its limit in full."""
        state = self.state
        if state.decision is not None:
            self._deadline.start(allowed_ms(state.terms.time_control, state.banks[state.decision.seat]))

    def _reject(self, post: ActionPost, refusal: IllegalAction) -> None:
        reject(self.state, post, refusal)
        if self.state.tries_exceeded:
            self.rule(post.attachment.seat, RejectionLimit(), stamp_ms=post.stamp_ms)

    def _commit(self, cause: Input, events: list[MatchEvent], post: ActionPost | None) -> None:
        self._deadline.stop()
        if not isinstance(cause.kind, Resume):
            self.last_decision = self.state.decision
        self._log.append(self.state, cause, events, partial(self._on_committed, cause, post))
