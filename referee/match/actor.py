"""One match, live: the single writer of its log (`PROTOCOL.md`, "The log")."""

import asyncio
import logging
from collections.abc import Coroutine
from functools import partial
from typing import Any, Final, assert_never

from unoduo.v1 import session_pb2 as pb

from referee.adjudication.inputs import Absence, Input, NoShow, Resignation, Start
from referee.adjudication.state import Decision, Lifecycle, MatchState
from referee.codec.headers import Header
from referee.codec.seals import Seal
from referee.deal.streams import SealedShuffler
from referee.match import answers
from referee.match.arbiter import Arbiter
from referee.match.closed import answer_closed, closing_entry
from referee.match.deadline import Deadline
from referee.match.event_log import EventLog
from referee.match.faults import Fault, ProblemReason
from referee.match.feed import Feed
from referee.match.inbox import (
    AbsentPost,
    ActionPost,
    DuePost,
    Inbox,
    JoinPost,
    LeavePost,
    Post,
    ReadyPost,
    ResignPost,
    SeatPost,
)
from referee.match.joining import find_place, place, welcome
from referee.match.refusals import check_ready, later, turn_away, turn_away_join
from referee.match.reveals import seal_match
from referee.match.seating import Seating
from referee.match.seats import Attachment, Hold
from referee.match.stored import StoredMatch
from referee.match.surroundings import Surroundings
from referee.match.teller import Live, Teller
from referee.rules.outcome import Outcome
from referee.rules.seats import Seat
from referee.store.base import MatchRow, Secrets
from referee.store.errors import StoreError

_LOGGER: Final = logging.getLogger(__name__)


