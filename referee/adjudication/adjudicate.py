"""What an input brings about: events, computed without changing the state (PROTOCOL.md, "Clocks", "Faults")."""

from typing import Final, assert_never

from referee.adjudication.clocks import allowed_ms, is_expired, used_ms
from referee.adjudication.errors import Check, RulingRefused
from referee.adjudication.inputs import (
    Absence,
    ActionTaken,
    Expired,
    Input,
    NoShow,
    RejectedTry,
    RejectionLimit,
    Resignation,
    Resume,
    Start,
    Void,
)
from referee.adjudication.rulings import (
    ClockReading,
    DealSealed,
    Forfeited,
    MatchEvent,
    Resigned,
    Resumed,
    TimedOut,
    Voided,
)
from referee.adjudication.state import Decision, Lifecycle, MatchState
from referee.adjudication.terms import ExpiryPolicy
from referee.rules import state as rules_state
from referee.rules.decide import begin, decide
from referee.rules.errors import IllegalAction
from referee.rules.events import Event, MatchEnded
from referee.rules.evolve import initial_state
from referee.rules.legality import default_action, verify
from referee.rules.outcome import Outcome, Termination
from referee.rules.seats import SEATS, Seat

LONGEST_ENTROPY: Final = 32
LONGEST_REASON: Final = 200

_VOID_TERMINATIONS: Final = (Termination.VOID_ORGANISER, Termination.VOID_REFEREE)
# The kinds of input that a match takes where it stands; a match that has ended takes none.
_TAKEN: Final = (
    (Lifecycle.CREATED, (Start, NoShow, Resignation, Void)),
    (Lifecycle.PLAYING, (ActionTaken, Expired, RejectionLimit, Absence, Resignation, Resume, Void)),
    (Lifecycle.FROZEN, (Resume, Void)),
)


def adjudicate(state: MatchState, input: Input) -> list[MatchEvent]:
    """Returns the events that an input causes, in order; the state is not touched.

    Raises:
        IllegalAction: if the rules refuse an action (RULES.md R13.3).
        RulingRefused: if the referee may not take this input now.
    """
    kind = input.kind
    _check_lifecycle(state, input)
    _check_decision_id(state, input)
    if isinstance(kind, ActionTaken):
        return _take_action(state, input, kind)
    if isinstance(kind, Expired):
        return _expire(state, input)
    if isinstance(kind, RejectionLimit):
        return _reject_for_good(state, input)
    if isinstance(kind, Start):
        return _start(state, input, kind)
    if isinstance(kind, NoShow):
        return _no_show(state, input, kind)
    if isinstance(kind, Absence):
        return _absence(state, input, kind)
    if isinstance(kind, Resignation):
        return _resign(state, input)
    if isinstance(kind, Resume):
        _no_seat(input)
        return [Resumed(kind.reason)]
    if isinstance(kind, Void):
        return _void(state, input, kind)
    assert_never(kind)


def verify_try(state: MatchState, attempt: RejectedTry) -> None:
    """Checks that a try was rightly rejected: sent for the open decision and refused by the rules with its clause.

    The same action under the same id is one try, however often it is sent (PROTOCOL.md, "Decisions and answers").

    Raises:
        RulingRefused: if it was not, if it was counted before, or if the seat had no try left before it.
    """
    decision = _open_decision(state)
    if attempt.seat is not decision.seat or attempt.decision_id != decision.decision_id:
        raise RulingRefused(
            Check.DECISION,
            f"a try of seat {attempt.seat.name} for decision {attempt.decision_id} stands where seat "
            f"{decision.seat.name} had decision {decision.decision_id} open",
        )
    if state.tries_exceeded:
        raise RulingRefused(Check.TRIES, "a try was judged after the one that lost the match")
    if any(known.action_id == attempt.action_id and known.action == attempt.action for known in state.tries):
        raise RulingRefused(Check.TRIES, f"the try {attempt.action_id!r} was counted twice")
    try:
        verify(_rules(state), attempt.seat, attempt.action)
    except IllegalAction as refusal:
        if refusal.clause != attempt.clause:
            message = f"a try was rejected by {attempt.clause!r}, but what it breaks is {refusal.clause}"
            raise RulingRefused(Check.TRY_CLAUSE, message) from None
    else:
        raise RulingRefused(Check.TRY_CLAUSE, f"a legal action was rejected by {attempt.clause!r}")


