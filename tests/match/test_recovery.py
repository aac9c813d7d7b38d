"""Matches that cannot be played on: they end VOID_REFEREE, and nobody is blamed."""

from io import BytesIO
from typing import Any

import pytest
from unoduo.v1 import match_pb2

from referee.adjudication.inputs import Void
from referee.audit.report import Status
from referee.audit.verify import verify
from referee.match.registry import CreatedMatch
from referee.rules.actions import KEEP_OFFERED
from referee.rules.outcome import Termination
from referee.rules.seats import Seat
from referee.store.errors import StoreGivenUp
from referee.store.memory import MemoryStore
from tests.match.restarted import FRESH, last_entry, log, proof
from tests.match.table import Sitter, Table, asked, settle


async def _given_up(table: Table) -> tuple[CreatedMatch, Sitter]:
    """Returns a match of which an entry could not be stored, and the seat whose action it was."""
    match, a, b = await table.started(FRESH)
    one = asked(a, b)
    table.store.freeze()
    one.act(KEEP_OFFERED)
    await settle()
    table.store.give_up()
    await settle()
    return match, one


async def _later(table: Table, ms: int) -> None:
    table.clock.advance(ms)
    await settle()
    await settle()


async def test_match_that_was_given_up_ends_void_when_the_store_takes_it(table: Table) -> None:
    match, one = await _given_up(table)
    late = await table.join(match, one.seat)
    assert late.problems == ["MATCH_FROZEN"]
    await _later(table, 999)
    assert len(await log(table, match)) == 1
    await _later(table, 1)
    assert (await last_entry(table, match)).input.kind == Void(
        Termination.VOID_REFEREE, "the referee could not go on with it"
    )
    heir = await table.join(match, one.seat)
    await settle()
    assert heir.ended is not None
    assert heir.ended.outcome.termination == Termination.VOID_REFEREE.value
    assert list(heir.ended.outcome.faulted) == []
    heir.act(KEEP_OFFERED, decision_id=4)
    await settle()
    assert heir.results[0].HasField("stale")
    report = verify(BytesIO(await proof(table, match)))
    assert report.status is Status.OK


async def test_tries_follow_each_other_ever_more_slowly(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    match, _ = await _given_up(table)
    tries: list[int] = []

    async def fails(*_: object) -> Any:
        tries.append(table.clock.now_ms())
        raise StoreGivenUp("full")

    begin_ms = table.clock.now_ms()
    with monkeypatch.context() as patch:
        patch.setattr(table.store, "read_secrets", fails)
        for _ in range(250):
            await _later(table, 1_000)
    waits = [later - earlier for earlier, later in zip([begin_ms, *tries], tries, strict=False)]
    assert waits == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]
    assert table.registry.open_matches == 0
    await _later(table, 60_000)
    (summary,) = await table.registry.list_matches(0, 10)
    assert summary.lifecycle == match_pb2.LIFECYCLE_ENDED
    assert match.row.number == summary.number


@pytest.mark.sources
async def test_match_with_a_bug_ends_void_and_costs_no_other_anything(table: Table) -> None:
    match, a, b = await table.started(FRESH)
    _, c, d = await table.started(FRESH)
    table.actor(match)._live()._log.append = None  # type: ignore[assignment, method-assign]
    asked(a, b).act(KEEP_OFFERED)
    asked(c, d).act(KEEP_OFFERED)
    await _later(table, 1_000)
    assert (await last_entry(table, match)).events[0].termination is Termination.VOID_REFEREE  # type: ignore[union-attr]
    asked(c, d).act(KEEP_OFFERED)
    await settle()
    assert asked(c, d).decision is not None


async def test_match_with_a_bug_in_its_rebuilding_stays_frozen(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match, _ = await _given_up(table)
    with monkeypatch.context() as patch:
        patch.setattr("referee.match.rebuild.apply", None)
        await _later(table, 1_000)
    assert "cannot be made anew" in caplog.text
    await _later(table, 600_000)
    (summary,) = await table.registry.list_matches(0, 10)
    assert summary.lifecycle == match_pb2.LIFECYCLE_FROZEN
    await table.restart()
    one = await table.join(match, Seat.A)
    assert one.port.of("joined")[0].lifecycle == match_pb2.LIFECYCLE_FROZEN
    assert one.observations[-1].HasField("view")


async def test_matches_of_a_backup_end_void_before_anything_is_served(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await table.create(FRESH)
    playing, _, _ = await table.started(FRESH)
    resigned, a, _ = await table.started(FRESH)
    seal_match = table.store.seal_match

    async def fails(*_: object) -> Any:
        raise StoreGivenUp("full")

    monkeypatch.setattr(table.store, "seal_match", fails)
    a.resign()
    await settle()
    monkeypatch.setattr(table.store, "seal_match", seal_match)
    settled: list[bool] = []

    async def settle_restore() -> None:
        assert await table.store.unfinished() == []
        settled.append(True)

    monkeypatch.setattr(MemoryStore, "restored", property(lambda self: not settled))
    monkeypatch.setattr(table.store, "settle_restore", settle_restore)
    await table.restart()
    assert settled == [True]
    assert table.registry.open_matches == 0
    for match, termination in [
        (created, Termination.VOID_REFEREE),
        (playing, Termination.VOID_REFEREE),
        (resigned, Termination.RESIGNATION),
    ]:
        report = verify(BytesIO(await proof(table, match)))
        assert report.status is Status.OK
        assert report.outcome is not None
        assert report.outcome.termination is termination
    assert (await last_entry(table, playing)).input.kind == Void(
        Termination.VOID_REFEREE, "the referee was started from a backup"
    )
    await table.restart()
    assert (await table.create()).row.number == 4


async def test_backup_with_a_match_that_cannot_be_read_serves_the_others(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, _, _ = await table.started(FRESH)
    sound, _, _ = await table.started(FRESH)
    _, data = table.store._entries[broken.row.number][0]
    table.store._entries[broken.row.number][0] = bytes(32), data
    monkeypatch.setattr(MemoryStore, "restored", True)
    await table.restart()
    summaries = await table.registry.list_matches(0, 10)
    assert [summary.lifecycle for summary in summaries] == [match_pb2.LIFECYCLE_FROZEN, match_pb2.LIFECYCLE_ENDED]
    assert (await last_entry(table, sound)).events[0].termination is Termination.VOID_REFEREE  # type: ignore[union-attr]
