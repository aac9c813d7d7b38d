"""What waits to be judged by one match, in the order in which it came."""

from asyncio import Future
from collections import deque
from dataclasses import dataclass
from typing import Final

from referee.match.faults import Fault
from referee.match.seats import Attachment
from referee.rules.actions import Action
from referee.rules.seats import Seat

_LONGEST_WAIT: Final = 4


@dataclass(slots=True)
class JoinPost:
    """Takes the seat, or visits it."""

    attachment: Attachment


@dataclass(slots=True)
class ReadyPost:
    """Declares the seat ready for the match whose header has the head `h0`."""

    attachment: Attachment
    h0: bytes
    entropy: bytes


@dataclass(slots=True)
class ActionPost:
    """Answers a decision; `stamp_ms` is when it was read."""

    attachment: Attachment
    decision_id: int
    action_id: str
    action: Action
    stamp_ms: int


@dataclass(slots=True)
class ResignPost:
    """Gives up; `stamp_ms` is when it was read."""

    attachment: Attachment
    stamp_ms: int


@dataclass(slots=True)
class LeavePost:
    """Lets go of the seat."""

    attachment: Attachment


@dataclass(slots=True)
class DuePost:
    """Says that a deadline has passed."""


@dataclass(slots=True)
class AbsentPost:
    """Says that a seat has been away for too long."""

    seat: Seat


@dataclass(slots=True)
class VoidPost:
    """Declares the match void for the organiser; `done` is done when that is stored, or has the Fault why not."""

    reason: str
    done: Future[None]

    def settle(self, fault: Fault | None) -> None:
        """Tells the organiser, if that still waits."""
        if self.done.done():
            return
        if fault is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(fault)


SeatPost = JoinPost | ReadyPost | ActionPost | ResignPost | LeavePost
Notice = DuePost | AbsentPost | VoidPost
_NOTICES: Final = (DuePost, AbsentPost, VoidPost)
Post = SeatPost | Notice


class Inbox:
    """Holds the posts of both seats in one order, at most four of each seat."""

    def __init__(self) -> None:
        self._posts: deque[Post] = deque()
        self._waiting = [0, 0]

    def add(self, post: SeatPost) -> bool:
        """Adds the post of a seat and returns True, or False if too many of that seat wait."""
        seat = post.attachment.seat
        if self._waiting[seat] >= _LONGEST_WAIT:
            return False
        self._waiting[seat] += 1
        self._posts.append(post)
        return True

    def add_notice(self, notice: Notice) -> None:
        """Adds a notice of the referee itself, behind what has arrived before it."""
        self._posts.append(notice)

    def __len__(self) -> int:
        """Returns how many wait."""
        return len(self._posts)

    def has_from(self, attachment: Attachment) -> bool:
        """Returns whether a post of this attachment waits."""
        return any(not isinstance(post, _NOTICES) and post.attachment is attachment for post in self._posts)

    def pop(self) -> Post:
        """Takes out the oldest post; there must be one."""
        post = self._posts.popleft()
        if not isinstance(post, _NOTICES):
            self._waiting[post.attachment.seat] -= 1
        return post
