"""One match, live: the single writer of its log (`PROTOCOL.md`, "The log")."""

import asyncio
from typing import Final, assert_never

from unoduo.v1 import session_pb2 as pb

from referee.adjudication.apply import freeze
from referee.adjudication.inputs import Absence, Input, Resignation, Resume, Start, Void
from referee.adjudication.state import Decision, Lifecycle, MatchState
from referee.codec.headers import Header
from referee.match import answers
from referee.match.arbiter import Arbiter
from referee.match.closed import accept, answer_closed, closing_entry
from referee.match.deadline import Deadline
from referee.match.desk import Desk
from referee.match.event_log import EventLog
from referee.match.faults import Fault, ProblemReason
from referee.match.feed import Feed
from referee.match.gathering import Gathering
from referee.match.inbox import (
    AbsentPost,
    ActionPost,
    DuePost,
    JoinPost,
    LeavePost,
    Post,
    ReadyPost,
    ResignPost,
    SeatPost,
    VoidPost,
)
from referee.match.joining import find_place, place, welcome
from referee.match.rebuild import first_state, rebuild
from referee.match.refusals import check_ready, later, turn_away, turn_away_join
from referee.match.reveals import seal_match
from referee.match.seating import Seating
from referee.match.seats import Attachment, Hold
from referee.match.spectators import Spectators
from referee.match.stored import StoredMatch
from referee.match.surroundings import Surroundings
from referee.match.teller import Live, Teller
from referee.rules.outcome import Outcome, Termination
from referee.rules.seats import Seat
from referee.store.base import MatchRow, Secrets
from referee.store.errors import StoreError

_RETRY_MS: Final = 1_000


