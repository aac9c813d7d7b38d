"""A match made anew from its log is the one that was live, at any moment."""

import asyncio
from dataclasses import fields, replace
from io import BytesIO
from random import Random

import pytest
from unoduo.v1 import match_pb2
from unoduo.v1 import session_pb2 as pb

from referee.adjudication.apply import freeze
from referee.adjudication.inputs import Resume
from referee.adjudication.state import Lifecycle, MatchState
from referee.adjudication.terms import FaultPolicy, TimeControl
from referee.audit.report import Status
from referee.audit.verify import verify
from referee.codec.actions import decode_action
from referee.codec.entries import decode_entry
from referee.codec.headers import decode_header
from referee.match.rebuild import BrokenLog, OtherRules, rebuild
from referee.match.registry import CreatedMatch
from referee.rules.actions import DRAW, KEEP_OFFERED
from referee.rules.seats import SEATS, Seat
from referee.rules.state import State
from tests.match.restarted import FRESH, GRACE_MS, back, log, proof
from tests.match.table import Sitter, Table, asked, settle


async def test_rebuilt_match_is_that_of_its_log(table: Table) -> None:
    match, a, b = await table.started(FRESH)
    for _ in range(40):
        asked(a, b).act()
        await settle()
    rebuilt = await rebuild(table.store, match.row, decode_header(match.row.header))
    rows = await log(table, match)
    assert [*rebuilt.ends][-1] == rebuilt.state.sequence
    assert (len(rebuilt.ends), rebuilt.head, rebuilt.readies) == (len(rows), rows[-1].head, (b"", b""))


async def test_log_whose_heads_do_not_fit_is_not_rebuilt(table: Table) -> None:
    match, _, _ = await table.started()
    head, data = table.store._entries[1][0]
    table.store._entries[1][0] = bytes(32), data
    with pytest.raises(BrokenLog, match="broken at entry 1"):
        await rebuild(table.store, match.row, table.actor(match).header)
    await table.restart()
    one = await table.join(match, Seat.A)
    assert one.port.kinds() == ["detached"] or one.problems == ["MATCH_FROZEN"]
    table.clock.advance(600_000)
    await settle()
    (summary,) = await table.registry.list_matches(0, 10)
    assert summary.lifecycle == match_pb2.LIFECYCLE_FROZEN
    table.store._entries[1][0] = head, data
    await table.restart()
    a, b = await back(table, match)
    assert asked(a, b).decision is not None


async def test_match_of_other_rules_is_not_rebuilt(table: Table) -> None:
    match, _, _ = await table.started()
    header = replace(decode_header(match.row.header), rules_revision=2)
    with pytest.raises(OtherRules, match="match 1 was begun under revision 2 of the rules, not 1"):
        await rebuild(table.store, match.row, header)


@pytest.mark.parametrize("seed", range(12))
async def test_match_restarted_at_any_moment_ends_with_a_log_that_verifies(table: Table, seed: int) -> None:
    dice = Random(seed)
    order = replace(
        FRESH,
        time_control=TimeControl(limit_ms=1_000, bank_ms=2_000, increment_ms=50),
        fault_policy=FaultPolicy(rejection_limit=3, forfeit_after_absence_ms=60_000),
    )
    match = await table.create(order)
    a, b = await back(table, match)
    a.ready(b"a")
    b.ready(b"b")
    await settle()
    accepted: dict[tuple[Seat, int, str], pb.ActionResult] = {}
    for _ in range(120):
        one = next((sitter for sitter in (a, b) if sitter.decision is not None), None)
        if one is not None and (decision := one.decision) is not None:
            luck = dice.random()
            if luck < 0.1:
                one.act(DRAW if decision.phase == 1 else KEEP_OFFERED)
            elif luck < 0.15:
                table.clock.advance(4_000)
            else:
                table.clock.advance(dice.randrange(1_200))
                one.act(decode_action(dice.choice(decision.legal)))
        for _ in range(dice.choice((0, 1, 2, 12))):
            await asyncio.sleep(0)
        for sitter in (a, b):
            for result in sitter.results:
                if result.HasField("accepted"):
                    accepted[sitter.seat, result.decision_id, result.action_id] = result
        if dice.random() < 0.15:
            stored = await log(table, match)
            await table.restart()
            a, b = await _some_way_back(table, match, dice)
            assert (await log(table, match))[: len(stored)] == stored
            await _check_state(table, match)
    await table.restart()
    a, b = await back(table, match)
    for _ in range(4):
        await settle()
    if a.ended is None:
        a.resign()
    await settle()
    assert table.registry.open_matches == 0
    report = verify(BytesIO(await proof(table, match)))
    assert report.status is Status.OK, report
    resumed = [decode_entry(row.data) for row in await log(table, match)]
    assert any(isinstance(entry.input.kind, Resume) for entry in resumed)
    heirs = dict(zip(SEATS, await back(table, match), strict=True))
    by_decision = {entry.input.decision_id: entry for entry in resumed if not isinstance(entry.input.kind, Resume)}
    for (seat, decision_id, action_id), result in accepted.items():
        action = by_decision[decision_id].input.kind.action  # type: ignore[union-attr]
        heirs[seat].act(action, decision_id=decision_id, action_id=action_id)
        for _ in range(4):
            await settle()
        assert heirs[seat].results[-1] == result


async def _some_way_back(table: Table, match: CreatedMatch, dice: Random) -> tuple[Sitter, Sitter]:
    """Lets both seats come back, in any order, or one of them or none in time."""
    seats = dice.sample(SEATS, 2)
    sitters = {}
    if dice.random() < 0.3:
        table.clock.advance(GRACE_MS + 1)
        await settle()
    for seat in seats:
        sitters[seat] = await table.join(match, seat)
        if dice.random() < 0.2:
            table.clock.advance(GRACE_MS + 1)
            await settle()
    await settle()
    return sitters[Seat.A], sitters[Seat.B]


async def _check_state(table: Table, match: CreatedMatch) -> None:
    """Checks that a match rebuilt now is the one that is live."""
    actor = table.actor(match)
    if actor.is_asleep or actor.is_sealed:
        return
    rebuilt = await rebuild(table.store, match.row, actor.header)
    live = actor._live().state
    if live.lifecycle is Lifecycle.FROZEN:
        freeze(rebuilt.state)
    assert said(rebuilt.state) == said(live)
    assert rebuilt.last_decision == actor._live().last_decision


def names_of(state: State | MatchState) -> list[str]:
    return [field.name for field in fields(state)]


def said(state: MatchState) -> tuple[object, ...]:
    """Returns all that a state holds but for its shuffler, of which there is another one after each restart."""
    rules = state.rules
    hidden = [] if rules is None else [(name, repr(getattr(rules, name))) for name in names_of(rules)]
    rest = [getattr(state, name) for name in names_of(state) if name not in {"rules", "shuffler_for"}]
    return (*((name, text) for name, text in hidden if name != "shuffler"), *rest)
