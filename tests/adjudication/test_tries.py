from dataclasses import replace

import pytest

from referee.adjudication.adjudicate import verify_try
from referee.adjudication.apply import note_try
from referee.adjudication.errors import Check, RulingRefused
from referee.adjudication.inputs import RejectedTry
from referee.adjudication.state import MatchState
from referee.adjudication.terms import FaultPolicy
from referee.rules.actions import DRAW, KEEP_OFFERED, Play
from referee.rules.errors import CLAUSE, Reason
from tests.adjudication.positions import created, reject, started, unchanged


def wrong_phase(state: MatchState) -> RejectedTry:
    assert state.decision is not None
    decision = state.decision
    return RejectedTry(decision.seat, decision.decision_id, "t", DRAW, CLAUSE[Reason.WRONG_PHASE])


def refusal(state: MatchState, attempt: RejectedTry) -> Check:
    with unchanged(state), pytest.raises(RulingRefused) as refused:
        verify_try(state, attempt)
    assert refused.value.message
    return refused.value.check


def test_try_refused_with_its_clause_holds() -> None:
    state = started()
    with unchanged(state):
        verify_try(state, wrong_phase(state))


def test_try_under_another_clause_is_found() -> None:
    state = started()
    assert refusal(state, replace(wrong_phase(state), clause="R5.6")) is Check.TRY_CLAUSE


def test_legal_action_noted_as_a_rejected_try_is_found() -> None:
    state = started()
    assert refusal(state, replace(wrong_phase(state), action=KEEP_OFFERED)) is Check.TRY_CLAUSE


def test_try_of_the_other_seat_or_decision_is_found() -> None:
    state = started()
    attempt = wrong_phase(state)
    assert refusal(state, replace(attempt, seat=attempt.seat.other)) is Check.DECISION
    assert refusal(state, replace(attempt, decision_id=attempt.decision_id + 1)) is Check.DECISION


def test_try_without_an_open_decision_is_found() -> None:
    attempt = wrong_phase(started())
    assert refusal(created(), attempt) is Check.DECISION


def test_try_after_the_one_that_lost_is_found() -> None:
    state = started(fault_policy=FaultPolicy(rejection_limit=2))
    reject(state, 2)
    verify_try(state, wrong_phase(state))
    reject(state, 1)
    assert refusal(state, wrong_phase(state)) is Check.TRIES


def test_try_counted_twice_is_found() -> None:
    state = started()
    attempt = wrong_phase(state)
    note_try(state, attempt)
    assert refusal(state, attempt) is Check.TRIES
    with unchanged(state):
        verify_try(state, replace(attempt, action_id="u"))
        verify_try(state, replace(attempt, action=Play(())))