def _check_lifecycle(state: MatchState, input: Input) -> None:
    for lifecycle, kinds in _TAKEN:
        if state.lifecycle is lifecycle and isinstance(input.kind, kinds):
            return
    raise RulingRefused(
        Check.LIFECYCLE, f"a match that is {state.lifecycle.name} does not take {type(input.kind).__name__}"
    )


def _check_decision_id(state: MatchState, input: Input) -> None:
    open_id = state.decision.decision_id if state.decision else 0
    if input.decision_id != open_id:
        raise RulingRefused(
            Check.DECISION, f"the input names decision {input.decision_id}, open is {open_id or 'none'}"
        )


def _take_action(state: MatchState, input: Input, kind: ActionTaken) -> list[MatchEvent]:
    decision = _decision_of_seat(state, input)
    if state.tries_exceeded:
        raise RulingRefused(Check.TRIES, "an action was taken after the rejected try that lost the match")
    _check_in_time(state, input, decision)
    return [*decide(_rules(state), decision.seat, kind.action)]


def _expire(state: MatchState, input: Input) -> list[MatchEvent]:
    decision = _decision_of_seat(state, input)
    seat = decision.seat
    bank = state.banks[seat]
    time_control, policy = state.terms.time_control, state.terms.fault_policy
    if not is_expired(time_control, bank, input.elapsed_ms, input.lag_credit_ms):
        raise RulingRefused(
            Check.CLOCK,
            f"{used_ms(input.elapsed_ms, input.lag_credit_ms)} ms were used and "
            f"{allowed_ms(time_control, bank)} ms allowed: no time-out",
        )
    if state.tries_exceeded:
        raise RulingRefused(Check.TRIES, "a time-out was ruled after the rejected try that lost the match")
    strikes = state.strikes[seat] + 1
    struck_out = 0 < policy.max_strikes <= strikes
    if policy.on_expiry is ExpiryPolicy.DEFAULT_ACTION and not struck_out:
        rules = _rules(state)
        return [TimedOut(seat, strikes, True), *decide(rules, seat, default_action(rules))]
    reading = ClockReading(input.elapsed_ms, input.lag_credit_ms, time_control.limit_ms, bank, time_control.margin_ms)
    return [TimedOut(seat, strikes, False), *_forfeit(state, seat, Termination.TIMEOUT, reading)]


def _reject_for_good(state: MatchState, input: Input) -> list[MatchEvent]:
    decision = _decision_of_seat(state, input)
    limit = state.terms.fault_policy.rejection_limit
    if not state.tries_exceeded:
        raise RulingRefused(Check.TRIES, f"rejected tries: {len(state.tries)}, allowed: {limit}")
    _check_in_time(state, input, decision)
    return _forfeit(state, decision.seat, Termination.ILLEGAL_ACTION, state.tries[-1].clause)


def _start(state: MatchState, input: Input, kind: Start) -> list[MatchEvent]:
    _no_seat(input)
    if max(len(kind.entropy_1), len(kind.entropy_2)) > LONGEST_ENTROPY:
        raise RulingRefused(Check.ENTROPY, f"entropy has at most {LONGEST_ENTROPY} bytes")
    shuffler = state.shuffler_for(kind.entropy_1, kind.entropy_2)
    return [DealSealed(kind.entropy_1, kind.entropy_2), *begin(initial_state(state.terms.ruleset, shuffler))]


