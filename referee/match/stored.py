"""A match of which only the store knows: it is over, or was given up."""

import asyncio
import logging
from dataclasses import dataclass
from typing import Final, assert_never

from unoduo.v1 import session_pb2 as pb

from referee.adjudication.state import Decision, Lifecycle
from referee.codec.headers import decode_header
from referee.codec.seals import decode_seal
from referee.match import answers
from referee.match.closed import answer_closed, find_closing_entry
from referee.match.credentials import SeatClaim
from referee.match.faults import Fault, ProblemReason
from referee.match.feed import Feed, stored_feed
from referee.match.inbox import (
    ActionPost,
    Inbox,
    JoinPost,
    LeavePost,
    Notice,
    ReadyPost,
    ResignPost,
    SeatPost,
)
from referee.match.joining import find_place, place, welcome
from referee.match.refusals import check_ready, later, turn_away, turn_away_join
from referee.match.seats import Attachment, Hold
from referee.match.teller import Teller
from referee.store.base import MatchRow, Store
from referee.store.errors import StoreError

_LOGGER: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ended:
    """Holds what is read of a match that is over; `is_revealed` says whether its deal is public."""

    row: MatchRow
    feed: Feed
    teller: Teller
    is_revealed: bool


async def read_ended(store: Store, row: MatchRow) -> Ended:
    """Returns a match that is over, as the store has it. Raises Fault if it is not over, and StoreError."""
    seal, feed = await store.read_seal(row.number), await stored_feed(store, row)
    if seal is None:
        raise later(ProblemReason.MATCH_FROZEN)
    teller = Teller(feed, None)
    told, is_revealed = decode_seal(seal.seal), seal.reveal is not None
    teller.ended = lambda handle: answers.ended(handle, told, feed.sequence, is_revealed)
    return Ended(row, feed, teller, is_revealed)


class StoredMatch:
    """Answers one seat of a match that is not in memory any more, as the match itself would; nothing can change it.

    `claim` is what the seat is asked for by, None if it was granted already. `last_decision` is the one that was open
    when the match ended, if that is known. Nothing is read before it is asked, so that one which is never asked costs
    next to nothing.
    """

    __slots__ = ("_claim", "_ended", "_inbox", "_last_decision", "_match_id", "_store", "_task")

    def __init__(
        self, store: Store, match_id: bytes, claim: SeatClaim | None, last_decision: Decision | None = None
    ) -> None:
        self._store = store
        self._match_id = match_id
        self._claim = claim
        self._last_decision = last_decision
        self._inbox: Inbox | None = None
        self._ended: Ended | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def lifecycle(self) -> Lifecycle:
        """Returns where the match stands once it has granted the seat: one that is not over refuses it."""
        return Lifecycle.ENDED

    def post(self, post: SeatPost) -> None:
        """Answers what a seat says, in its turn."""
        if self._inbox is None:
            self._inbox = Inbox()
        if not self._inbox.add(post):
            turn_away(post, later(ProblemReason.INBOX_FULL))
        elif self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._answer_all(self._inbox))

    def lose(self, attachment: Attachment) -> None:
        """Learns that the session behind an attachment is gone."""
        attachment.hold = Hold.LOST

    def revoke(self, attachment: Attachment) -> None:
        """Takes the seat from an attachment, because the token by which it was granted holds no more."""
        if attachment.hold is Hold.HELD:
            _detach(attachment, pb.DETACH_REASON_TOKEN_REVOKED)
        else:
            turn_away_join(attachment, Fault(ProblemReason.NOT_YOURS))

    def is_behind(self, attachment: Attachment) -> bool:
        """Returns whether the next item of an attachment is a page of history."""
        return attachment.page is not None or (self._ended is not None and self._ended.feed.is_behind(attachment))

    def is_answering(self, attachment: Attachment) -> bool:
        """Returns whether something that the attachment said is to be answered yet."""
        return self._task is not None

    def next_item(self, attachment: Attachment) -> bytes | None:
        """Returns the next item that is due to an attachment, or None."""
        return self._ended.teller.next_item(attachment) if self._ended is not None else None

    async def _answer_all(self, inbox: Inbox) -> None:
        while len(inbox):
            post = inbox.pop()
            # Nobody but seats posts here.
            assert not isinstance(post, Notice)
            try:
                await self._answer(post)
            except Fault as fault:
                turn_away(post, fault)
            except StoreError:
                turn_away(post, later(ProblemReason.STORE_UNAVAILABLE))
            except Exception:
                _LOGGER.exception("a match that is over does not answer")
                turn_away(post, Fault(ProblemReason.INTERNAL))
        self._task = None

    async def _answer(self, post: SeatPost) -> None:
        attachment = post.attachment
        if attachment.hold is Hold.DETACHED:
            raise Fault(ProblemReason.HANDLE_ENDED)
        self._ended = ended = self._ended or await self._read(attachment)
        if isinstance(post, JoinPost):
            await self._join(ended, attachment)
        elif isinstance(post, ActionPost):
            entry = await find_closing_entry(self._store, ended.row.number, ended.feed.entries, post.decision_id)
            answer_closed(entry, self._last_decision, None, post)
        elif isinstance(post, ReadyPost):
            check_ready(post, decode_header(ended.row.header), ended.row.h0)
            attachment.put(answers.ready_accepted(attachment.handle, ended.row.h0, b""))
        elif isinstance(post, ResignPost):
            raise Fault(ProblemReason.MATCH_ENDED)
        elif isinstance(post, LeavePost):
            _leave(attachment)
        else:
            assert_never(post)

    async def _join(self, ended: Ended, attachment: Attachment) -> None:
        if not place(ended.feed, attachment):
            await find_place(self._store, ended.row.number, ended.feed, attachment)
        if attachment.hold is Hold.JOINING:
            # Nothing is left to take over, so that joins are not counted any more.
            attachment.hold = Hold.HELD
            welcome(attachment, ended.row, Lifecycle.ENDED)

    async def _read(self, attachment: Attachment) -> Ended:
        """Returns the match as the store has it. Raises Fault if the seat is another's or the match was given up."""
        row = await self._store.find_match(self._match_id)
        if self._claim is not None:
            attachment.grant = self._claim.grant(row) or b""
            # A token that is replaced from now on is revoked; this look tells one that was replaced before.
            row = await self._store.find_match(self._match_id)
            attachment.grant = self._claim.grant(row) or b""
        if row is None or not attachment.grant:
            raise Fault(ProblemReason.NOT_YOURS)
        return await read_ended(self._store, row)


def _leave(attachment: Attachment) -> None:
    if attachment.hold is not Hold.HELD:
        raise Fault(ProblemReason.HANDLE_ENDED)
    _detach(attachment, pb.DETACH_REASON_LEFT)


def _detach(attachment: Attachment, reason: pb.DetachReason.ValueType) -> None:
    attachment.end(Hold.DETACHED)
    attachment.put(answers.detached(attachment.handle, reason, attachment.join_number))
