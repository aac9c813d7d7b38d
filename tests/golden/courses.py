"""What can happen in a match: each course leads a table from before the start to the end of the match."""

from collections.abc import Callable

from referee.adjudication.inputs import (
    Absence,
    Input,
    InputKind,
    NoShow,
    RejectionLimit,
    Resignation,
    Resume,
    Void,
)
from referee.adjudication.rulings import ResumeReason
from referee.rules.outcome import Termination
from referee.rules.seats import Seat
from tests.golden.table import Table

Course = Callable[[Table], None]

# Beyond the draft, and before any match ends.
_ENTRIES_BEFORE_THE_END = 20


def undisturbed(table: Table) -> None:
    """Both bots answer in time and legally."""
    table.match.start()
    _play_on(table, Table.act)


def slow(table: Table) -> None:
    """Answers come after the limit too, as late as bank and margin allow."""
    table.match.start()
    _play_on(table, lambda table: table.act_late() if table.dice.random() < 0.2 else table.act())


def sleepy(table: Table) -> None:
    """One decision in five is not answered in time."""
    table.match.start()
    _play_on(table, lambda table: table.expire() if table.dice.random() < 0.2 else table.act())


def asleep(table: Table) -> None:
    """No decision is ever answered."""
    table.match.start()
    _play_on(table, Table.expire)


def fumbling(table: Table) -> None:
    """Before most answers actions are rejected, up to as many as are allowed."""
    table.match.start()
    _play_on(table, _fumble)


def clumsy(table: Table) -> None:
    """A seat tries illegal actions until it loses by them."""
    _play_some(table)
    while not table.match.state.tries_exceeded:
        table.try_illegal()
    table.of_actor(RejectionLimit(), 1)


def interrupted(table: Table) -> None:
    """The referee is started again, and stands still, more than once; tries are rejected before and after."""
    table.match.start()
    reasons = list(ResumeReason)

    def step(table: Table) -> None:
        if table.dice.random() < 0.1:
            table.try_illegal()
            table.of_match(Resume(table.dice.choice(reasons)))
            table.try_illegal()
        table.act()

    _play_on(table, step)


def resigning(seat: Seat, entries: int = _ENTRIES_BEFORE_THE_END) -> Course:
    """Returns the course in which this seat gives up while the match is played, after so many entries."""
    return _ended_by(lambda table: _of_seat(table, seat, Resignation()), entries)


def resigning_at_once(table: Table) -> None:
    """Seat B gives up before the match has started."""
    _of_seat(table, Seat.B, Resignation())


def absent(seat: Seat) -> Course:
    """Returns the course in which this seat goes away and does not come back in time."""
    return _ended_by(
        lambda table: _of_seat(table, seat, Absence(table.match.header.fault_policy.forfeit_after_absence_ms))
    )


def no_show(*seats: Seat) -> Course:
    """Returns the course in which these seats never come."""
    return lambda table: table.of_match(NoShow(seats), table.match.header.time_control.startup_grace_ms)


def void_at_once(table: Table) -> None:
    """The organiser calls the match off before it has started."""
    table.of_match(Void(Termination.VOID_ORGANISER, "called off"))


def void(termination: Termination, reason: str) -> Course:
    """Returns the course in which the match is declared void while it is played."""
    return _ended_by(lambda table: table.of_match(Void(termination, reason)))


def _ended_by(end: Callable[[Table], None], entries: int = _ENTRIES_BEFORE_THE_END) -> Course:
    def course(table: Table) -> None:
        _play_some(table, entries)
        end(table)

    return course


def _play_some(table: Table, entries: int = _ENTRIES_BEFORE_THE_END) -> None:
    table.match.start()
    while len(table.match.entries) < entries:
        table.act()


def _play_on(table: Table, step: Callable[[Table], None]) -> None:
    while not table.is_over:
        step(table)


def _fumble(table: Table) -> None:
    for _ in range(table.dice.randint(0, table.match.header.fault_policy.rejection_limit)):
        table.try_illegal()
    table.act()


def _of_seat(table: Table, seat: Seat, kind: InputKind) -> None:
    decision = table.match.state.decision
    table.match.take(Input(seat, decision.decision_id if decision else 0, 0, 0, kind))
