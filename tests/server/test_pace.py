"""A session and its loop: nobody is kept waiting for one client, and one client cannot fill the memory."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from unoduo.v1 import session_pb2 as pb

from referee.match.assignments import Assignments
from referee.match.clock import FakeClock
from referee.match.credentials import Caller, CallerKind
from referee.match.faults import Fault
from referee.server.items import ItemHandler
from referee.server.limits import Limits
from referee.server.session import Session
from referee.store.memory import MemoryStore

REQUEST = pb.PlayRequest(items=[pb.RequestItem(handle=1, resign=pb.Resign())] * 64).SerializeToString()


class _Context:
    """A call whose writes do what a test wants."""

    def __init__(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        self.write = write


def _session(limits: Limits) -> Session:
    # No item here is for a match.
    no_matches: Any = SimpleNamespace(assignments=Assignments(MemoryStore()))
    return Session(no_matches, FakeClock(), Caller(CallerKind.NOBODY), limits)


async def test_loop_goes_on_after_sixteen_items(monkeypatch: pytest.MonkeyPatch) -> None:
    course: list[str] = []
    handle = ItemHandler.handle

    def noted(self: ItemHandler, item: pb.RequestItem, stamp_ms: int) -> None:
        course.append("item")
        handle(self, item, stamp_ms)

    async def others() -> None:
        while True:
            course.append("|")
            await asyncio.sleep(0)

    async def requests() -> AsyncIterator[bytes]:
        yield REQUEST

    async def write(data: bytes) -> None:
        pass

    monkeypatch.setattr(ItemHandler, "handle", noted)
    ticking = asyncio.create_task(others())
    context: Any = _Context(write)
    await _session(Limits()).run(requests(), context)
    ticking.cancel()
    runs = [run.count("item") for run in "".join(course).split("|")]
    assert sum(runs) == 64
    assert max(runs) == 16


async def test_client_that_does_not_read_is_not_read_either() -> None:
    read = 0
    blocked = asyncio.Event()

    async def requests() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1
            yield REQUEST
            await asyncio.sleep(0)

    async def write(data: bytes) -> None:
        await blocked.wait()

    context: Any = _Context(write)
    serving = asyncio.create_task(_session(Limits(max_waiting_bytes=10_000)).run(requests(), context))
    for _ in range(500):
        await asyncio.sleep(0)
    assert 1 < read < 10
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving


async def test_session_that_stays_blocked_is_over() -> None:
    async def requests() -> AsyncIterator[bytes]:
        yield REQUEST
        await asyncio.Event().wait()

    async def write(data: bytes) -> None:
        await asyncio.Event().wait()

    context: Any = _Context(write)
    with pytest.raises(Fault, match="SLOW_READER"):
        await _session(Limits(write_patience_s=0.1)).run(requests(), context)


async def test_client_that_reads_slowly_but_does_read_is_not_cut() -> None:
    written: list[bytes] = []

    async def requests() -> AsyncIterator[bytes]:
        for _ in range(8):
            yield REQUEST
            await asyncio.sleep(0.1)

    async def write(data: bytes) -> None:
        await asyncio.sleep(0.1)
        written.append(data)

    context: Any = _Context(write)
    await _session(Limits(write_patience_s=0.7)).run(requests(), context)
    answers = [item for data in written for item in pb.PlayResponse.FromString(data).items]
    assert len(answers) == 8 * 64


@pytest.mark.parametrize("error", [grpc.aio.UsageError, grpc.aio.InternalError])
@pytest.mark.parametrize("where", ["read", "write"])
async def test_call_that_grpc_has_finished_is_no_bug(
    error: type[Exception], where: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def requests() -> AsyncIterator[bytes]:
        yield REQUEST
        if where == "read":
            raise error("RPC already finished.")
        await asyncio.Event().wait()

    async def write(data: bytes) -> None:
        if where == "write":
            raise error("RPC already finished.")

    context: Any = _Context(write)
    with pytest.raises(asyncio.CancelledError):
        await _session(Limits()).run(requests(), context)
    assert caplog.records == []


async def test_bug_while_reading_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def requests() -> AsyncIterator[bytes]:
        yield REQUEST
        raise RuntimeError

    async def write(data: bytes) -> None:
        pass

    context: Any = _Context(write)
    with pytest.raises(Fault, match="INTERNAL"):
        await _session(Limits()).run(requests(), context)
    assert [record.message for record in caplog.records] == ["a session is ended"]
