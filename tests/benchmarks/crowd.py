"""What a match holds in memory while a thousand are played at once, by bots that take their time."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

import grpc
from unoduo.v1 import referee_service_pb2, ruleset_pb2, session_pb2

from referee.audit.report import Status
from referee.audit.verify import verify
from tests.benchmarks.load import RefereeLoad
from tests.benchmarks.servers import Server, server

MATCHES = 1_000
SESSIONS = 40
_SEATS_A_SESSION = 2 * MATCHES // SESSIONS
_FIRST_MATCHES = 20
_PAUSE_S = 0.25
_LOOK_S = 0.5
_LIVE_SHARE = 0.9
_HANG_S = 600.0
_RULESET = ruleset_pb2.Ruleset(target=1, turn_cap=60)


@dataclass(frozen=True, slots=True)
class Crowd:
    """Holds what was measured: memory a live match above the base, in bytes, at its highest; and how it all ended."""

    base_bytes: int
    bytes_a_match: int
    finished: int
    verified: int
    moves: int
    seconds: float

    def text(self) -> str:
        """Returns it as lines for people."""
        return (
            f"{MATCHES:,} matches at once over {SESSIONS} sessions, SQLite, bots that answer within {_PAUSE_S} s\n"
            f"  finished {self.finished:,}, verified {self.verified:,}, {self.moves:,} moves in {self.seconds:.0f} s\n"
            f"  memory of the server: base {self.base_bytes / 1024:,.0f} KiB, "
            f"{self.bytes_a_match / 1024:.1f} KiB a live match above it"
        )


class _PacedLoad(RefereeLoad):
    """Answers in ticks: what came since the last one."""

    async def play(self, call: grpc.aio.StreamStreamCall[bytes, bytes]) -> None:
        waiting: deque[session_pb2.RequestItem] = deque()
        async with asyncio.TaskGroup() as tasks:
            pace = tasks.create_task(_pace(call, waiting))
            async for message in call:
                waiting += self.answers(message)
            pace.cancel()


async def _pace(call: grpc.aio.StreamStreamCall[bytes, bytes], waiting: deque[session_pb2.RequestItem]) -> None:
    while True:
        await asyncio.sleep(_PAUSE_S)
        items = [waiting.popleft() for _ in range(min(len(waiting), _SEATS_A_SESSION))]
        if items:
            await call.write(session_pb2.PlayRequest(items=items).SerializeToString())


def play_crowd() -> Crowd:
    """Plays all matches to their end, verifies each, and returns what the server held meanwhile.

    The base is what the server holds after some matches before them, when all that is loaded once has been.
    """
    with server("sqlite") as serving:
        return asyncio.run(asyncio.wait_for(_play(serving), _HANG_S))


async def _play(serving: Server) -> Crowd:
    first = _PacedLoad(serving.port, _FIRST_MATCHES, _FIRST_MATCHES, ruleset=_RULESET)
    await _finish(first, serving.own_bytes)
    base = serving.own_bytes()
    load = _PacedLoad(serving.port, MATCHES, _SEATS_A_SESSION, ruleset=_RULESET)
    started = time.monotonic()
    highest = await _finish(load, lambda: (serving.own_bytes() - base) // (len(load.created) - load.ended // 2))
    seconds = time.monotonic() - started
    verified = [await _is_verified(load, match.match_id) for match in load.created]
    await first.close()
    await load.close()
    return Crowd(base, highest, load.ended // 2, sum(verified), load.moves, seconds)


async def _finish(load: RefereeLoad, measure: Callable[[], int]) -> int:
    """Plays all matches of a load to their end and returns the highest measure while most of them were live."""
    await load.open()
    load.gate.set()
    seats = 2 * len(load.created)
    highest = 0
    while load.ended < seats:
        if load.ended <= (1 - _LIVE_SHARE) * seats:
            highest = max(highest, measure())
        await asyncio.sleep(_LOOK_S)
        load.raise_failures()
    return highest


async def _is_verified(load: RefereeLoad, match_id: bytes) -> bool:
    request = referee_service_pb2.GetReplayRequest(match_id=match_id)
    data = b""
    while True:
        page = await load.stub.GetReplay(request)
        data += page.data
        if not page.next_page_token:
            return verify(BytesIO(data)).status is Status.OK
        request.page_token = page.next_page_token
