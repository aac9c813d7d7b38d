"""Inputs and rejections that a referee may not rule are found, though every head is right."""

from dataclasses import replace
from io import BytesIO

import pytest

from referee.adjudication.errors import Check as RulingCheck
from referee.adjudication.inputs import ActionTaken, Input, NoShow, RejectedTry, RejectionLimit, Resignation, Start
from referee.adjudication.rulings import DealSealed
from referee.adjudication.terms import DealMode, ExpiryPolicy
from referee.audit.report import Check
from referee.audit.verify import verify
from referee.codec.entries import Entry
from referee.rules.actions import DRAW, Play
from referee.rules.cards import Card
from referee.rules.events import TurnStarted
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from tests.audit.simulated import Log, Simulation, play
from tests.audit.tampering import (
    Tampered,
    Tampering,
    assert_found,
    changed,
    entry_changed,
    entry_replaced,
    event_changed,
    first,
    honest,
    input_changed,
    is_fact,
    kind_changed,
    rejected,
    renumbered,
    state_before,
    timed_out,
    took_action,
    troubled,
    try_changed,
)

OTHER_START = Start(b"other", b"")


def played_in_turn(log: Log) -> Entry:
    """Returns an entry in which a seat played where it could have drawn."""
    return first(
        log,
        lambda entry: (
            isinstance(entry.input.kind, ActionTaken)
            and isinstance(entry.input.kind.action, Play)
            and is_fact(TurnStarted)(log.entries[entry.index - 2].events[-1])
        ),
    )


def legal_other_action(log: Log) -> Tampered:
    """Says that the seat drew, with the events of its play."""
    entry = played_in_turn(log)
    return kind_changed(lambda each: each is entry, ActionTaken("a", DRAW))(log)


def card_not_held(log: Log) -> Tampered:
    entry = played_in_turn(log)
    rules = state_before(log, entry).rules
    assert rules is not None
    card = next(card for card in Card if card.color and card not in rules.hands[rules.actor])
    return kind_changed(lambda each: each is entry, ActionTaken("a", Play((card,))))(log)


def entropy_changed(log: Log) -> Tampered:
    """Pretends other entropy all through, which makes another cut."""
    false, _ = event_changed(lambda event: isinstance(event, DealSealed), lambda _: DealSealed(b"other", b""))(log)
    return kind_changed(lambda entry: entry.index == 1, OTHER_START)(false)


def start_dropped(log: Log) -> Tampered:
    return renumbered(replace(log, entries=log.entries[1:])), "entry 1"


def entry_after_the_end(log: Log) -> Tampered:
    last = log.entries[-1]
    more = replace(last, input=Input(Seat.A, 0, 0, 0, Resignation()), events=last.events[-1:])
    return renumbered(replace(log, entries=[*log.entries, more])), f"entry {last.index + 1}"


def target_changed(log: Log) -> Tampered:
    """Pretends that the match was to go on."""
    false = replace(log, header=changed(log.header, ruleset=Ruleset(target=200)))
    return false, f"entry {log.entries[-1].index}"


def policy_changed(log: Log) -> Tampered:
    """Pretends that the first time-out was to lose."""
    policy = changed(log.header.fault_policy, on_expiry=ExpiryPolicy.FORFEIT)
    false = replace(log, header=replace(log.header, fault_policy=policy))
    return false, f"entry {first(log, timed_out).index}"


def legal_action_rejected(log: Log) -> Tampered:
    entry = first(log, took_action)
    kind, seat = entry.input.kind, entry.input.seat
    assert isinstance(kind, ActionTaken)
    assert seat is not None
    attempt = RejectedTry(seat, entry.input.decision_id, "try", kind.action, "R5.2")
    return entry_replaced(log, changed(entry, tries=(attempt,)))


def lost_by_rejection(entry: Entry) -> bool:
    return isinstance(entry.input.kind, RejectionLimit)


def seat_swapped(entry: Entry) -> dict[str, object]:
    assert entry.input.seat is not None
    return {"seat": entry.input.seat.other}


