"""Answers that came for no open decision, and refusals: what a journal has of them must be what the log says."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import product

import pytest
from unoduo.v1 import action_pb2
from unoduo.v1.card_pb2 import COLOR_RED

from referee.adjudication.inputs import ActionTaken, Expired, Resignation, Resume
from referee.adjudication.rulings import ResumeReason
from referee.audit.journals import LONGER_THAN_FILE
from referee.audit.report import Report, Status
from referee.audit.verify import Evidence, verify
from referee.codec.entries import Entry
from referee.rules.seats import Seat
from tests.audit.journaled import Record, joined, journal_file, journal_of, place_of, record
from tests.audit.simulated import Log, Simulation, play
from tests.audit.tampering import honest, troubled

EXPIRED, ANSWERED, NOT_OPEN, CONFLICT = REASONS = (1, 2, 3, 4)
DRAW = action_pb2.Action(draw=action_pb2.Draw())
OTHER = action_pb2.Action(choose_color=action_pb2.ChooseColor(color=COLOR_RED))


def judged(log: Log, records: list[Record]) -> Report:
    return verify(BytesIO(log.to_bytes()), Evidence(journals=(BytesIO(journal_file(records)),)))


def assert_told(report: Report, message: str) -> None:
    assert (report.status, report.check) == (Status.WRONG, "RESULT"), report
    assert message in report.message


def exchange(decision_id: int, action_id: str, action: action_pb2.Action, reason: int) -> list[Record]:
    """Returns an action and the stale answer to it."""
    names = {"decision_id": decision_id, "action_id": action_id}
    return [
        record(action={**names, "action": action}),
        record(action_result={**names, "stale": {"reason": reason}}),
    ]


def observed(records: list[Record], entry: Entry) -> int:
    """Returns the place behind the observation of an entry."""
    return next(
        place
        for place, record in enumerate(records, 1)
        if record.HasField("observation") and record.observation.sequence == entry.last_sequence
    )


def entry_of(log: Log, seat: Seat, kind: type) -> Entry:
    """Returns an entry of the middle of a match that closed a decision of a seat by such an input."""
    return next(
        entry
        for entry in log.entries
        if entry.index > 30 and entry.input.seat is seat and isinstance(entry.input.kind, kind)
    )


def inserted(log: Log, place: int, added: list[Record], seat: Seat = Seat.A) -> list[Record]:
    records = journal_of(log, seat)
    records[place:place] = added
    return records


def taken_id(entry: Entry) -> str:
    assert isinstance(entry.input.kind, ActionTaken)
    return entry.input.kind.action_id


@cache
def closed(case: str) -> tuple[Log, Entry, str, int]:
    """Returns a log, the entry that closed a decision, the id of an action that came for it, and the reason due."""
    if case == "expired":
        entry = entry_of(troubled(), Seat.A, Expired)
        return troubled(), entry, "late", EXPIRED
    if case == "of the other seat":
        return honest(), entry_of(honest(), Seat.B, ActionTaken), "not mine", NOT_OPEN
    if case == "expired of the other seat":
        return troubled(), entry_of(troubled(), Seat.B, Expired), "not mine", NOT_OPEN
    entry = entry_of(honest(), Seat.A, ActionTaken)
    if case == "answered":
        return honest(), entry, "another", ANSWERED
    return honest(), entry, taken_id(entry), CONFLICT


@pytest.mark.parametrize("case", ["expired", "of the other seat", "expired of the other seat", "answered", "conflict"])
@pytest.mark.parametrize("reason", REASONS)
def test_stale_answer_needs_the_reason_that_the_log_gives(case: str, reason: int) -> None:
    log, entry, action_id, due = closed(case)
    records = journal_of(log, Seat.A)
    added = exchange(entry.input.decision_id, action_id, OTHER, reason)
    place = observed(records, entry)
    records[place:place] = added
    report = judged(log, records)
    if reason == due:
        assert report.status is Status.OK, report
    else:
        assert_told(report, f"but decision {entry.input.decision_id} was closed by entry {entry.index} otherwise")
        assert report.part == f"journal of seat A, record {place + 2}"


@pytest.mark.parametrize("reason", REASONS)
def test_action_that_was_taken_is_not_stale(reason: int) -> None:
    entry = entry_of(honest(), Seat.A, ActionTaken)
    records = journal_of(honest(), Seat.A)
    place = observed(records, entry)
    action = next(
        record.action for record in records if record.HasField("action") and record.action.action_id == taken_id(entry)
    )
    added = exchange(entry.input.decision_id, taken_id(entry), action.action, reason)
    assert_told(judged(honest(), inserted(honest(), place, added)), "otherwise")


@pytest.mark.parametrize("reason", REASONS)
def test_stale_answer_before_its_decision_was_closed_is_told(reason: int) -> None:
    entry = entry_of(troubled(), Seat.A, Expired)
    before = troubled().entries[entry.index - 2]
    records = journal_of(troubled(), Seat.A)
    place = observed(records, before)
    again = Record()
    again.CopyFrom(records[place - 1])
    del again.observation.events[:]
    added = exchange(entry.input.decision_id, "x", DRAW, reason)
    records[place:place] = [*added, again]
    report = judged(troubled(), records)
    late = f"was closed by entry {entry.index} otherwise" if reason == NOT_OPEN else "was not closed"
    assert_told(report, late)
    again.observation.caught_up = False
    # A page of history may be older than the answer before it.
    history = [*records[: place + 2], again, *records[place + 3 :]]
    assert (judged(troubled(), history).status is Status.OK) == (reason == EXPIRED)


@pytest.mark.parametrize("decision_id", [0, 10**6])
def test_decision_that_never_was_is_not_open(decision_id: int) -> None:
    for reason in REASONS:
        added = exchange(decision_id, "x", DRAW, reason)
        report = judged(honest(), inserted(honest(), place_of(journal_of(honest(), Seat.A), "action", 5), added))
        assert (report.status is Status.OK) == (reason == NOT_OPEN or (reason, decision_id) == (EXPIRED, 0)), report


@pytest.mark.parametrize(("make", "kind"), [(honest, ActionTaken), (troubled, Expired)])
def test_action_sent_before_its_decision_opened_may_have_found_it_not_open(make: Callable[[], Log], kind: type) -> None:
    log, entry = make(), entry_of(make(), Seat.A, kind)
    opened = observed(journal_of(log, Seat.A), log.entries[entry.index - 2])
    added = exchange(entry.input.decision_id, "x", DRAW, NOT_OPEN)
    assert judged(log, inserted(log, opened - 1, added)).status is Status.OK
    assert_told(judged(log, inserted(log, opened, added)), "otherwise")


def test_decision_that_was_open_when_a_seat_gave_up_may_have_expired_for_both() -> None:
    simulation = Simulation(1)
    simulation.start()
    for _ in range(40):
        simulation.act()
    assert simulation.state.decision
    asked = simulation.state.decision.seat
    simulation.take(replace(simulation.of_actor(Resignation()), seat=asked.other))
    log = simulation.log()
    for seat, reason in product(Seat, REASONS):
        added = exchange(log.entries[-1].input.decision_id, "x", DRAW, reason)
        report = judged(log, inserted(log, -1, added, seat))
        right = (EXPIRED,) if seat is asked else (EXPIRED, NOT_OPEN)
        assert (report.status is Status.OK) == (reason in right), (seat, reason, report)
        # Who was asked only the deal tells.
        hidden = judged(replace(log, reveal=None), inserted(log, -1, added, seat))
        assert (hidden.status is Status.WRONG) == (reason not in (EXPIRED, NOT_OPEN)), (seat, reason, hidden)


def test_without_the_deal_only_the_seats_that_inputs_name_are_judged() -> None:
    log = replace(troubled(), reveal=None)
    entry = entry_of(log, Seat.A, Expired)
    for reason in REASONS:
        added = exchange(entry.input.decision_id, "x", DRAW, reason)
        records = journal_of(log, Seat.A)
        records[observed(records, entry) : observed(records, entry)] = added
        assert (judged(log, records).status is Status.WRONG) == (reason != EXPIRED)


def test_stale_answer_behind_the_end_of_an_unsealed_file_leaves_it_incomplete() -> None:
    entry = entry_of(troubled(), Seat.A, Expired)
    cut = Log(troubled().header, troubled().entries[: entry.index - 1], None, None)
    records = journal_of(troubled(), Seat.A)[: observed(journal_of(troubled(), Seat.A), cut.entries[-1])]
    for reason in (EXPIRED, NOT_OPEN):
        report = judged(cut, [*records, *exchange(entry.input.decision_id, "x", DRAW, reason)])
        assert (report.status, LONGER_THAN_FILE in report.not_proven) == (Status.INCOMPLETE, True)


def test_stale_answer_that_ends_a_journal_is_judged_by_the_rest_of_the_file() -> None:
    log, entry, action_id, due = closed("expired")
    records = journal_of(log, Seat.A)[: observed(journal_of(log, Seat.A), log.entries[entry.index - 2])]
    for reason in REASONS:
        added = exchange(entry.input.decision_id, action_id, OTHER, reason)
        assert (judged(log, [*records, *added]).status is Status.OK) == (reason == due)


def test_answer_to_what_the_journal_does_not_have_is_held_against_nothing() -> None:
    log, entry, action_id, _ = closed("expired")
    records = journal_of(log, Seat.A)
    _, answer = exchange(entry.input.decision_id, action_id, OTHER, CONFLICT)
    records.insert(observed(records, entry), answer)
    assert judged(log, records).status is Status.OK


# Refusals and acceptances


def refused() -> tuple[list[Record], int]:
    """Returns a journal with refused tries, and the place of the answer to one."""
    records = journal_of(troubled(), Seat.A)
    return records, next(place for place, record in enumerate(records) if record.action_result.HasField("rejected"))


def with_other_clause(records: list[Record], place: int) -> None:
    records[place].action_result.rejected.clause = "R1.1"


def repeated_when_closed(records: list[Record], place: int) -> None:
    behind = next(at for at in range(place, len(records)) if records[at].HasField("observation"))
    records[behind + 1 : behind + 1] = records[place - 1 : place + 1]


@pytest.mark.parametrize(
    ("edit", "message"),
    [(with_other_clause, "not among the tries of entry"), (repeated_when_closed, "while its decision was closed")],
)
def test_refusal_that_the_log_does_not_have_is_told(edit: Callable[[list[Record], int], None], message: str) -> None:
    records, place = refused()
    assert judged(troubled(), records).status is Status.OK
    edit(records, place)
    assert_told(judged(troubled(), records), message)


@pytest.mark.parametrize("verdict", ["rejected", "accepted"])
def test_answer_that_came_twice_is_right(verdict: str) -> None:
    records = journal_of(troubled(), Seat.A)
    place = next(place for place, record in enumerate(records) if record.action_result.WhichOneof("verdict") == verdict)
    records.insert(place, records[place])
    assert judged(troubled(), records).status is Status.OK


def test_refusal_told_again_once_a_resumption_has_logged_it_is_right() -> None:
    simulation = Simulation(3)

    def step(simulation: Simulation) -> None:
        if simulation.state.entries == 40:
            simulation.try_illegal()
            assert simulation.state.decision
            resume = replace(simulation.of_actor(Resume(ResumeReason.RESTART)), seat=None)
            simulation.take(resume)
        else:
            simulation.act()

    log = play(simulation, step)
    attempt = log.entries[40].tries[0]
    records = journal_of(log, attempt.seat)
    place = observed(records, log.entries[40])
    answer = next(record for record in records if record.action_result.HasField("rejected"))
    records.insert(place, answer)
    assert judged(log, records).status is Status.OK
    later = observed(records, log.entries[41])
    records.insert(later, answer)
    assert_told(judged(log, records), "while its decision was closed")


def test_stale_answer_for_a_decision_that_a_resumption_left_open_is_told() -> None:
    simulation = Simulation(3)

    def step(simulation: Simulation) -> None:
        if simulation.state.entries == 40:
            simulation.take(replace(simulation.of_actor(Resume(ResumeReason.RESTART)), seat=None))
        else:
            simulation.act()

    log = play(simulation, step)
    closing = log.entries[41].input
    assert closing.seat is not None
    records = journal_of(log, closing.seat)
    place = observed(records, log.entries[40])
    again = Record()
    again.CopyFrom(records[place - 1])
    del again.observation.events[:]
    added = [*exchange(closing.decision_id, "x", DRAW, EXPIRED), again]
    assert_told(judged(log, inserted(log, place, added, closing.seat)), "was not closed")


def test_refusal_whose_entry_was_not_shown_is_not_looked_for() -> None:
    records, place = refused()
    with_other_clause(records, place)
    behind = next(at for at in range(place, len(records)) if records[at].HasField("observation"))
    later = behind + next(at for at, record in enumerate(records[behind + 1 :], 1) if record.HasField("observation"))
    del records[later].observation.events[:]
    rejoined = [*records[: place + 1], joined(troubled(), Seat.A), *records[later:]]
    assert judged(troubled(), rejoined).status is Status.OK
