"""Every row of the table of faults, for both seats, at every moment at which it can come true."""

from collections.abc import Mapping

import pytest

from referee.rules.seats import SEATS, Seat
from referee.rules.state import Phase
from tests.faults.causes import CAUSES, Cause
from tests.faults.fake_scene import set_up
from tests.faults.judging import check_consequence
from tests.faults.positions import QUESTIONS, Way
from tests.faults.rows import Row, rows
from tests.faults.scene import Moment
from tests.faults.session_causes import SESSION_CAUSES
from tests.match.table import Table

CASES = [
    pytest.param(row, cause, moment, seat, id=f"{row}-{moment}-{seat.name}")
    for row in rows()
    if (cause := CAUSES.get(row.key)) is not None
    for moment in cause.moments
    for seat in SEATS
]


def test_every_row_has_a_cause_and_every_cause_a_row() -> None:
    assert {row.key for row in rows()} == CAUSES.keys() | SESSION_CAUSES.keys()
    assert len({str(row) for row in rows()}) == len(rows())


def test_every_question_is_reached(all_ways: Mapping[tuple[Phase, Seat], Way]) -> None:
    assert all_ways.keys() == set(QUESTIONS)


@pytest.mark.parametrize(("row", "cause", "moment", "seat"), CASES)
async def test_fault_has_the_consequence_of_its_row(
    row: Row, cause: Cause, moment: Moment, seat: Seat, all_ways: Mapping[tuple[Phase, Seat], Way]
) -> None:
    table = Table()
    await table.open()
    scene = await set_up(table, all_ways, moment, seat, cause.control, cause.policy)
    entries_before = len(await scene.entries())
    answers = await cause.happen(scene)
    await check_consequence(row, scene, entries_before, answers)
    await table.close()
