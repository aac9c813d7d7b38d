"""Every action sent one to five times, and late again: one effect, the same answer."""

import asyncio
from io import BytesIO
from random import Random

from unoduo.v1 import observation_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1.action_pb2 import Action, Play

from referee.adjudication.inputs import ActionTaken
from referee.audit.replay import replay
from referee.audit.report import Status
from referee.audit.verify import verify
from tests.faults.duplicating import DuplicatingSession
from tests.faults.sizes import size
from tests.server.wire import PATIENCE_S, PLAY, Referee, action_item, referee

MATCHES = size(suite=5, torture=500)
ILLEGAL = Action(play=Play())
_ILLEGAL_SHARE = 0.2


async def test_repeated_and_late_actions_have_one_effect_and_one_answer() -> None:
    dice = Random(5)
    late = 0
    async with referee() as host:
        for _ in range(MATCHES):
            async with asyncio.timeout(PATIENCE_S):
                late += await _play_one(host, dice)
    assert late > 0


async def _play_one(host: Referee, dice: Random) -> int:
    match = await host.create()
    sessions = [DuplicatingSession(host.channel.stream_stream(PLAY)(), dice) for _ in range(2)]
    await asyncio.gather(*[_play(session, match, seat, dice) for seat, session in enumerate(sessions, 1)])

    data = await host.replay(match.match_id)
    assert verify(BytesIO(data)).status is Status.OK
    taken = [entry.input for entry in replay(BytesIO(data)).entries if isinstance(entry.input.kind, ActionTaken)]
    assert len({given.decision_id for given in taken}) == len(taken)
    accepted = 0
    for session in sessions:
        for key, results in session.results().items():
            assert 1 <= len(results) <= session.sent[key]
            accepted += results[0].HasField("accepted")
            _check_answers(results)
    assert accepted == len(taken)
    return sum(session.late for session in sessions)


def _check_answers(results: list[session_pb2.ActionResult]) -> None:
    if results[0].HasField("rejected"):
        # A rejected try is remembered until its decision is closed.
        closed = next((place for place, result in enumerate(results) if result.HasField("stale")), len(results))
        assert all(result.HasField("stale") for result in results[closed:])
        results = results[:closed]
    assert len({result.SerializeToString() for result in results}) == 1
    assert not results[0].HasField("stale")


async def _play(session: DuplicatingSession, match: pb.CreateMatchResponse, seat: int, dice: Random) -> None:
    handle = await session.join(match, seat)
    await session.ready(handle, match)
    tries: list[int] = []
    while True:
        item = await session.next()
        if item.HasField("ended"):
            return
        if item.HasField("problem"):
            # More copies at once than an inbox holds.
            assert item.problem.reason in ("INBOX_FULL", "HANDLE_ENDED")
        if item.observation.HasField("decision"):
            await _answer(session, handle, item.observation.decision, dice, tries)


async def _answer(
    session: DuplicatingSession, handle: int, decision: observation_pb2.Decision, dice: Random, tries: list[int]
) -> None:
    number = decision.decision_id
    if dice.random() < _ILLEGAL_SHARE:
        await session.send(action_item(handle, number, ILLEGAL, f"try-{number}"))
        while not session.results().get((handle, number, f"try-{number}")):
            await session.next()
        (left,) = {one.rejected.tries_left for one in session.results()[handle, number, f"try-{number}"]}
        assert left == decision.tries_left - 1
    await session.send(action_item(handle, number, dice.choice(decision.legal), str(number)))