@pytest.mark.parametrize(
    ("tampering", "check", "clause"),
    [
        pytest.param(legal_other_action, Check.EVENTS, "R13.6", id="other action"),
        pytest.param(card_not_held, Check.ILLEGAL_ACTION, "R5.6", id="card not held"),
        pytest.param(input_changed(took_action, seat_swapped), RulingCheck.SEAT, None, id="other seat"),
        pytest.param(
            input_changed(took_action, lambda entry: {"decision_id": entry.input.decision_id - 1}),
            RulingCheck.DECISION,
            None,
            id="other decision",
        ),
        pytest.param(
            input_changed(took_action, lambda _: {"elapsed_ms": 10_001}), RulingCheck.CLOCK, None, id="late action"
        ),
        pytest.param(kind_changed(lambda entry: entry.index == 1, OTHER_START), Check.EVENTS, None, id="entropy"),
        pytest.param(entropy_changed, Check.EVENTS, "R13.6", id="entropy and its event"),
        pytest.param(start_dropped, RulingCheck.LIFECYCLE, None, id="no start"),
        pytest.param(entry_after_the_end, RulingCheck.LIFECYCLE, None, id="after the end"),
        pytest.param(target_changed, Check.EVENTS, "R13.6", id="other target"),
    ],
)
def test_false_input_is_found(tampering: Tampering, check: str, clause: str | None) -> None:
    assert_found(honest(), tampering, check, clause)


@pytest.mark.parametrize(
    ("tampering", "check"),
    [
        pytest.param(
            input_changed(timed_out, lambda entry: {"elapsed_ms": entry.input.elapsed_ms - 1}),
            RulingCheck.CLOCK,
            id="time-out too early",
        ),
        pytest.param(policy_changed, Check.EVENTS, id="other policy"),
        pytest.param(try_changed(lambda attempt: changed(attempt, clause="R1")), RulingCheck.TRY_CLAUSE, id="clause"),
        pytest.param(
            try_changed(lambda attempt: changed(attempt, seat=attempt.seat.other)), RulingCheck.DECISION, id="try seat"
        ),
        pytest.param(
            try_changed(lambda attempt: changed(attempt, decision_id=1)), RulingCheck.DECISION, id="try decision"
        ),
        pytest.param(legal_action_rejected, RulingCheck.TRY_CLAUSE, id="legal action rejected"),
    ],
)
def test_false_ruling_is_found(tampering: Tampering, check: str) -> None:
    assert_found(troubled(), tampering, check, None)


def another_try(entry: Entry) -> RejectedTry:
    return changed(entry.tries[-1], action_id="another try")


@pytest.mark.parametrize(
    "tampering",
    [
        pytest.param(
            entry_changed(lost_by_rejection, lambda entry: changed(entry, tries=entry.tries[1:])), id="try left out"
        ),
        pytest.param(kind_changed(lost_by_rejection, ActionTaken("a", DRAW)), id="action taken nevertheless"),
        pytest.param(
            entry_changed(lost_by_rejection, lambda entry: changed(entry, tries=(*entry.tries, another_try(entry)))),
            id="try too many",
        ),
        pytest.param(
            entry_changed(lost_by_rejection, lambda entry: changed(entry, tries=(*entry.tries[:-1], entry.tries[0]))),
            id="try counted twice",
        ),
    ],
)
def test_false_count_of_tries_is_found(tampering: Tampering) -> None:
    assert_found(rejected(), tampering, RulingCheck.TRIES, None)


@pytest.mark.parametrize("mode", [DealMode.SHARED, DealMode.GIVEN])
@pytest.mark.parametrize("start", [Start(b"x", b""), Start(b"", b"x")])
def test_entropy_in_a_deal_that_takes_none_is_found(mode: DealMode, start: Start) -> None:
    log = play(Simulation(1, Ruleset(target=1), deal_mode=mode))
    assert_found(log, kind_changed(lambda entry: entry.index == 1, start), RulingCheck.ENTROPY, None)


def test_no_show_within_the_grace_is_found() -> None:
    simulation = Simulation(1)
    simulation.take(Input(None, 0, 30_000, 0, NoShow((Seat.B,))))
    early = input_changed(lambda entry: True, lambda _: {"elapsed_ms": 29_999})
    assert_found(simulation.log(), early, RulingCheck.STARTUP_GRACE, None)


def test_false_entry_before_a_damaged_one_is_reported() -> None:
    false, part = card_not_held(honest())
    data = bytearray(false.resealed().to_bytes())
    data[-500] ^= 1
    report = verify(BytesIO(bytes(data)))
    assert (report.part, report.check) == (part, Check.ILLEGAL_ACTION)
