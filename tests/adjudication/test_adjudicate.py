import pytest

from referee.adjudication.adjudicate import adjudicate
from referee.adjudication.apply import freeze, note_try
from referee.adjudication.errors import Check, RulingRefused
from referee.adjudication.inputs import (
    Absence,
    ActionTaken,
    Expired,
    Input,
    InputKind,
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
    Resigned,
    Resumed,
    ResumeReason,
    TimedOut,
    Voided,
)
from referee.adjudication.state import Lifecycle, MatchState
from referee.adjudication.terms import ExpiryPolicy, FaultPolicy, TimeControl
from referee.rules.actions import DRAW, KEEP_OFFERED, Play
from referee.rules.decide import begin, decide
from referee.rules.errors import IllegalAction
from referee.rules.events import Event, MatchEnded
from referee.rules.evolve import initial_state
from referee.rules.outcome import Outcome, Termination
from referee.rules.ruleset import DUO, Ruleset
from referee.rules.seats import SEATS, Seat
from tests.adjudication.positions import (
    act,
    actor,
    created,
    of_actor,
    of_match,
    reject,
    rules_of,
    shuffler_for,
    started,
    take,
    unchanged,
)

LIMIT_MS = TimeControl().limit_ms
KEPT = ActionTaken("a", KEEP_OFFERED)
# One input of each kind that holds wherever its lifecycle is right.
KINDS: dict[str, InputKind] = {
    "action": KEPT,
    "expired": Expired(),
    "rejection limit": RejectionLimit(),
    "start": Start(b"1", b"2"),
    "no-show": NoShow((Seat.B,)),
    "absence": Absence(5000),
    "resignation": Resignation(),
    "resume": Resume(ResumeReason.RESTART),
    "void": Void(Termination.VOID_REFEREE, "power cut"),
}
TAKEN = {
    Lifecycle.CREATED: {"start", "no-show", "resignation", "void"},
    Lifecycle.PLAYING: {"action", "expired", "rejection limit", "absence", "resignation", "resume", "void"},
    Lifecycle.FROZEN: {"resume", "void"},
    Lifecycle.ENDED: set[str](),
}


def ended(winner: Seat | None, termination: Termination, *faulted: Seat) -> Event:
    return Event(MatchEnded(Outcome(winner, termination, (0, 0), 0, faulted)))


def at(lifecycle: Lifecycle, policy: FaultPolicy | None = None) -> MatchState:
    if lifecycle is Lifecycle.CREATED:
        return created(fault_policy=policy)
    state = started(fault_policy=policy)
    if lifecycle is Lifecycle.FROZEN:
        freeze(state)
    elif lifecycle is Lifecycle.ENDED:
        take(state, of_match(state, Void(Termination.VOID_ORGANISER, "")))
    assert state.lifecycle is lifecycle
    return state


def refusal(state: MatchState, input: Input) -> Check:
    with unchanged(state), pytest.raises(RulingRefused) as refused:
        adjudicate(state, input)
    assert refused.value.message
    return refused.value.check


@pytest.mark.parametrize("lifecycle", Lifecycle)
@pytest.mark.parametrize("name", KINDS)
def test_input_is_taken_only_where_the_match_stands_for_it(name: str, lifecycle: Lifecycle) -> None:
    state = at(lifecycle, FaultPolicy(rejection_limit=1, forfeit_after_absence_ms=5000))
    kind = KINDS[name]
    elapsed = 0
    if name == "rejection limit" and state.decision:
        reject(state, 2)
    if name == "no-show":
        elapsed = 30_000
    if name == "expired":
        elapsed = LIMIT_MS + 1
    decides = name in ("action", "expired", "rejection limit")
    seat = actor(state) if decides and state.decision else Seat.A if name in ("absence", "resignation") else None
    input = of_match(state, kind, seat, elapsed)
    if name in TAKEN[lifecycle]:
        with unchanged(state):
            assert adjudicate(state, input)
    else:
        assert refusal(state, input) is Check.LIFECYCLE


