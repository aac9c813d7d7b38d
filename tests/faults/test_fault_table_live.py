"""Rows of the table of faults on a real socket: those of a session at every moment, each other one once."""

from collections.abc import Mapping

import pytest

from referee.adjudication.terms import FaultPolicy
from referee.rules.seats import SEATS, Seat
from referee.rules.state import Phase
from tests.faults.causes import CAUSES, PATIENT, Cause
from tests.faults.judging import check_consequence
from tests.faults.live_scene import live_scene
from tests.faults.positions import Way
from tests.faults.rows import Row, rows
from tests.faults.scene import Moment
from tests.faults.session_causes import SESSION_CAUSES, SessionCause

# Each row at another moment than the one before it.
ONCE_A_ROW = [
    pytest.param(row, cause, cause.moments[place % len(cause.moments)], SEATS[place % 2], id=str(row))
    for place, row in enumerate(rows())
    if (cause := CAUSES.get(row.key)) is not None
]
OF_SESSIONS = [
    pytest.param(row, of_session, moment, seat, id=f"{row}-{moment}-{seat.name}")
    for row in rows()
    if (of_session := SESSION_CAUSES.get(row.key)) is not None
    for moment in of_session.moments
    for seat in SEATS
]


@pytest.mark.parametrize(("row", "cause", "moment", "seat"), ONCE_A_ROW)
async def test_fault_on_a_socket_has_the_consequence_of_its_row(
    row: Row, cause: Cause, moment: Moment, seat: Seat, all_ways: Mapping[tuple[Phase, Seat], Way]
) -> None:
    async with live_scene(all_ways, moment, seat, cause.control, cause.policy) as scene:
        entries_before = len(await scene.entries())
        answers = await cause.happen(scene)
        await check_consequence(row, scene, entries_before, answers)


@pytest.mark.parametrize(("row", "cause", "moment", "seat"), OF_SESSIONS)
async def test_fault_of_a_session_has_the_consequence_of_its_row(
    row: Row, cause: SessionCause, moment: Moment, seat: Seat, all_ways: Mapping[tuple[Phase, Seat], Way]
) -> None:
    async with live_scene(all_ways, moment, seat, PATIENT, FaultPolicy()) as scene:
        entries_before = len(await scene.entries())
        answers = await cause.happen(scene)
        await check_consequence(row, scene, entries_before, answers)
