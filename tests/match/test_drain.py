"""A referee that goes down: nothing is judged any more, clocks stand, and the next one goes on."""

import pytest

from referee.adjudication.state import Lifecycle
from referee.match.faults import Fault, ProblemReason
from referee.rules.actions import KEEP_OFFERED
from referee.rules.seats import Seat
from tests.match.restarted import FRESH, back, log
from tests.match.table import Table, asked, other, settle


async def test_nothing_is_judged_any_more(table: Table) -> None:
    match, a, b = await table.started()
    waiting = await table.create(FRESH)
    c = await table.join(waiting, Seat.A)
    table.registry.drain()
    asked(a, b).act(KEEP_OFFERED)
    a.resign()
    c.ready(b"c")
    late = await table.join(match, Seat.B)
    table.clock.advance(600_000)
    await settle()
    assert [*a.problems, *b.problems] == ["DRAINING"] * 2
    assert c.problems == late.problems == ["DRAINING"]
    assert late.port.ends == [1]
    assert len(await log(table, match)) == 1
    assert await log(table, waiting) == []
    for call in (table.create(), table.registry.void(match.row, "now")):
        with pytest.raises(Fault) as refused:
            await call
        assert refused.value.reason is ProblemReason.DRAINING


async def test_action_that_is_being_stored_is_still_answered_and_asks_nobody(table: Table) -> None:
    match, a, b = await table.started()
    one = asked(a, b)
    table.store.freeze()
    one.act(KEEP_OFFERED)
    await settle()
    table.registry.drain()
    table.store.thaw()
    await settle()
    assert one.results[0].HasField("accepted")
    assert other(one, a, b).decision is None
    table.clock.advance(600_000)
    await settle()
    assert len(await log(table, match)) == 2
    await table.restart()
    a, b = await back(table, match)
    assert asked(a, b).seat is one.seat.other


async def test_match_that_ends_meanwhile_is_sealed(table: Table) -> None:
    match, a, _ = await table.started()
    a.resign()
    table.registry.drain()
    await settle()
    assert a.ended is not None
    assert table.actor(match).lifecycle is Lifecycle.ENDED
    row = await table.store.read_match(match.row.number)
    assert row is not None
    assert row.ended


async def test_store_that_stands_still_keeps_nobody_from_closing(table: Table) -> None:
    match = await table.create(FRESH)
    a = await table.join(match, Seat.A)
    table.store.freeze()
    a.ready(b"a")
    await settle()
    table.registry.drain()
    await table.registry.close()
    assert a.port.of("ready_accepted") == []