@pytest.mark.parametrize("lifecycle", [Lifecycle.CREATED, Lifecycle.PLAYING, Lifecycle.FROZEN])
@pytest.mark.parametrize("name", KINDS)
def test_input_for_another_decision_is_refused(name: str, lifecycle: Lifecycle) -> None:
    if name not in TAKEN[lifecycle]:
        return
    state = at(lifecycle, FaultPolicy(forfeit_after_absence_ms=1))
    other_id = state.decision.decision_id + 1 if state.decision else 4
    assert refusal(state, Input(None, other_id, 0, 0, KINDS[name])) is Check.DECISION


def test_start_seals_the_deal_and_begins_the_match() -> None:
    state = created()
    with unchanged(state):
        events = adjudicate(state, of_match(state, Start(b"one", b"two")))
    assert events == [DealSealed(b"one", b"two"), *begin(initial_state(DUO, shuffler_for(b"one", b"two")))]


@pytest.mark.parametrize(("entropy_1", "entropy_2"), [(b"x" * 33, b""), (b"", b"x" * 33)])
def test_start_with_too_much_entropy_is_refused(entropy_1: bytes, entropy_2: bytes) -> None:
    state = created()
    assert adjudicate(state, of_match(state, Start(entropy_1[:32], entropy_2[:32])))
    assert refusal(state, of_match(state, Start(entropy_1, entropy_2))) is Check.ENTROPY


def test_action_causes_the_events_of_the_rules() -> None:
    state = started()
    expected = decide(rules_of(state), actor(state), KEEP_OFFERED)
    with unchanged(state):
        assert adjudicate(state, of_actor(state, KEPT)) == expected


def test_illegal_action_is_refused_by_the_rules() -> None:
    state = started()
    with unchanged(state), pytest.raises(IllegalAction) as refused:
        adjudicate(state, of_actor(state, ActionTaken("a", DRAW)))
    assert refused.value.clause


def test_action_of_the_other_seat_is_refused() -> None:
    state = started()
    assert refusal(state, of_match(state, KEPT, actor(state).other)) is Check.SEAT
    assert refusal(state, of_match(state, KEPT, None)) is Check.SEAT


@pytest.mark.parametrize("kind", [KEPT, RejectionLimit()])
def test_action_after_the_time_is_over_is_refused(kind: InputKind) -> None:
    state = started(TimeControl(bank_ms=70, margin_ms=5), FaultPolicy(rejection_limit=1))
    if isinstance(kind, RejectionLimit):
        reject(state, 2)
    last_ms = LIMIT_MS + 75
    assert adjudicate(state, of_actor(state, kind, last_ms))
    assert adjudicate(state, of_actor(state, kind, last_ms + 1, 1))
    assert refusal(state, of_actor(state, kind, last_ms + 1)) is Check.CLOCK


@pytest.mark.parametrize("kind", [KEPT, Expired()])
def test_nothing_but_the_loss_follows_the_last_rejected_try(kind: InputKind) -> None:
    state = started(fault_policy=FaultPolicy(rejection_limit=2))
    elapsed = LIMIT_MS + 1 if isinstance(kind, Expired) else 0
    reject(state, 2)
    assert adjudicate(state, of_actor(state, kind, elapsed))
    reject(state, 1)
    assert refusal(state, of_actor(state, kind, elapsed)) is Check.TRIES


def test_expiry_takes_the_default_action() -> None:
    state = started()
    seat = actor(state)
    with unchanged(state):
        events = adjudicate(state, of_actor(state, Expired(), LIMIT_MS + 1))
    assert events == [TimedOut(seat, 1, True), *decide(rules_of(state), seat, KEEP_OFFERED)]


def test_expiry_before_the_time_is_over_is_refused() -> None:
    state = started(TimeControl(bank_ms=70, margin_ms=5))
    last_ms = LIMIT_MS + 75
    assert refusal(state, of_actor(state, Expired(), last_ms)) is Check.CLOCK
    assert refusal(state, of_actor(state, Expired(), last_ms + 1, 1)) is Check.CLOCK
    assert adjudicate(state, of_actor(state, Expired(), last_ms + 1))


def test_expiry_of_the_seat_that_does_not_decide_is_refused() -> None:
    state = started()
    assert refusal(state, of_match(state, Expired(), actor(state).other, LIMIT_MS + 1)) is Check.SEAT


