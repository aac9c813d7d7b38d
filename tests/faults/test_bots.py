"""A bot that misbehaves, against a good one: one outcome, nobody else blamed, no other match concerned."""

import asyncio
from dataclasses import dataclass
from io import BytesIO

import pytest
from unoduo.v1 import match_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.audit.report import Status
from referee.audit.verify import verify
from referee.rules.outcome import Outcome, Termination
from referee.rules.seats import SEATS, Seat
from tests.faults import bots
from tests.faults.bots import Bot, dying
from tests.faults.rows import rows
from tests.server.wire import PATIENCE_S, Referee, referee

LIMIT_MS = 1_000
ABSENCE_MS = 500
FORFEIT = match_pb2.FaultPolicy(on_expiry=match_pb2.EXPIRY_POLICY_FORFEIT, rejection_limit=3)
# Time-outs take the default action, so that only the absence ends the match.
ABSENT = match_pb2.FaultPolicy(forfeit_after_absence_ms=ABSENCE_MS)


@dataclass(frozen=True)
class Case:
    """Holds a bot, on what policy it plays, the row of the table that ends its match, and what it is told.

    Without a row the match ends as every match does.
    """

    bot: type[Bot]
    policy: match_pb2.FaultPolicy
    row: tuple[str, str] | None
    told: frozenset[str] = frozenset()


_SILENCE = ("no answer in time", "`FORFEIT`")
_ABSENCE = ("a seat is away for `forfeit_after_absence_ms`", "above 0")
CASES = {
    "silent": Case(bots.Silent, FORFEIT, _SILENCE),
    "late": Case(bots.Late, FORFEIT, _SILENCE),
    "garbage": Case(bots.Garbage, ABSENT, _ABSENCE),
    "malformed": Case(bots.MalformedItems, FORFEIT, _SILENCE, frozenset({"FIELD_INVALID"})),
    "illegal": Case(bots.Illegal, FORFEIT, ("a rejected try beyond `rejection_limit`", "any")),
    "wrong decision": Case(bots.WrongDecision, FORFEIT, _SILENCE, frozenset({"STALE_REASON_NOT_OPEN"})),
    "double answer": Case(bots.DoubleAnswer, FORFEIT, None, frozenset({"STALE_REASON_ANSWERED"})),
    "flood": Case(bots.Flood, FORFEIT, None, frozenset({"INBOX_FULL"})),
    "half-close": Case(bots.HalfClose, FORFEIT, _SILENCE),
    "cancel": Case(bots.Cancel, ABSENT, _ABSENCE),
    "never reads": Case(bots.NeverReads, FORFEIT, _SILENCE),
    "two sessions": Case(bots.TwoSessions, FORFEIT, None, frozenset({"DETACH_REASON_REPLACED"})),
    "crash at start": Case(dying("start"), ABSENT, _ABSENCE),
    "crash on turn": Case(dying("turn"), ABSENT, _ABSENCE),
    "crash at the end": Case(dying("end"), ABSENT, None),
    "two processes": Case(dying("never", "never"), FORFEIT, None),
}


async def _create(host: Referee, policy: match_pb2.FaultPolicy) -> pb.CreateMatchResponse:
    # A process needs its time to come up.
    control = match_pb2.TimeControl(limit_ms=LIMIT_MS, startup_grace_ms=6_000)
    return await host.create(time_control=control, fault_policy=policy)


async def _outcome(host: Referee, match: pb.CreateMatchResponse) -> Outcome:
    report = verify(BytesIO(await host.replay(match.match_id)))
    assert report.status is Status.OK
    assert report.outcome is not None
    return report.outcome


async def _against_a_good_one(host: Referee, case: Case, seat: Seat) -> None:
    match = await _create(host, case.policy)
    address = host.running.address
    culprit, good = case.bot(address, match, seat + 1, LIMIT_MS), Bot(address, match, seat.other + 1, LIMIT_MS)
    misbehaving = asyncio.create_task(culprit.play())
    await good.play()
    if culprit.ended is None:
        await asyncio.wait({misbehaving}, timeout=1)
    misbehaving.cancel()
    await asyncio.wait({misbehaving})
    assert misbehaving.cancelled() or misbehaving.exception() is None

    assert good.ended is not None
    assert good.told == []
    assert case.told <= set(culprit.told)
    outcome = await _outcome(host, match)
    if case.row is None:
        assert (outcome.termination, outcome.faulted) == (Termination.TARGET, ())
        return
    (row,) = [row for row in rows() if row.key == case.row]
    assert (outcome.termination, outcome.winner, outcome.faulted) == (row.termination, seat.other, (seat,))


async def _undisturbed(host: Referee) -> None:
    match = await _create(host, FORFEIT)
    await asyncio.gather(*[Bot(host.running.address, match, seat + 1, LIMIT_MS).play() for seat in SEATS])
    outcome = await _outcome(host, match)
    assert (outcome.termination, outcome.faulted) == (Termination.TARGET, ())


@pytest.mark.parametrize("name", CASES)
async def test_bot_that_misbehaves_loses_by_its_own_fault_or_by_the_cards(name: str) -> None:
    async with referee() as host, asyncio.timeout(2 * PATIENCE_S):
        await asyncio.gather(*[_against_a_good_one(host, CASES[name], seat) for seat in SEATS], _undisturbed(host))


async def test_of_two_bots_that_fall_silent_only_the_one_that_is_asked_is_blamed() -> None:
    async with referee() as host, asyncio.timeout(PATIENCE_S):
        match = await _create(host, FORFEIT)
        both = [bots.Silent(host.running.address, match, seat + 1, LIMIT_MS) for seat in SEATS]
        await asyncio.gather(*[bot.play() for bot in both])
        outcome = await _outcome(host, match)
        assert outcome.termination is Termination.TIMEOUT
        assert outcome.winner is not None
        # Only the draft was ever open, and the log says for whom.
        assert outcome.faulted == (outcome.winner.other,)