class MatchActor:
    """Judges what arrives for one match, one thing at a time, and tells nobody before it is stored.

    It has no task of its own: callbacks of sessions, timers and the store drive it. While it is busy with the store
    everything waits in its inbox.
    """

    def __init__(self, surroundings: Surroundings, row: MatchRow, header: Header, secrets: Secrets) -> None:
        self.row = row
        self.header = header
        self.outcome: Outcome | None = None
        self.frozen = False
        self._store = surroundings.store
        self._index = surroundings.index
        self._on_closed = surroundings.on_closed
        self._deadline = Deadline(surroundings.clock, partial(self._notice, DuePost()))
        self._seating = Seating(
            surroundings.clock,
            header.fault_policy.forfeit_after_absence_ms,
            lambda seat: self._notice(AbsentPost(seat)),
        )
        self._feed = Feed(surroundings.store, row.number, row.h0)
        self._arbiter: Arbiter | None = (arbiter := self._arbitrate(secrets))
        self._teller = Teller(self._feed, Live(arbiter.state, self._deadline, self._seating))
        self._inbox = Inbox()
        self._dropped = False
        self._task: asyncio.Task[None] | None = None
        self._entropy: list[bytes | None] = [None, None]
        self._last_decision: Decision | None = None
        self._deadline.start(header.time_control.startup_grace_ms)

    @property
    def lifecycle(self) -> Lifecycle:
        """Returns where the match stands, as far as it is committed."""
        if self.outcome is not None:
            return Lifecycle.ENDED
        if self.frozen or self._dropped:
            return Lifecycle.FROZEN
        return Lifecycle.PLAYING if self._feed.entries else Lifecycle.CREATED

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
        if self._dropped or (self.frozen and isinstance(post, (ReadyPost, ActionPost, ResignPost))):
            turn_away(post, later(ProblemReason.MATCH_FROZEN))
        elif not self._inbox.add(post):
            turn_away(post, later(ProblemReason.INBOX_FULL))
        else:
            self._drain()

    def lose(self, attachment: Attachment) -> None:
        """Learns that the session behind an attachment is gone."""
        self._seating.lose(attachment)

    def is_behind(self, attachment: Attachment) -> bool:
        """Returns whether the next item of an attachment is a page of history."""
        return attachment.page is not None or self._feed.is_behind(attachment)

    def next_item(self, attachment: Attachment) -> bytes | None:
        """Returns the next item that is due to an attachment, or None."""
        item = self._teller.next_item(attachment)
        if attachment.hold is Hold.ENDED:
            # What it still asks the store can answer, so that it does not keep this in memory.
            attachment.match = StoredMatch(self._store, self.row.match_id, (self.row.number,), self._last_decision)
        return item

    def freeze(self) -> None:
        """Learns that the store cannot take anything of this match now."""
        self.frozen = True

    def thaw(self) -> None:
        """Learns that it can again: what a seat could not do meanwhile it has its time for anew."""
        self.frozen = False
        if self.lifecycle is Lifecycle.CREATED:
            self._deadline.start(self.header.time_control.startup_grace_ms)
        elif self.lifecycle is Lifecycle.PLAYING:
            self._seating.watch()

    async def close(self) -> None:
        """Stops for good, without an end: what is stored stays as it is."""
        self._dropped = True
        self._stop_clocks()
        if self._task is not None:
            await asyncio.wait({self._task})

    def _drain(self) -> None:
        while not self._is_busy() and (post := self._inbox.pop()) is not None:
            try:
                self._judge(post)
            except Fault as fault:
                assert not isinstance(post, (DuePost, AbsentPost))
                turn_away(post, fault)
            except Exception:
                self._give_up()

    def _is_busy(self) -> bool:
        return self._dropped or self._task is not None or (self._arbiter is not None and self._arbiter.appending)

    def _judge(self, post: Post) -> None:
        if isinstance(post, DuePost):
            self._judge_deadline()
        elif isinstance(post, AbsentPost):
            self._judge_absence(post.seat)
        elif isinstance(post, JoinPost):
            self._join(post.attachment)
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

    def _notice(self, notice: DuePost | AbsentPost) -> None:
        self._inbox.add_notice(notice)
        self._drain()

    def _stop_clocks(self) -> None:
        self._deadline.close()
        self._seating.stop_watching()

    # Seats

    def _join(self, attachment: Attachment) -> None:
        if attachment.hold is not Hold.JOINING:
            # The session ended while the join waited.
            return
        if place(self._feed, attachment):
            self._seat(attachment)
        else:
            self._await_store(self._resume(attachment))

    async def _resume(self, attachment: Attachment) -> None:
        try:
            await find_place(self._store, self.row.number, self._feed, attachment)
        except Fault as fault:
            turn_away_join(attachment, fault)
            return
        if attachment.hold is Hold.JOINING:
            self._seat(attachment)

    def _seat(self, attachment: Attachment) -> None:
        self._seating.take(attachment)
        welcome(attachment, self.row, self.lifecycle)

    # The start

    def _ready(self, post: ReadyPost) -> None:
        attachment = post.attachment
        check_ready(post, self.header, self.row.h0)
        if self.lifecycle is not Lifecycle.CREATED or self._entropy[attachment.seat] is not None:
            attachment.put(answers.ready_accepted(attachment.handle, self.row.h0))
        else:
            self._await_store(self._store_ready(attachment, post.entropy))

    async def _store_ready(self, attachment: Attachment, entropy: bytes) -> None:
        seat = attachment.seat
        self._entropy[seat] = await self._store.put_ready(self.row.number, seat, entropy)
        attachment.put(answers.ready_accepted(attachment.handle, self.row.h0))
        if None not in self._entropy:
            self._start()

    def _start(self) -> None:
        entropy_1, entropy_2 = (entropy or b"" for entropy in self._entropy)
        self._live().rule(None, Start(entropy_1, entropy_2))

    def _judge_deadline(self) -> None:
        if not self._deadline.check():
            return
        arbiter = self._live()
        if arbiter.state.decision is not None:
            arbiter.expire(arbiter.state.decision)
        elif absent := self._seating.never_joined():
            arbiter.rule(None, NoShow(absent))
        else:
            self._start()

    def _judge_absence(self, seat: Seat) -> None:
        absence_ms = self._seating.absence_ms(seat)
        if absence_ms and self.lifecycle is Lifecycle.PLAYING:
            self._live().rule(seat, Absence(absence_ms))

    # Actions

    def _judge_action(self, post: ActionPost) -> None:
        if self._arbiter is None or not self._arbiter.judge_action(post):
            self._await_store(self._answer_closed(post))

    async def _answer_closed(self, post: ActionPost) -> None:
        feed, arbiter = self._feed, self._arbiter
        opened_by = feed.entry_ending_at(post.decision_id)
        entry = await closing_entry(self._store, self.row.number, opened_by, feed.entries)
        current, last = (arbiter.state.decision, arbiter.last_decision) if arbiter else (None, self._last_decision)
        answer_closed(entry, last, current, post)

    def _resign(self, post: ResignPost) -> None:
        if self.outcome is not None:
            raise Fault(ProblemReason.MATCH_ENDED)
        self._live().rule(post.attachment.seat, Resignation(), stamp_ms=post.stamp_ms)

    # The log

    def _committed(self, cause: Input, post: ActionPost | None, result: int | StoreError) -> None:
        if self._dropped:
            return
        if isinstance(result, StoreError):
            self._drop()
            return
        try:
            self._tell(self._live(), post, result)
        except Exception:
            self._give_up()

    def _tell(self, arbiter: Arbiter, post: ActionPost | None, first_sequence: int) -> None:
        state, decision = arbiter.state, arbiter.state.decision
        arbiter.start_clock()
        if post is not None:
            post.attachment.put(
                answers.accepted(
                    post.attachment.handle, post.action_id, post.decision_id, first_sequence, self._feed.sequence
                )
            )
        if self._feed.entries == 1 and decision is not None:
            self._seating.watch()
        self._seating.wake(decision.seat if decision is not None else Seat.A)
        if state.outcome is not None:
            self.outcome = state.outcome
            self._await_store(self._seal(arbiter, state.outcome))
        self._drain()

    async def _seal(self, arbiter: Arbiter, outcome: Outcome) -> None:
        feed, seal = self._feed, Seal(self._feed.head, outcome)
        is_revealed = await seal_match(
            self._store, self._index, self.row.number, seal, self.header.deal_mode, arbiter.secrets
        )
        # With it goes the blind key: nobody can make or check a blind of a sealed match any more.
        self._last_decision = arbiter.last_decision
        self._arbiter = self._teller.live = None
        self._stop_clocks()
        feed.forget()
        self._teller.ended = lambda handle: answers.ended(handle, outcome, feed.sequence, feed.head, b"", is_revealed)
        self._seating.wake(Seat.A)
        self._on_closed(self.row.number)

    def _await_store(self, work: Coroutine[Any, Any, None]) -> None:
        """Lets everything else wait until some work with the store is done."""
        self._task = asyncio.get_running_loop().create_task(self._finish(work))

    async def _finish(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except StoreError:
            self._drop()
        except Exception:
            self._give_up()
        self._task = None
        self._drain()

    def _give_up(self) -> None:
        """Drops the match because a bug has shown in it, which costs no other match anything."""
        _LOGGER.exception("match %d is given up", self.row.number)
        self._drop()

    def _drop(self) -> None:
        """Gives the match up in memory: what is not stored was never told, and what is stored is all there is."""
        if self._dropped:
            return
        self._dropped = True
        self._stop_clocks()
        self._seating.release_all(pb.DETACH_REASON_MATCH_FROZEN)
        while (post := self._inbox.pop()) is not None:
            if not isinstance(post, (DuePost, AbsentPost)):
                turn_away(post, later(ProblemReason.MATCH_FROZEN))
        self._on_closed(self.row.number)

    def _arbitrate(self, secrets: Secrets) -> Arbiter:
        state = MatchState(self.header.terms, partial(SealedShuffler, secrets.seed, secrets.deal_id))
        log = EventLog(self._store, self.row.number, secrets.blind_key, self._feed)
        return Arbiter(secrets, state, None, self._deadline, log, self._committed)

    def _live(self) -> Arbiter:
        assert self._arbiter is not None
        return self._arbiter