def test_expiry_forfeits_under_a_forfeiting_policy() -> None:
    state = started(TimeControl(bank_ms=70, margin_ms=5), FaultPolicy(on_expiry=ExpiryPolicy.FORFEIT))
    seat = actor(state)
    reading = ClockReading(LIMIT_MS + 90, 3, LIMIT_MS, 70, 5)
    assert adjudicate(state, of_actor(state, Expired(), LIMIT_MS + 90, 3)) == [
        TimedOut(seat, 1, False),
        Forfeited(seat, Termination.TIMEOUT, reading),
        ended(seat.other, Termination.TIMEOUT, seat),
    ]


@pytest.mark.parametrize("max_strikes", [1, 2, 3])
def test_expiry_forfeits_with_the_last_strike(max_strikes: int) -> None:
    state = started(fault_policy=FaultPolicy(max_strikes=max_strikes))
    silent = actor(state)
    for strike in range(1, max_strikes):
        assert take(state, of_actor(state, Expired(), LIMIT_MS + 1))[0] == TimedOut(silent, strike, True)
        # The other seat answers in time: strikes are counted for each seat alone.
        act(state)
    assert adjudicate(state, of_actor(state, Expired(), LIMIT_MS + 1)) == [
        TimedOut(silent, max_strikes, False),
        Forfeited(silent, Termination.TIMEOUT, ClockReading(LIMIT_MS + 1, 0, LIMIT_MS, 0, 0)),
        ended(silent.other, Termination.TIMEOUT, silent),
    ]


def test_expiry_without_a_strike_limit_never_forfeits() -> None:
    state = started(ruleset=Ruleset(round_cap=1))
    while state.outcome is None:
        events = take(state, of_actor(state, Expired(), LIMIT_MS + 1))
        assert not any(isinstance(event, Forfeited) for event in events)
    assert state.outcome.termination in (Termination.TARGET, Termination.ROUND_CAP)
    assert min(state.strikes) > 40


@pytest.mark.parametrize(
    ("seats", "winner"), [((Seat.A,), Seat.B), ((Seat.B,), Seat.A), (SEATS, None)], ids=["A", "B", "both"]
)
def test_no_show_forfeits_for_each_seat_that_never_joined(seats: tuple[Seat, ...], winner: Seat | None) -> None:
    state = created()
    with unchanged(state):
        events = adjudicate(state, of_match(state, NoShow(seats), elapsed_ms=30_000))
    assert events == [
        *(Forfeited(seat, Termination.NO_SHOW, None) for seat in seats),
        ended(winner, Termination.NO_SHOW, *seats),
    ]


@pytest.mark.parametrize("seats", [(), (Seat.B, Seat.A), (Seat.A, Seat.A)])
def test_no_show_of_no_seat_or_unordered_seats_is_refused(seats: tuple[Seat, ...]) -> None:
    state = created()
    assert refusal(state, of_match(state, NoShow(seats), elapsed_ms=30_000)) is Check.SEAT


def test_no_show_within_the_startup_grace_is_refused() -> None:
    state = created(TimeControl(startup_grace_ms=700))
    assert refusal(state, of_match(state, NoShow((Seat.A,)), elapsed_ms=699)) is Check.STARTUP_GRACE
    assert adjudicate(state, of_match(state, NoShow((Seat.A,)), elapsed_ms=700))


@pytest.mark.parametrize("seat", SEATS)
def test_absence_forfeits_for_either_seat(seat: Seat) -> None:
    state = started(fault_policy=FaultPolicy(forfeit_after_absence_ms=2000))
    assert adjudicate(state, of_match(state, Absence(2000), seat)) == [
        Forfeited(seat, Termination.DISCONNECT, 2000),
        ended(seat.other, Termination.DISCONNECT, seat),
    ]


def test_absence_within_the_policy_is_refused() -> None:
    state = started(fault_policy=FaultPolicy(forfeit_after_absence_ms=2000))
    assert refusal(state, of_match(state, Absence(1999), Seat.A)) is Check.ABSENCE
    patient = started()
    assert refusal(patient, of_match(patient, Absence(1_000_000), Seat.A)) is Check.ABSENCE


