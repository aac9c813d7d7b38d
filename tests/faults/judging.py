"""Compares what a fault has brought about with the row of the table that is about it."""

from io import BytesIO

from referee.adjudication.rulings import Forfeited, Resigned, TimedOut
from referee.audit.report import Status
from referee.audit.verify import verify
from referee.rules.events import MatchEnded
from referee.rules.outcome import Outcome
from referee.rules.seats import SEATS, Seat
from tests.faults.rows import FAULTS, THAT_SEAT, Row
from tests.faults.scene import Scene, rulings_of


async def check_consequence(row: Row, scene: Scene, entries_before: int, answers: list[str]) -> None:
    """Checks what stands in the log since, what the seats were told, and what a verifier finds."""
    rulings = rulings_of((await scene.entries())[entries_before:])
    assert tuple(name for name, _ in rulings) == row.rulings
    assert frozenset(answers) == row.answers
    # The rival hears of nothing but that the match stands still.
    assert set(scene.told(scene.rival)) <= row.answers & {"MATCH_FROZEN"}
    _check_blame(row, scene, [ruling for _, ruling in rulings])

    # Nothing above is what an honest verifier would not find by itself.
    report = verify(BytesIO(await scene.finish()))
    assert report.status is Status.OK, report
    assert report.outcome is not None
    if row.termination is not None:
        assert report.outcome.termination is row.termination
        assert report.outcome == _outcome(rulings[-1][1])
    else:
        assert report.outcome.faulted == ()
    ends = [name for name, _ in rulings_of(await scene.entries()) if name == "MatchEnded"]
    assert ends == ["MatchEnded"]


def _check_blame(row: Row, scene: Scene, rulings: list[object]) -> None:
    assert row.fault in FAULTS
    about = {ruling.seat for ruling in rulings if isinstance(ruling, (TimedOut, Forfeited, Resigned))}
    assert about <= (set(SEATS) if row.fault == "both" else {scene.culprit})
    if row.termination is None:
        return
    outcome = _outcome(rulings[-1])
    faulted: tuple[Seat, ...] = {"both": SEATS, THAT_SEAT: (scene.culprit,)}.get(row.fault, ())
    assert outcome.faulted == faulted
    assert outcome.winner is (scene.rival if row.has_winner else None)


def _outcome(fact: object) -> Outcome:
    assert isinstance(fact, MatchEnded)
    return fact.outcome
