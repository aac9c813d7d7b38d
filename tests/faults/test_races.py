"""Many at once for one thing: one has it, and each other one is told so."""

import asyncio
from collections import Counter

import grpc
from unoduo.v1 import observation_pb2, seat_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from tests.faults.live_scene import Line, until
from tests.faults.sizes import size
from tests.server.wire import Item, Referee, action_item, h0, join_item, reason_of, referee

WRITERS = 32
DECISIONS = size(suite=5, torture=200)
ROUNDS = size(suite=100, torture=2_000)
RACERS = 4
_HANDLE = 1


async def _sit_down(host: Referee, match: pb.CreateMatchResponse) -> list[Line]:
    lines = [Line(host.channel), Line(host.channel)]
    for seat, line in enumerate(lines, 1):
        ready = Item(handle=_HANDLE, ready=session_pb2.Ready(h0=h0(match.header)))
        await line.send(join_item(_HANDLE, match, seat), ready)
    await until(lambda: any(item.observation.HasField("decision") for line in lines for item in line.items))
    return lines


async def _write(host: Referee, match: pb.CreateMatchResponse, seat: seat_pb2.Seat.ValueType, item: Item) -> str:
    """Sends an action by a call of its own, again as long as there are too many, and returns the verdict."""
    token = match.seat_tokens[seat - 1]
    request = pb.ActRequest(match_id=match.match_id, seat=seat, seat_token=token, action=item.action)
    while True:
        try:
            answer = await host.stub.Act(request)
        except grpc.aio.AioRpcError as error:
            if reason_of(error) not in ("TOO_MANY_CALLS", "INBOX_FULL"):
                raise
            await asyncio.sleep(0.005)
            continue
        result = answer.action_result
        return "accepted" if result.HasField("accepted") else session_pb2.StaleReason.Name(result.stale.reason)


def _newest(lines: list[Line]) -> tuple[observation_pb2.Decision, seat_pb2.Seat.ValueType]:
    questions = [
        (item.observation.decision, item.observation.view.seat)
        for line in lines
        for item in line.items
        if item.observation.HasField("decision")
    ]
    return max(questions, key=lambda one: one[0].decision_id)


async def _race(host: Referee, match: pb.CreateMatchResponse, wanted: int) -> int:
    """Lets writers race on the decisions of a match, at most so many, and returns on how many they did."""
    lines = await _sit_down(host, match)
    raced = 0
    while raced < wanted and not any(item.HasField("ended") for line in lines for item in line.items):
        decision, seat = _newest(lines)
        items = [
            action_item(1, decision.decision_id, decision.legal[-1], f"writer-{place}") for place in range(WRITERS)
        ]
        verdicts = await asyncio.gather(*[_write(host, match, seat, item) for item in items])
        assert Counter(verdicts) == {"accepted": 1, "STALE_REASON_ANSWERED": WRITERS - 1}
        raced += 1

        def has_gone_on(decision_id: int = decision.decision_id) -> bool:
            is_over = any(item.HasField("ended") for line in lines for item in line.items)
            return is_over or _newest(lines)[0].decision_id > decision_id

        await until(has_gone_on)
    for line in lines:
        await line.cancel()
    return raced


async def test_writers_that_race_on_one_decision_have_one_winner() -> None:
    left = DECISIONS
    async with referee() as host:
        while left > 0:
            left -= await _race(host, await host.create(), left)


async def test_seat_that_many_take_at_once_has_one_holder() -> None:
    async with referee() as host:
        match = await host.create()
        # Left over from the round before, so that each round has a holder to replace.
        holder: Line | None = None
        joined = 0
        for _ in range(ROUNDS):
            racers = [Line(host.channel) for _ in range(RACERS)]
            await asyncio.gather(*[line.send(join_item(_HANDLE, match, 1)) for line in racers])
            await until(lambda racers=racers: all(_join_number(line) for line in racers))  # type: ignore[misc]
            ranked = sorted(racers, key=_join_number)
            assert [_join_number(line) for line in ranked] == list(range(joined + 1, joined + 1 + RACERS))
            joined += RACERS
            losers = ([holder] if holder is not None else []) + ranked[:-1]
            await until(lambda losers=losers: all(_detached(line) for line in losers))  # type: ignore[misc]
            holder = ranked[-1]
            # Whoever lost it can do nothing with it any more; the newest can.
            for line in losers:
                await line.send(action_item(_HANDLE, 1, None, "x"), Item(handle=_HANDLE, resign=session_pb2.Resign()))
            await until(lambda losers=losers: all(_problems(line) for line in losers))  # type: ignore[misc]
            assert all(_detached(line) == ["DETACH_REASON_REPLACED"] for line in losers)
            assert all(set(_problems(line)) == {"HANDLE_ENDED"} for line in losers)
            assert _detached(holder) == []
            for line in losers:
                await line.cancel()
        assert holder is not None
        await holder.send(Item(handle=_HANDLE, ready=session_pb2.Ready(h0=h0(match.header))))
        await until(lambda: any(item.HasField("ready_accepted") for item in holder.items))
        await holder.cancel()


def _join_number(line: Line) -> int:
    return next((item.joined.join_number for item in line.items if item.HasField("joined")), 0)


def _detached(line: Line) -> list[str]:
    return [session_pb2.DetachReason.Name(item.detached.reason) for item in line.items if item.HasField("detached")]


def _problems(line: Line) -> list[str]:
    return [item.problem.reason for item in line.items if item.HasField("problem")]
