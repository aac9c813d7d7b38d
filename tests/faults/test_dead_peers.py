"""Peers that are silently gone are noticed; peers that ask now and then whether the referee is there are welcome."""

import asyncio
from dataclasses import replace

import grpc
import pytest
from unoduo.v1 import match_pb2, outcome_pb2, session_pb2

from referee.server.limits import Limits
from tests.faults.live_scene import Line, until
from tests.faults.proxy import proxy
from tests.server.wire import PATIENCE_S, Item, h0, join_item, referee

QUICK = replace(Limits(), keepalive_time_ms=500, keepalive_timeout_ms=500)
ABSENCE_MS = 300
_HANDLE = 1
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_SETTINGS, _PING, _GOAWAY = 4, 6, 7
_ACK = 1
_PINGS = 4


async def test_client_that_is_silently_gone_is_absent_and_loses_by_the_policy() -> None:
    policy = match_pb2.FaultPolicy(forfeit_after_absence_ms=ABSENCE_MS)
    control = match_pb2.TimeControl(limit_ms=3_600_000)
    async with (
        referee(limits=QUICK) as host,
        proxy(host.running.address) as between,
        grpc.aio.insecure_channel(between.address) as channel,
    ):
        match = await host.create(fault_policy=policy, time_control=control)
        gone, there = Line(channel), Line(host.channel)
        for seat, line in enumerate((gone, there), 1):
            ready = Item(handle=_HANDLE, ready=session_pb2.Ready(h0=h0(match.header)))
            await line.send(join_item(_HANDLE, match, seat), ready)
        await until(lambda: gone.sequence > 0 and there.sequence > 0)
        between.drop()
        await until(lambda: any(item.HasField("ended") for item in there.items))
        (ended,) = [item.ended for item in there.items if item.HasField("ended")]
        assert ended.outcome.termination == outcome_pb2.TERMINATION_DISCONNECT
        assert list(ended.outcome.faulted) == [1]
        # Nobody else was taken for gone.
        assert there.status is None or there.status[0] is grpc.StatusCode.OK
        await gone.cancel()
        await there.cancel()


async def test_client_that_pings_all_the_time_is_sent_away() -> None:
    # What the next test would see if its pings were too many.
    assert (_GOAWAY, 0) in await _answers_to_pings(0.1, 8)


@pytest.mark.slow
async def test_client_that_pings_every_ten_seconds_is_answered() -> None:
    frames = await _answers_to_pings(10, _PINGS)
    assert frames.count((_PING, _ACK)) == _PINGS
    assert all(kind != _GOAWAY for kind, _ in frames)


async def _answers_to_pings(interval_s: float, number: int) -> list[tuple[int, int]]:
    """Pings on a connection without any call, and returns kind and flags of the frames that come back."""
    frames: list[tuple[int, int]] = []
    async with referee() as host, asyncio.timeout(PATIENCE_S + number * interval_s):
        address, _, port = host.running.address.rpartition(":")
        reader, writer = await asyncio.open_connection(address, int(port))
        reading = asyncio.create_task(_read_frames(reader, frames))
        writer.write(_PREFACE + _frame(_SETTINGS))
        for place in range(number):
            await asyncio.sleep(interval_s)
            if reading.done():
                break
            writer.write(_frame(_PING, place.to_bytes(8, "big")))
        await asyncio.wait({reading}, timeout=1)
        reading.cancel()
        await asyncio.wait({reading})
        writer.transport.abort()
    return frames


async def _read_frames(reader: asyncio.StreamReader, frames: list[tuple[int, int]]) -> None:
    try:
        while True:
            head = await reader.readexactly(9)
            await reader.readexactly(int.from_bytes(head[:3], "big"))
            frames.append((head[3], head[4]))
    except (asyncio.IncompleteReadError, ConnectionError):
        pass


def _frame(kind: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, 0)) + bytes(4) + payload
