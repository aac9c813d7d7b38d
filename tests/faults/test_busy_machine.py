"""On a machine that is kept busy no answer that is sent in good time is ruled to be late."""

import asyncio
import os
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import grpc
import pytest
from unoduo.v1 import match_pb2, ruleset_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import referee_service_pb2_grpc as service

from tests.docs.markdown import ROOT
from tests.faults.sizes import size
from tests.server.wire import PLAY, Item, Session, action_item, h0, join_item

DECISIONS = size(suite=500, torture=5_000)
MATCHES = 60
LIMIT_MS = 1_000
ANSWER_AFTER_S = 0.8
# A client that was itself kept from reading or writing for longer did not send its answer in good time.
_CLIENT_LAG_S = 0.05
_TICK_S = 0.005
_BUSY_CORE = """
import time
while True:
    end = time.monotonic() + 0.009
    while time.monotonic() < end:
        pass
    time.sleep(0.001)
"""


class _Lag:
    """Knows for how long the loop of the client stood still last, in seconds."""

    def __init__(self) -> None:
        self.last_s = 0.0

    async def watch(self) -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(_TICK_S)
            self.last_s = time.monotonic() - before - _TICK_S


class _Player:
    """Plays one seat of all matches, each answer sent at four fifths of its time."""

    def __init__(self, lag: _Lag, verdicts: Counter[str]) -> None:
        self._lag = lag
        self._verdicts = verdicts
        self._punctual: set[tuple[int, int]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writing = asyncio.Lock()

    async def play(self, session: Session, is_enough: Callable[[], bool]) -> None:
        while not is_enough():
            for item in await session.batch():
                if item.HasField("action_result"):
                    key = item.handle, item.action_result.decision_id
                    if key in self._punctual:
                        self._verdicts[str(item.action_result.WhichOneof("verdict"))] += 1
                elif item.observation.HasField("decision"):
                    task = asyncio.create_task(self._answer(session, item))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
        for task in self._tasks:
            task.cancel()

    async def _answer(self, session: Session, item: session_pb2.ResponseItem) -> None:
        decision, was_late, read_s = item.observation.decision, self._lag.last_s > _CLIENT_LAG_S, time.monotonic()
        await asyncio.sleep(ANSWER_AFTER_S)
        async with self._writing:
            await session.send(action_item(item.handle, decision.decision_id, decision.legal[-1], "a"))
        if not was_late and time.monotonic() - read_s < ANSWER_AFTER_S + _CLIENT_LAG_S:
            self._punctual.add((item.handle, decision.decision_id))


@asynccontextmanager
async def _program(*words: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Runs a Python program until the block ends."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, *words, cwd=ROOT, stdin=pipe, stdout=pipe)
    try:
        yield process
    finally:
        process.kill()
        await process.communicate()


@pytest.mark.slow
async def test_answers_at_four_fifths_of_their_time_are_in_time_on_a_busy_machine(
    record_property: Callable[[str, object], None],
) -> None:
    verdicts: Counter[str] = Counter()
    async with AsyncExitStack() as stack, asyncio.timeout(60 + DECISIONS / 10):
        process = await stack.enter_async_context(_program("-m", "tests.faults.busy_referee"))
        for _ in range(os.cpu_count() or 1):
            await stack.enter_async_context(_program("-c", _BUSY_CORE))
        assert process.stdout is not None
        address = (await process.stdout.readline()).decode().strip()
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(address))
        await _play(channel, verdicts)
    record_property("verdicts on answers sent at 80 % of one second", dict(verdicts))
    assert verdicts["accepted"] == verdicts.total() >= DECISIONS


async def _play(channel: grpc.aio.Channel, verdicts: Counter[str]) -> None:
    stub: Any = service.RefereeServiceStub(channel)
    lag = _Lag()
    watching = asyncio.create_task(lag.watch())
    matches = await asyncio.gather(*[stub.CreateMatch(_order()) for _ in range(MATCHES)])
    playing = []
    for seat in (1, 2):
        session = Session(channel.stream_stream(PLAY)())
        for handle, match in enumerate(matches, 1):
            ready = Item(handle=handle, ready=session_pb2.Ready(h0=h0(match.header)))
            await session.send(join_item(handle, match, seat), ready)
        playing.append(_Player(lag, verdicts).play(session, lambda: verdicts.total() >= DECISIONS))
    await asyncio.gather(*playing)
    watching.cancel()


def _order() -> pb.CreateMatchRequest:
    return pb.CreateMatchRequest(
        players=[match_pb2.Player(name="Ada"), match_pb2.Player(name="Bob")],
        ruleset=ruleset_pb2.Ruleset(),
        time_control=match_pb2.TimeControl(limit_ms=LIMIT_MS),
    )