class MatchActor:
    """Judges what arrives for one match, one thing at a time, and tells nobody before it is stored.

    It has no task of its own: callbacks of sessions, timers and the store drive it. One that an earlier process left
    has no secrets at first: it is *asleep*, and made anew from its log when something arrives or its grace is over. If
    it was being played it then stands still until both seats are there or the grace is over.
    """

    def __init__(self, surroundings: Surroundings, row: MatchRow, header: Header, secrets: Secrets | None) -> None:
        self.row = row
        self.header = header
        self.outcome: Outcome | None = None
        self.frozen = False
        self._surroundings = surroundings
        self._store = surroundings.store
        self._deadline = Deadline(surroundings.clock, lambda: self._desk.notice(DuePost()))
        self._feed = Feed(surroundings.store, row.number, row.h0)
        self._teller = Teller(self._feed, None)
        self.spectators = Spectators(surroundings.clock, self._feed, self._teller, surroundings.admission)
        self._seating = Seating(
            surroundings.clock,
            header.fault_policy.forfeit_after_absence_ms,
            lambda seat: self._desk.notice(AbsentPost(seat)),
            surroundings.admission.max_calls_a_seat,
            self.spectators,
        )
        self._gathering = Gathering(surroundings.store, row.number, header.time_control, self._seating)
        self._desk = Desk(row.number, self._may_judge, self._judge, self._drop)
        self._arbiter: Arbiter | None = None
        self._standing = False
        self._dropped = False
        self._last_decision: Decision | None = None
        self._voiding: VoidPost | None = None
        if secrets is not None:
            self._arbitrate(secrets, first_state(header, secrets), None)
        self._start_clocks()

    @property
    def lifecycle(self) -> Lifecycle:
        """Returns where the match stands, as far as it is committed; FROZEN while it is asleep."""
        if self.outcome is not None:
            return Lifecycle.ENDED
        if self.frozen or self._dropped or self._gathering.interrupted or self.is_asleep:
            return Lifecycle.FROZEN
        return Lifecycle.PLAYING if self._feed.entries else Lifecycle.CREATED

    @property
    def is_asleep(self) -> bool:
        """Returns whether only the store knows where the match stands."""
        return self._arbiter is None and not self.is_sealed

    @property
    def sequence(self) -> int:
        """Returns the sequence number of the last committed event."""
        return self._feed.sequence

    @property
    def is_sealed(self) -> bool:
        """Returns whether the match has ended and its seal is stored."""
        return self._teller.ended is not None

    def post(self, post: SeatPost) -> None:
        """Judges what a seat says, now or when its turn comes; the answer is put to its port."""
        if self.frozen and isinstance(post, (ReadyPost, ActionPost, ResignPost)):
            turn_away(post, later(ProblemReason.MATCH_FROZEN))
        else:
            self._desk.add(post)

    def rouse(self) -> None:
        """Makes the match anew from its log if it is asleep."""
        if self.is_asleep:
            self._desk.notice(DuePost())

    async def void(self, reason: str) -> None:
        """Declares the match void for the organiser, in its turn; returns when that is stored and the match sealed.

        Raises Fault.
        """
        if self.frozen:
            raise later(ProblemReason.MATCH_FROZEN)
        post = VoidPost(reason, asyncio.get_running_loop().create_future())
        self._desk.notice(post)
        await post.done

    def lose(self, attachment: Attachment) -> None:
        """Learns that the session behind an attachment is gone."""
        self._seating.lose(attachment)

    def revoke(self, attachment: Attachment) -> None:
        """Takes the seat from an attachment, because the token by which it was granted holds no more."""
        if attachment.hold is Hold.HELD:
            self._seating.release(attachment, pb.DETACH_REASON_TOKEN_REVOKED)
        else:
            turn_away_join(attachment, Fault(ProblemReason.NOT_YOURS))

    def is_behind(self, attachment: Attachment) -> bool:
        """Returns whether the next item of an attachment is a page of history."""
        return attachment.page is not None or self._feed.is_behind(attachment)

    def is_answering(self, attachment: Attachment) -> bool:
        """Returns whether something that an attachment said is to be answered yet."""
        return self._desk.is_answering(attachment)

    def next_item(self, attachment: Attachment) -> bytes | None:
        """Returns the next item that is due to an attachment, or None."""
        item = self._desk.attempt(lambda: self._teller.next_item(attachment))
        if attachment.hold is Hold.ENDED and not self._desk.is_answering(attachment):
            # What it still asks the store can answer, so that it does not keep this in memory.
            attachment.match = StoredMatch(self._store, self.row.match_id, None, self._last_decision)
        return item

    def freeze(self) -> None:
        """Learns that the store cannot take anything of this match now."""
        self.frozen = True

    def thaw(self) -> None:
        """Learns that it can again: what a seat could not do meanwhile it has its time for anew."""
        self.frozen = False
        self._start_clocks()

    def stand_still(self) -> None:
        """Judges nothing any more, because the referee goes down; what is being stored is stored."""
        self._standing = True
        self._stop_clocks()
        self._desk.shut(Fault(ProblemReason.DRAINING))

    async def close(self) -> None:
        """Stops for good, without an end: what is stored stays as it is."""
        self._dropped = True
        self._stop_clocks()
        self._desk.shut(Fault(ProblemReason.DRAINING))
        await self._desk.close(at_once=self.frozen)

    def _may_judge(self) -> bool:
        if self.is_asleep:
            self._desk.await_store(self._wake())
            return False
        return self._arbiter is None or not self._arbiter.appending

    def _judge(self, post: Post) -> None:
        if isinstance(post, DuePost):
            self._judge_deadline()
        elif isinstance(post, AbsentPost):
            self._judge_absence(post.seat)
        elif isinstance(post, VoidPost):
            self._void(post)
        elif isinstance(post, JoinPost):
            self._join(post)
        elif post.attachment.hold is Hold.DETACHED:
            raise Fault(ProblemReason.HANDLE_ENDED)
        elif isinstance(post, ActionPost):
            self._judge_action(post)
        elif isinstance(post, ReadyPost):
            self._ready(post)
        elif isinstance(post, ResignPost):
            self._resign(post)
        elif isinstance(post, LeavePost):
            self._seating.leave(post.attachment)
        else:
            assert_never(post)

    def _start_clocks(self) -> None:
        """Starts what is measured where the match stands, each span in full."""
        if self.lifecycle is Lifecycle.PLAYING:
            self._live().start_clock()
            self._seating.watch()
        elif self.outcome is None:
            self._deadline.start(self._gathering.grace_ms(is_asleep=self.is_asleep))

    def _stop_clocks(self) -> None:
        self._deadline.close()
        self._seating.stop_watching()

    # After a restart

    async def _wake(self) -> None:
        """Makes the match anew from its log."""
        try:
            rebuilt = await rebuild(self._store, self.row, self.header)
        except StoreError:
            # It stays asleep, and is tried again.
            self._desk.turn_all_away(later(ProblemReason.MATCH_FROZEN))
            self._deadline.start(_RETRY_MS)
            return
        self._feed.fill(rebuilt.ends, rebuilt.head)
        self._gathering.readies = [*rebuilt.readies]
        state = rebuilt.state
        arbiter = self._arbitrate(rebuilt.secrets, state, rebuilt.last_decision)
        if state.outcome is not None:
            # The last entry was stored, the seal was not.
            self.outcome = state.outcome
            await self._seal(arbiter, state.outcome)
        else:
            if state.decision is not None:
                freeze(state)
                self._gathering.started = self._gathering.interrupted = True
            self._deadline.allow(self._gathering.grace_ms(is_asleep=False))
        self.spectators.wake()

    def _go_on(self, *, is_over: bool = False) -> None:
        """Starts or resumes the match, unless it is over, if what it waits for is there or `is_over` its grace."""
        ruling = self._gathering.due(is_over=is_over) if self.outcome is None else None
        if ruling is not None:
            self._live().rule(None, ruling)

    # Seats

    def _join(self, post: JoinPost) -> None:
        if place(self._feed, post.attachment):
            self._seat(post.attachment)
        else:
            self._desk.await_store(self._resume(post.attachment), post)

    async def _resume(self, attachment: Attachment) -> None:
        try:
            await find_place(self._store, self.row.number, self._feed, attachment)
            self._seat(attachment)
        except Fault as fault:
            turn_away_join(attachment, fault)

    def _seat(self, attachment: Attachment) -> None:
        # Otherwise the session ended while the join waited.
        if attachment.hold is Hold.JOINING:
            self._seating.take(attachment)
            welcome(attachment, self.row, self.lifecycle)
            self._go_on()

    # The start

    def _ready(self, post: ReadyPost) -> None:
        attachment = post.attachment
        check_ready(post, self.header, self.row.h0)
        if self._gathering.interrupted:
            raise later(ProblemReason.MATCH_FROZEN)
        if self._gathering.started or self.outcome is not None or self._gathering.readies[attachment.seat] is not None:
            self._gathering.accept(attachment, self.row.h0)
        else:
            self._desk.await_store(self._store_ready(attachment, post.entropy), post)

    async def _store_ready(self, attachment: Attachment, entropy: bytes) -> None:
        await self._gathering.make_ready(attachment.seat, entropy)
        self._gathering.accept(attachment, self.row.h0)
        self._go_on()

    def _judge_deadline(self) -> None:
        # While the match is frozen its clocks stand.
        if self.frozen or not self._deadline.check():
            return
        arbiter = self._live()
        if arbiter.state.decision is not None and not self._gathering.interrupted:
            arbiter.expire(arbiter.state.decision)
        else:
            self._go_on(is_over=True)

    def _judge_absence(self, seat: Seat) -> None:
        absence_ms = self._seating.absence_ms(seat)
        if absence_ms and self.lifecycle is Lifecycle.PLAYING:
            self._live().rule(seat, Absence(absence_ms))

    # What seats and organisers say

    def _judge_action(self, post: ActionPost) -> None:
        if self._arbiter is None or not self._arbiter.judge_action(post):
            self._desk.await_store(self._answer_closed(post), post)

    async def _answer_closed(self, post: ActionPost) -> None:
        feed, arbiter = self._feed, self._arbiter
        entry = await closing_entry(self._store, self.row.number, feed.entry_ending_at(post.decision_id), feed.entries)
        current, last = (arbiter.state.decision, arbiter.last_decision) if arbiter else (None, self._last_decision)
        answer_closed(entry, last, current, post)

    def _resign(self, post: ResignPost) -> None:
        if self.outcome is not None:
            raise Fault(ProblemReason.MATCH_ENDED)
        if self._gathering.interrupted:
            raise later(ProblemReason.MATCH_FROZEN)
        self._live().rule(post.attachment.seat, Resignation(), stamp_ms=post.stamp_ms)

    def _void(self, post: VoidPost) -> None:
        if self.outcome is not None:
            raise Fault(ProblemReason.MATCH_ENDED)
        self._voiding = post
        self._live().rule(None, Void(Termination.VOID_ORGANISER, post.reason))

    # The log

    def _committed(self, cause: Input, post: ActionPost | None, result: int | StoreError) -> None:
        if self._dropped:
            return
        if isinstance(result, StoreError):
            self._drop()
            return
        self._desk.attempt(lambda: self._tell(self._live(), cause, post, result))

    def _tell(self, arbiter: Arbiter, cause: Input, post: ActionPost | None, first_sequence: int) -> None:
        state, decision = arbiter.state, arbiter.state.decision
        if post is not None:
            accept(post, first_sequence, self._feed.sequence)
        if state.outcome is not None:
            self.outcome = state.outcome
            self._desk.await_store(self._seal(arbiter, state.outcome))
        elif self._standing:
            # The seats are told when the referee is there again.
            return
        else:
            arbiter.start_clock()
            if isinstance(cause.kind, (Start, Resume)):
                self._gathering.started, self._gathering.interrupted = True, False
                self._seating.watch()
        self._seating.wake(decision.seat if decision is not None else Seat.A)
        self._desk.go_on()

    async def _seal(self, arbiter: Arbiter, outcome: Outcome) -> None:
        feed = self._feed
        seal, is_revealed = await seal_match(
            self._surroundings, self.row, self.header, arbiter.secrets, feed.head, outcome
        )
        # With it goes the blind key: nobody can make or check a blind of a sealed match any more.
        self._last_decision = arbiter.last_decision
        self._arbiter = self._teller.live = None
        self._stop_clocks()
        feed.forget()
        self._teller.ended = lambda handle: answers.ended(handle, seal, feed.sequence, is_revealed)
        self._seating.wake(Seat.A)
        if self._voiding is not None:
            self._voiding.settle(None)
        self._surroundings.on_sealed(self.row.number)

    def _drop(self) -> None:
        """Gives the match up in memory: what is not stored was never told, and what is stored is all there is."""
        if self._dropped:
            return
        self._dropped = True
        self._stop_clocks()
        self._seating.close()
        self._desk.shut(later(ProblemReason.MATCH_FROZEN))
        if self._voiding is not None:
            self._voiding.settle(later(ProblemReason.MATCH_FROZEN))
        if not self.is_sealed:
            self._surroundings.on_given_up(self.row)

    def _arbitrate(self, secrets: Secrets, state: MatchState, last_decision: Decision | None) -> Arbiter:
        log = EventLog(self._store, self.row.number, secrets.blind_key, self._feed)
        self._arbiter = Arbiter(secrets, state, last_decision, self._deadline, log, self._committed)
        self._teller.live = Live(state, self._deadline, self._seating)
        return self._arbiter

    def _live(self) -> Arbiter:
        assert self._arbiter is not None
        return self._arbiter
