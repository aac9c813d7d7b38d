"""How what a seat says is turned away."""

from typing import Final

from referee.adjudication.terms import DealMode
from referee.codec.headers import Header
from referee.match import answers
from referee.match.faults import Fault, ProblemReason
from referee.match.inbox import JoinPost, ReadyPost, SeatPost
from referee.match.seats import Attachment, Hold

_RETRY_AFTER_MS: Final = 1_000


def later(reason: ProblemReason) -> Fault:
    """Returns a fault that may be over in a second."""
    return Fault(reason, retry_after_ms=_RETRY_AFTER_MS)


def refuse(attachment: Attachment, fault: Fault) -> None:
    """Answers with a problem."""
    attachment.put(answers.problem(attachment.handle, fault))


def turn_away(post: SeatPost, fault: Fault) -> None:
    """Answers with a problem; the handle of a join that is turned away has ended."""
    if isinstance(post, JoinPost):
        turn_away_join(post.attachment, fault)
    else:
        refuse(post.attachment, fault)


def turn_away_join(attachment: Attachment, fault: Fault) -> None:
    """Answers a join with a problem, and ends its handle, unless it was answered before."""
    if attachment.hold is Hold.JOINING:
        attachment.end(Hold.DETACHED)
        refuse(attachment, fault)


def check_ready(post: ReadyPost, header: Header, h0: bytes) -> None:
    """Checks that a seat is ready for this very match, with entropy only where the deal takes some. Raises Fault."""
    if post.h0 != h0:
        raise Fault(ProblemReason.H0_MISMATCH, field="ready.h0")
    if post.entropy and header.deal_mode is not DealMode.FRESH:
        raise Fault(ProblemReason.ENTROPY_NOT_ALLOWED, field="ready.entropy")
