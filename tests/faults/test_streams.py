"""Sessions that are given up in every way leave nothing behind; one that does not read costs the others nothing."""

import asyncio
import gc
import sys
from collections.abc import Callable
from random import Random

import grpc
import psutil
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import session_pb2

from tests.faults.live_scene import LIMITS, Line, until
from tests.faults.sizes import size
from tests.server.wire import PLAY, Item, Referee, Session, join_item, play_seats, referee

STREAMS = size(suite=1_000, torture=50_000)
WARM_UP = 100
MATCHES = 100
_AT_ONCE = 50
_HANDLE = 1
# Python keeps some objects for later; what each stream would leave behind is far more.
_SPARE_BLOCKS_A_STREAM = 1
# The transport takes some megabytes before a write blocks, on each side.
_MOST_BYTES = 32 * 2**20


async def _give_up(host: Referee, match: pb.CreateMatchResponse, way: int) -> None:
    session = Session(host.channel.stream_stream(PLAY)())
    if way == 0:
        session.call.cancel()
        return
    if way == 1:
        await session.send(join_item(_HANDLE, match, 1))
        session.call.cancel()
        return
    if way == 2:
        await session.call.done_writing()
        assert (await session.end())[0] is grpc.StatusCode.OK
        return
    await session.join(match, 1)
    if way == 3:
        await session.call.done_writing()
    session.call.cancel()


async def _give_up_many(host: Referee, match: pb.CreateMatchResponse, number: int) -> None:
    for start in range(0, number, _AT_ONCE):
        await asyncio.gather(*[_give_up(host, match, place % 5) for place in range(start, start + _AT_ONCE)])
    await until(lambda: host.running.open_sessions == 0)
    # Calls that are over are put away by callbacks.
    for _ in range(100):
        await asyncio.sleep(0.001)
    gc.collect()


async def test_streams_that_are_given_up_leave_nothing_behind() -> None:
    process = psutil.Process()
    async with referee() as host:
        match = await host.create()
        await _give_up_many(host, match, WARM_UP)
        tasks, descriptors, blocks = len(asyncio.all_tasks()), process.num_fds(), sys.getallocatedblocks()
        await _give_up_many(host, match, STREAMS)
        assert len(asyncio.all_tasks()) == tasks
        assert process.num_fds() == descriptors
        assert sys.getallocatedblocks() - blocks < _SPARE_BLOCKS_A_STREAM * STREAMS


async def _flood(line: Line) -> None:
    """Says what is answered at once, and reads nothing, until it is cut off."""
    try:
        while line.status is None:
            await line.send(*[Item(handle=10**6, leave=session_pb2.Leave())] * LIMITS.max_items)
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        pass


def _waiting_bytes(host: Referee) -> int:
    return max(session._outbox._waiting_bytes for session in host.running._servicer._sessions)


async def test_reader_that_stalls_costs_two_hundred_seats_nothing(
    record_property: Callable[[str, object], None],
) -> None:
    process = psutil.Process()
    async with referee(limits=LIMITS) as host:
        stalled_match, *others = [await host.create() for _ in range(MATCHES)]
        rival = host.session()
        await rival.join(stalled_match, 2)
        sessions = [host.session(), host.session()]
        handles = [
            {await session.join(match, seat): match for match in others} for seat, session in enumerate(sessions, 1)
        ]
        line = Line(host.channel)
        await line.send(join_item(_HANDLE, stalled_match, 1))
        await until(lambda: any(item.HasField("joined") for item in line.items))
        line.reads.clear()
        before = process.memory_info().rss
        flooding = asyncio.create_task(_flood(line))
        # The pipe is full, and what waits in the referee has reached its bound.
        await until(lambda: _waiting_bytes(host) > LIMITS.max_waiting_bytes)
        await asyncio.sleep(0.2)
        waiting, held = _waiting_bytes(host), process.memory_info().rss - before
        record_property("bytes of answers that wait for a stalled reader", waiting)
        record_property("bytes of memory that it costs, the transport of both sides included", held)
        assert waiting < 2 * LIMITS.max_waiting_bytes
        assert held < _MOST_BYTES

        dice = Random(3)
        for session, seats in zip(sessions, handles, strict=True):
            for handle, match in seats.items():
                await session.ready(handle, match)
        play = [
            play_seats(session, seats, lambda decision: dice.choice(decision.legal))
            for session, seats in zip(sessions, handles, strict=True)
        ]
        ends = await asyncio.gather(*play)
        assert [len(ended) for ended in ends] == [MATCHES - 1] * 2
        assert not any(ended.outcome.faulted for ended_by in ends for ended in ended_by.values())

        # It is cut off, and its seat is free for whoever resumes.
        await until(lambda: host.running.open_sessions == 3)
        line.reads.set()
        await until(lambda: line.status is not None)
        await asyncio.wait({flooding})
        again = host.session()
        await again.join(stalled_match, 1, after_sequence=0)
        await again.alive()
