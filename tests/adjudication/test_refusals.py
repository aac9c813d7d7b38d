"""What a verifier prints of a false ruling: each refusal says in a sentence what is wrong, with the numbers."""

from collections.abc import Callable

import pytest

from referee.adjudication.adjudicate import adjudicate, verify_try
from referee.adjudication.apply import freeze
from referee.adjudication.errors import RulingRefused
from referee.adjudication.inputs import (
    Absence,
    ActionTaken,
    Expired,
    Input,
    NoShow,
    RejectedTry,
    RejectionLimit,
    Resignation,
    Start,
    Void,
)
from referee.adjudication.state import MatchState
from referee.adjudication.terms import FaultPolicy, TimeControl
from referee.rules.actions import DRAW, KEEP_OFFERED, Action
from referee.rules.outcome import Termination
from referee.rules.seats import Seat
from tests.adjudication.positions import created, reject, started

Refused = tuple[MatchState, Input | RejectedTry]
KEPT = ActionTaken("a", KEEP_OFFERED)
GRACE = TimeControl(startup_grace_ms=700)
# A decision has 1000 + 70 + 5 ms.
CLOCK = TimeControl(limit_ms=1000, bank_ms=70, margin_ms=5)


def frozen() -> MatchState:
    state = started()
    freeze(state)
    return state


def rejected(count: int, limit: int) -> MatchState:
    state = started(fault_policy=FaultPolicy(rejection_limit=limit))
    reject(state, count)
    return state


def tried(
    state: MatchState,
    seat: Seat = Seat.A,
    decision_id: int = 4,
    action_id: str = "t",
    action: Action = DRAW,
    clause: str = "R13.2",
) -> Refused:
    return state, RejectedTry(seat, decision_id, action_id, action, clause)


# Seat A has decision 4 in every match here that started.
@pytest.mark.parametrize(
    ("refused", "sentence"),
    [
        (
            lambda: tried(started(), seat=Seat.B),
            "DECISION: a try of seat B for decision 4 stands where seat A had decision 4 open",
        ),
        (
            lambda: tried(started(), decision_id=7),
            "DECISION: a try of seat A for decision 7 stands where seat A had decision 4 open",
        ),
        (lambda: tried(created()), "DECISION: no decision is open"),
        (lambda: tried(rejected(3, 2)), "TRIES: a try was judged after the one that lost the match"),
        (lambda: tried(rejected(1, 2), action_id="try-0"), "TRIES: the try 'try-0' was counted twice"),
        (
            lambda: tried(started(), clause="R5.6"),
            "TRY_CLAUSE: a try was rejected by 'R5.6', but what it breaks is R13.2",
        ),
        (
            lambda: tried(started(), action=KEEP_OFFERED, clause="R5.6"),
            "TRY_CLAUSE: a legal action was rejected by 'R5.6'",
        ),
        (
            lambda: (frozen(), Input(Seat.A, 4, 0, 0, KEPT)),
            "LIFECYCLE: a match that is FROZEN does not take ActionTaken",
        ),
        (
            lambda: (started(), Input(Seat.A, 7, 0, 0, KEPT)),
            "DECISION: the input names decision 7, open is 4",
        ),
        (
            lambda: (created(), Input(Seat.A, 1, 0, 0, Resignation())),
            "DECISION: the input names decision 1, open is none",
        ),
        (
            lambda: (rejected(2, 1), Input(Seat.A, 4, 0, 0, KEPT)),
            "TRIES: an action was taken after the rejected try that lost the match",
        ),
        (
            lambda: (started(CLOCK), Input(Seat.A, 4, 1078, 2, KEPT)),
            "CLOCK: the action came after 1076 ms, 1075 ms were allowed",
        ),
        (
            lambda: (started(CLOCK), Input(Seat.A, 4, 1077, 2, Expired())),
            "CLOCK: 1075 ms were used and 1075 ms allowed: no time-out",
        ),
        (
            lambda: (rejected(2, 1), Input(Seat.A, 4, 10_001, 0, Expired())),
            "TRIES: a time-out was ruled after the rejected try that lost the match",
        ),
        (
            lambda: (rejected(1, 3), Input(Seat.A, 4, 0, 0, RejectionLimit())),
            "TRIES: rejected tries: 1, allowed: 3",
        ),
        (
            lambda: (created(), Input(None, 0, 0, 0, Start(bytes(33), b""))),
            "ENTROPY: entropy has at most 32 bytes",
        ),
        (
            lambda: (created(GRACE), Input(None, 0, 701, 2, NoShow((Seat.A,)))),
            "STARTUP_GRACE: 699 ms had passed of a start-up grace of 700 ms",
        ),
        (
            lambda: (created(), Input(None, 0, 30_000, 0, NoShow(()))),
            "SEAT: a no-show names one seat or both, ascending",
        ),
        (
            lambda: (started(), Input(Seat.A, 4, 0, 0, Absence(5000))),
            "ABSENCE: under this policy no absence loses the match",
        ),
        (
            lambda: (
                started(fault_policy=FaultPolicy(forfeit_after_absence_ms=2000)),
                Input(Seat.A, 4, 0, 0, Absence(1999)),
            ),
            "ABSENCE: an absence of 1999 ms, below 2000 ms, loses nothing",
        ),
        (
            lambda: (created(), Input(None, 0, 0, 0, Void(Termination.TIMEOUT, ""))),
            "VOID: TIMEOUT does not make a match void",
        ),
        (
            lambda: (created(), Input(None, 0, 0, 0, Void(Termination.VOID_ORGANISER, "x" * 201))),
            "VOID: the reason has more than 200 characters",
        ),
        (
            lambda: (started(), Input(Seat.B, 4, 0, 0, KEPT)),
            "SEAT: the input is about seat B, but seat A decides",
        ),
        (
            lambda: (started(), Input(None, 4, 0, 0, KEPT)),
            "SEAT: the input is about no seat, but seat A decides",
        ),
        (
            lambda: (started(), Input(None, 4, 0, 0, Resignation())),
            "SEAT: the input names no seat",
        ),
        (
            lambda: (created(), Input(Seat.A, 0, 0, 0, Start(b"", b""))),
            "SEAT: the input is about the match, but names a seat",
        ),
    ],
)
def test_refusal_says_what_is_wrong(refused: Callable[[], Refused], sentence: str) -> None:
    state, judged = refused()
    with pytest.raises(RulingRefused) as error:
        verify_try(state, judged) if isinstance(judged, RejectedTry) else adjudicate(state, judged)
    assert str(error.value) == sentence
    assert (error.value.check, error.value.message) == tuple(sentence.split(": ", 1))
