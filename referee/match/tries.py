"""The rejected tries of an open decision: one that is sent again is answered the same and counted once."""

from referee.adjudication.apply import note_try
from referee.adjudication.inputs import RejectedTry
from referee.adjudication.state import MatchState
from referee.match import answers
from referee.match.inbox import ActionPost
from referee.rules.errors import IllegalAction
from referee.rules.legality import verify


def answer_known(state: MatchState, post: ActionPost) -> bool:
    """Answers a try of the open decision that was rejected before, and returns whether it was one."""
    for place, known in enumerate(state.tries, 1):
        if known.action_id == post.action_id and known.action == post.action:
            _answer(post, _refusal(state, known), state.terms.fault_policy.rejection_limit - place)
            return True
    return False


def reject(state: MatchState, post: ActionPost, refusal: IllegalAction) -> None:
    """Counts a new try and answers it."""
    attempt = RejectedTry(post.attachment.seat, post.decision_id, post.action_id, post.action, refusal.clause)
    note_try(state, attempt)
    _answer(post, refusal, state.tries_left)


def _refusal(state: MatchState, known: RejectedTry) -> IllegalAction:
    """Returns why a try was rejected: as long as its decision is open the rules say the same."""
    assert state.rules is not None
    try:
        verify(state.rules, known.seat, known.action)
    except IllegalAction as refusal:
        return refusal
    raise AssertionError("a legal action was rejected")


def _answer(post: ActionPost, refusal: IllegalAction, tries_left: int) -> None:
    post.attachment.put(
        answers.rejected(
            post.attachment.handle, post.action_id, post.decision_id, post.action, refusal, max(0, tries_left)
        )
    )
