"""The rejected tries of an open decision, so that one that is sent again is answered the same and counted once."""

from dataclasses import dataclass

from referee.adjudication.apply import note_try
from referee.adjudication.inputs import RejectedTry
from referee.adjudication.state import MatchState
from referee.match import answers
from referee.match.inbox import ActionPost
from referee.rules.errors import IllegalAction


@dataclass(frozen=True, slots=True)
class _KnownTry:
    attempt: RejectedTry
    refusal: IllegalAction
    tries_left: int


class Tries:
    """Remembers the tries of the decision that is open now."""

    def __init__(self) -> None:
        self._known: list[_KnownTry] = []

    def clear(self) -> None:
        """Forgets them: the decision is closed."""
        self._known.clear()

    def answer_known(self, post: ActionPost) -> bool:
        """Answers a try that was rejected before, and returns whether it was one."""
        for known in self._known:
            if known.attempt.action_id == post.action_id and known.attempt.action == post.action:
                _answer(post, known)
                return True
        return False

    def reject(self, state: MatchState, post: ActionPost, refusal: IllegalAction) -> None:
        """Counts a new try and answers it."""
        seat = post.attachment.seat
        attempt = RejectedTry(seat, post.decision_id, post.action_id, post.action, refusal.clause)
        note_try(state, attempt)
        known = _KnownTry(attempt, refusal, state.tries_left)
        self._known.append(known)
        _answer(post, known)


def _answer(post: ActionPost, known: _KnownTry) -> None:
    post.attachment.put(
        answers.rejected(
            post.attachment.handle, post.action_id, post.decision_id, post.action, known.refusal, known.tries_left
        )
    )