@pytest.mark.parametrize("limit", [1, 2, 10])
def test_rejection_limit_forfeits_with_the_try_after_the_last_allowed(limit: int) -> None:
    state = started(fault_policy=FaultPolicy(rejection_limit=limit))
    seat = actor(state)
    reject(state, limit)
    assert refusal(state, of_actor(state, RejectionLimit())) is Check.TRIES
    assert state.decision is not None
    # It is judged on the last try, whatever the earlier ones broke.
    note_try(state, RejectedTry(seat, state.decision.decision_id, "last", Play(()), "R5.5"))
    assert adjudicate(state, of_actor(state, RejectionLimit())) == [
        Forfeited(seat, Termination.ILLEGAL_ACTION, "R5.5"),
        ended(seat.other, Termination.ILLEGAL_ACTION, seat),
    ]


def test_rejection_limit_of_the_seat_that_does_not_decide_is_refused() -> None:
    state = started(fault_policy=FaultPolicy(rejection_limit=1))
    reject(state, 2)
    assert refusal(state, of_match(state, RejectionLimit(), actor(state).other)) is Check.SEAT


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("lifecycle", [Lifecycle.CREATED, Lifecycle.PLAYING])
def test_resignation_gives_the_match_to_the_other_seat_without_fault(lifecycle: Lifecycle, seat: Seat) -> None:
    state = at(lifecycle)
    # However long the seat thought about it.
    assert adjudicate(state, of_match(state, Resignation(), seat, 10 * LIMIT_MS)) == [
        Resigned(seat),
        ended(seat.other, Termination.RESIGNATION),
    ]


@pytest.mark.parametrize("reason", ResumeReason)
@pytest.mark.parametrize("lifecycle", [Lifecycle.PLAYING, Lifecycle.FROZEN])
def test_resume_says_why(lifecycle: Lifecycle, reason: ResumeReason) -> None:
    state = at(lifecycle)
    assert adjudicate(state, of_match(state, Resume(reason))) == [Resumed(reason)]


@pytest.mark.parametrize("termination", [Termination.VOID_ORGANISER, Termination.VOID_REFEREE])
@pytest.mark.parametrize("lifecycle", [Lifecycle.CREATED, Lifecycle.PLAYING, Lifecycle.FROZEN])
def test_void_has_no_winner_and_no_fault(lifecycle: Lifecycle, termination: Termination) -> None:
    state = at(lifecycle)
    assert adjudicate(state, of_match(state, Void(termination, "why"))) == [
        Voided(termination, "why"),
        ended(None, termination),
    ]


@pytest.mark.parametrize("termination", [each for each in Termination if not each.name.startswith("VOID")])
def test_void_by_another_termination_is_refused(termination: Termination) -> None:
    state = created()
    assert refusal(state, of_match(state, Void(termination, ""))) is Check.VOID


def test_void_with_a_long_reason_is_refused() -> None:
    state = created()
    assert adjudicate(state, of_match(state, Void(Termination.VOID_REFEREE, "r" * 200)))
    assert refusal(state, of_match(state, Void(Termination.VOID_REFEREE, "r" * 201))) is Check.VOID


@pytest.mark.parametrize(
    ("lifecycle", "kind"),
    [
        (Lifecycle.CREATED, Start(b"", b"")),
        (Lifecycle.CREATED, NoShow((Seat.A,))),
        (Lifecycle.PLAYING, Resume(ResumeReason.RESTART)),
        (Lifecycle.PLAYING, Void(Termination.VOID_REFEREE, "")),
    ],
)
def test_ruling_about_the_match_that_names_a_seat_is_refused(lifecycle: Lifecycle, kind: InputKind) -> None:
    state = at(lifecycle)
    assert refusal(state, of_match(state, kind, Seat.A, 30_000)) is Check.SEAT


@pytest.mark.parametrize("kind", [Absence(5000), Resignation()])
def test_ruling_about_a_seat_that_names_none_is_refused(kind: InputKind) -> None:
    state = at(Lifecycle.PLAYING, FaultPolicy(forfeit_after_absence_ms=5000))
    assert refusal(state, of_match(state, kind, None)) is Check.SEAT


def test_end_by_the_referee_counts_finished_rounds_only() -> None:
    state = started(ruleset=Ruleset(hand_size=1, target=1_000_000))
    for _ in range(5000):
        if rules_of(state).round == 3:
            break
        act(state)
    rules = rules_of(state)
    assert rules.round == 3
    assert sum(rules.totals) > 0
    (_, end) = adjudicate(state, of_match(state, Resignation(), Seat.B))
    assert end == Event(MatchEnded(Outcome(Seat.A, Termination.RESIGNATION, rules.totals, 2, ())))
