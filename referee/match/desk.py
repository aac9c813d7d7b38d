"""The order in which one match is judged: one thing at a time, and nothing while it waits for the store."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from referee.match.faults import Fault, ProblemReason
from referee.match.inbox import AbsentPost, DuePost, Inbox, Notice, Post, SeatPost, VoidPost
from referee.match.refusals import later, turn_away
from referee.match.seats import Attachment
from referee.store.errors import StoreError

_LOGGER: Final = logging.getLogger(__name__)
T = TypeVar("T")


class Desk:
    """Takes the posts of one match and hands each to its judge when its turn comes.

    `may_judge` says whether the next one may be judged now; whoever makes it say so later calls `go_on`. `judge` raises
    Fault for what is answered by a problem. `give_up` is called when the match cannot go on.
    """

    def __init__(
        self, number: int, may_judge: Callable[[], bool], judge: Callable[[Post], None], give_up: Callable[[], None]
    ) -> None:
        self._number = number
        self._may_judge = may_judge
        self._judge = judge
        self._give_up = give_up
        self._inbox = Inbox()
        self._task: asyncio.Task[None] | None = None
        self._awaiting: SeatPost | None = None
        self._shut: Fault | None = None

    def add(self, post: SeatPost) -> None:
        """Takes what a seat says; it is judged now or when its turn comes, or turned away."""
        if self._shut is not None:
            turn_away(post, self._shut)
        elif not self._inbox.add(post):
            turn_away(post, later(ProblemReason.INBOX_FULL))
        else:
            self.go_on()

    def notice(self, notice: Notice) -> None:
        """Takes a notice of the referee itself."""
        if self._shut is not None:
            _refuse(notice, self._shut)
        else:
            self._inbox.add_notice(notice)
            self.go_on()

    def is_answering(self, attachment: Attachment) -> bool:
        """Returns whether a post of this attachment waits to be judged or, being judged, for the store."""
        awaiting = self._awaiting
        return (awaiting is not None and awaiting.attachment is attachment) or self._inbox.has_from(attachment)

    def go_on(self) -> None:
        """Judges what waits, as far as that may be done now."""
        while len(self._inbox) and self._shut is None and self._task is None and self._may_judge():
            post = self._inbox.pop()
            try:
                self._judge(post)
            except Fault as fault:
                _refuse(post, fault)
            except Exception:
                _refuse(post, later(ProblemReason.MATCH_FROZEN))
                self._report_bug()

    def await_store(self, work: Coroutine[Any, Any, None], post: SeatPost | None = None) -> None:
        """Lets everything else wait until some work with the store is done.

        `post` is what it answers; if work without one fails, the match is given up.
        """
        self._awaiting = post
        self._task = asyncio.get_running_loop().create_task(self._finish(work, post))

    def turn_all_away(self, fault: Fault) -> None:
        """Answers all that waits with a problem."""
        while len(self._inbox):
            _refuse(self._inbox.pop(), fault)

    def shut(self, fault: Fault) -> None:
        """Judges nothing any more: answers all that waits, and all that comes, with a problem."""
        self._shut = fault
        self.turn_all_away(fault)

    def attempt(self, work: Callable[[], T]) -> T | None:
        """Does some work and returns what it makes, or None if it fails, by a bug: then the match is given up."""
        try:
            return work()
        except Exception:
            self._report_bug()
            return None

    async def close(self, *, at_once: bool) -> None:
        """Returns when no work with the store is left; `at_once`, which the store does not let end, is given up."""
        if self._task is not None:
            if at_once:
                self._task.cancel()
            await asyncio.wait({self._task})

    def _report_bug(self) -> None:
        """Gives the match up because of the exception that is being handled, which costs no other match anything."""
        _LOGGER.exception("match %d is given up", self._number)
        self._give_up()

    async def _finish(self, work: Coroutine[Any, Any, None], post: SeatPost | None) -> None:
        try:
            await work
        except StoreError:
            if post is None:
                self._give_up()
            else:
                turn_away(post, later(ProblemReason.STORE_UNAVAILABLE))
        except Exception:
            self._report_bug()
        self._task = self._awaiting = None
        self.go_on()


def _refuse(post: Post, fault: Fault) -> None:
    if isinstance(post, VoidPost):
        post.settle(fault)
    elif not isinstance(post, (DuePost, AbsentPost)):
        turn_away(post, fault)
