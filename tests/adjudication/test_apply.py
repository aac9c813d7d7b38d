from random import Random

import pytest

from referee.adjudication.apply import freeze
from referee.adjudication.inputs import ActionTaken, Expired, Input, NoShow, RejectionLimit, Resignation, Resume, Void
from referee.adjudication.rulings import ResumeReason
from referee.adjudication.state import Decision, Lifecycle
from referee.adjudication.terms import ExpiryPolicy, FaultPolicy, TimeControl
from referee.rules.actions import KEEP_OFFERED
from referee.rules.legality import legal_actions
from referee.rules.outcome import Outcome, Termination
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from referee.rules.state import Phase
from tests.adjudication.positions import (
    act,
    actor,
    created,
    of_actor,
    of_match,
    reject,
    rules_of,
    started,
    take,
    unchanged,
)

LIMIT_MS = TimeControl().limit_ms
KEPT = ActionTaken("a", KEEP_OFFERED)


def test_start_opens_the_first_decision() -> None:
    state = started()
    # Deal sealed, cut, round started, draft offered.
    assert (state.lifecycle, state.sequence, state.entries) == (Lifecycle.PLAYING, 4, 1)
    assert state.decision == Decision(4, rules_of(state).first_drafter, Phase.DRAFT)


def test_action_opens_the_next_decision_after_its_last_event() -> None:
    state = started()
    first = actor(state)
    act(state)
    assert (state.sequence, state.entries) == (6, 2)
    assert state.decision == Decision(6, first.other, Phase.DRAFT)


def test_whole_match_keeps_sequence_entries_and_decision_in_step() -> None:
    state = started(ruleset=Ruleset(target=1))
    choice = Random(7)
    events, entries = state.sequence, state.entries
    while state.decision is not None:
        rules = rules_of(state)
        assert (state.decision.seat, state.decision.phase) == (rules.actor, rules.phase)
        assert state.decision.decision_id == state.sequence
        action = choice.choice(legal_actions(rules))
        events += len(take(state, of_actor(state, ActionTaken("a", action))))
        entries += 1
        assert (state.sequence, state.entries) == (events, entries)
    assert (state.lifecycle, state.outcome) == (Lifecycle.ENDED, rules_of(state).outcome)
    assert state.outcome is not None


def test_bank_of_the_deciding_seat_follows_the_clock() -> None:
    state = started(TimeControl(limit_ms=1000, bank_ms=500, increment_ms=30, margin_ms=20))
    first = actor(state)
    act(state, elapsed_ms=1100)
    assert state.banks[first] == 430
    assert state.banks[first.other] == 500
    act(state, elapsed_ms=1)
    assert state.banks[first.other] == 530


def test_bank_is_used_up_by_a_time_out() -> None:
    state = started(TimeControl(limit_ms=1000, bank_ms=500, increment_ms=30, margin_ms=20))
    silent = actor(state)
    take(state, of_actor(state, Expired(), 1521))
    assert state.banks[silent] == 0
    assert state.banks[silent.other] == 500
    assert state.strikes[silent] == 1
    assert state.strikes[silent.other] == 0


def test_tries_are_forgotten_when_the_decision_closes() -> None:
    state = started(fault_policy=FaultPolicy(rejection_limit=3))
    assert state.tries_left == 3
    reject(state, 2)
    assert state.tries_left == 1
    assert [attempt.action_id for attempt in state.unlogged_tries] == ["try-0", "try-1"]
    act(state)
    assert state.tries_left == 3
    assert not state.unlogged_tries


def test_tries_left_never_falls_below_zero() -> None:
    state = started(fault_policy=FaultPolicy(rejection_limit=1))
    reject(state, 1)
    assert (state.tries_left, state.tries_exceeded) == (0, False)
    reject(state, 1)
    assert (state.tries_left, state.tries_exceeded) == (0, True)


def test_resume_keeps_the_decision_and_its_tries() -> None:
    state = started(TimeControl(bank_ms=500), FaultPolicy(rejection_limit=2))
    decision, banks = state.decision, list(state.banks)
    reject(state, 2)
    freeze(state)
    stages = [state.lifecycle]
    take(state, of_match(state, Resume(ResumeReason.THAWED)))
    stages.append(state.lifecycle)
    assert stages == [Lifecycle.FROZEN, Lifecycle.PLAYING]
    assert (state.decision, state.banks) == (decision, banks)
    assert (state.sequence, state.entries) == (5, 2)
    # The entry of the resumption holds them, so the next one must not.
    assert (state.tries_left, state.unlogged_tries) == (0, ())
    reject(state, 1)
    assert [attempt.action_id for attempt in state.unlogged_tries] == ["try-0"]
    take(state, of_actor(state, RejectionLimit()))
    assert state.outcome is not None


def test_tries_logged_by_a_resumption_do_not_hide_those_of_the_next_decision() -> None:
    state = started()
    reject(state, 2)
    take(state, of_match(state, Resume(ResumeReason.RESTART)))
    assert state.tries_logged == 2
    act(state)
    assert state.tries_logged == 0
    reject(state, 1)
    assert len(state.unlogged_tries) == 1


def test_new_match_has_both_banks_full() -> None:
    assert created(TimeControl(bank_ms=70)).banks == [70, 70]


@pytest.mark.parametrize("lifecycle", [Lifecycle.CREATED, Lifecycle.ENDED])
def test_freeze_leaves_a_match_alone_that_is_not_played(lifecycle: Lifecycle) -> None:
    state = created()
    if lifecycle is Lifecycle.ENDED:
        take(state, of_match(state, Resignation(), Seat.A))
    with unchanged(state):
        freeze(state)


@pytest.mark.parametrize(
    ("input", "outcome", "sequence"),
    [
        (Input(None, 0, 30_000, 0, NoShow((Seat.B,))), Outcome(Seat.A, Termination.NO_SHOW, (0, 0), 0, (Seat.B,)), 2),
        (Input(Seat.A, 0, 0, 0, Resignation()), Outcome(Seat.B, Termination.RESIGNATION, (0, 0), 0), 2),
        (
            Input(None, 0, 0, 0, Void(Termination.VOID_ORGANISER, "rain")),
            Outcome(None, Termination.VOID_ORGANISER, (0, 0), 0),
            2,
        ),
    ],
    ids=["no-show", "resignation", "void"],
)
def test_match_can_end_before_its_start(input: Input, outcome: Outcome, sequence: int) -> None:
    state = created()
    take(state, input)
    assert (state.lifecycle, state.outcome, state.decision) == (Lifecycle.ENDED, outcome, None)
    assert (state.sequence, state.entries, state.rules) == (sequence, 1, None)


def test_forfeit_ends_the_match_under_the_rules_too() -> None:
    state = started(fault_policy=FaultPolicy(on_expiry=ExpiryPolicy.FORFEIT))
    take(state, of_actor(state, Expired(), LIMIT_MS + 1))
    assert (state.lifecycle, state.decision) == (Lifecycle.ENDED, None)
    assert rules_of(state).phase is Phase.MATCH_OVER
    assert legal_actions(rules_of(state)) == []