def _no_show(state: MatchState, input: Input, kind: NoShow) -> list[MatchEvent]:
    _no_seat(input)
    if kind.seats not in ((Seat.A,), (Seat.B,), SEATS):
        raise RulingRefused(Check.SEAT, "a no-show names one seat or both, ascending")
    waited_ms = used_ms(input.elapsed_ms, input.lag_credit_ms)
    grace_ms = state.terms.time_control.startup_grace_ms
    if waited_ms < grace_ms:
        raise RulingRefused(Check.STARTUP_GRACE, f"{waited_ms} ms had passed of a start-up grace of {grace_ms} ms")
    winner = kind.seats[0].other if len(kind.seats) == 1 else None
    return [
        *(Forfeited(seat, Termination.NO_SHOW, None) for seat in kind.seats),
        _end(state, winner, Termination.NO_SHOW, kind.seats),
    ]


def _absence(state: MatchState, input: Input, kind: Absence) -> list[MatchEvent]:
    seat = _some_seat(input)
    allowed = state.terms.fault_policy.forfeit_after_absence_ms
    if allowed == 0:
        raise RulingRefused(Check.ABSENCE, "under this policy no absence loses the match")
    if kind.absence_ms < allowed:
        raise RulingRefused(Check.ABSENCE, f"an absence of {kind.absence_ms} ms, below {allowed} ms, loses nothing")
    return _forfeit(state, seat, Termination.DISCONNECT, kind.absence_ms)


def _resign(state: MatchState, input: Input) -> list[MatchEvent]:
    seat = _some_seat(input)
    # Giving up is a seat's right, not a fault.
    return [Resigned(seat), _end(state, seat.other, Termination.RESIGNATION, ())]


def _void(state: MatchState, input: Input, kind: Void) -> list[MatchEvent]:
    _no_seat(input)
    if kind.termination not in _VOID_TERMINATIONS:
        raise RulingRefused(Check.VOID, f"{kind.termination.name} does not make a match void")
    if len(kind.reason) > LONGEST_REASON:
        raise RulingRefused(Check.VOID, f"the reason has more than {LONGEST_REASON} characters")
    return [Voided(kind.termination, kind.reason), _end(state, None, kind.termination, ())]


def _forfeit(
    state: MatchState, seat: Seat, termination: Termination, judged_on: str | ClockReading | int
) -> list[MatchEvent]:
    return [Forfeited(seat, termination, judged_on), _end(state, seat.other, termination, (seat,))]


def _end(state: MatchState, winner: Seat | None, termination: Termination, faulted: tuple[Seat, ...]) -> Event:
    """Returns the end of a match that the referee ends: totals and rounds are those of the finished rounds."""
    rules = state.rules
    totals, rounds = (rules.totals, rules.round - 1) if rules else ((0, 0), 0)
    return Event(MatchEnded(Outcome(winner, termination, totals, rounds, faulted)))


def _check_in_time(state: MatchState, input: Input, decision: Decision) -> None:
    time_control, bank = state.terms.time_control, state.banks[decision.seat]
    if is_expired(time_control, bank, input.elapsed_ms, input.lag_credit_ms):
        raise RulingRefused(
            Check.CLOCK,
            f"the action came after {used_ms(input.elapsed_ms, input.lag_credit_ms)} ms, "
            f"{allowed_ms(time_control, bank)} ms were allowed",
        )


def _decision_of_seat(state: MatchState, input: Input) -> Decision:
    decision = _open_decision(state)
    if input.seat is not decision.seat:
        raise RulingRefused(
            Check.SEAT, f"the input is about {_named(input.seat)}, but seat {decision.seat.name} decides"
        )
    return decision


def _open_decision(state: MatchState) -> Decision:
    if state.decision is None:
        raise RulingRefused(Check.DECISION, "no decision is open")
    return state.decision


def _some_seat(input: Input) -> Seat:
    if input.seat is None:
        raise RulingRefused(Check.SEAT, "the input names no seat")
    return input.seat


def _no_seat(input: Input) -> None:
    if input.seat is not None:
        raise RulingRefused(Check.SEAT, "the input is about the match, but names a seat")


def _named(seat: Seat | None) -> str:
    return "no seat" if seat is None else f"seat {seat.name}"


def _rules(state: MatchState) -> rules_state.State:
    # A decision is open only while a match is played.
    assert state.rules is not None
    return state.rules
