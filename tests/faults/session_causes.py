"""What makes those rows of the table of faults come true that are about a session rather than a match."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType

import grpc
from unoduo.v1 import session_pb2

from referee.rules.seats import Seat
from referee.rules.state import Phase
from tests.e2e.hostile import MALFORMED
from tests.faults.causes import WHILE_PLAYING
from tests.faults.live_scene import LIMITS, Line, LiveScene, until
from tests.faults.scene import Moment
from tests.server.wire import Item, action_item

# An item that is answered at once, whatever the match does, and is not malformed.
_UNKNOWN_HANDLE = Item(handle=10**6, leave=session_pb2.Leave())


@dataclass(frozen=True)
class SessionCause:
    """Holds what happens and when it can; `happen` returns what the culprit was told for it."""

    happen: Callable[[LiveScene], Awaitable[list[str]]]
    moments: tuple[Moment, ...]


async def _malformed(scene: LiveScene) -> list[str]:
    before = await scene.question()
    answers = await scene.send_raw(scene.culprit, _malformed_items(before.decision_id))
    assert await scene.question() == before
    return answers


async def _no_message(scene: LiveScene) -> list[str]:
    await scene.line(scene.culprit).call.write(b"\xff" * 40)
    return [await _ended_by(scene, scene.culprit)]


async def _too_many_malformed(scene: LiveScene) -> list[str]:
    items = _malformed_items(1)
    line = scene.line(scene.culprit)
    await scene.send_raw(scene.culprit, (items * LIMITS.max_malformed)[: LIMITS.max_malformed + 1])
    reason = await _ended_by(scene, scene.culprit)
    assert [item.problem.reason for item in line.items if item.HasField("problem")].count("FIELD_INVALID") > 100
    return [reason]


async def _not_reading(scene: LiveScene) -> list[str]:
    line, left = scene.line(scene.culprit), scene.host.running.open_sessions - 1
    line.reads.clear()
    talking = asyncio.create_task(_talk(line))
    await until(lambda: scene.host.running.open_sessions == left)
    line.reads.set()
    await until(lambda: line.status is not None)
    await asyncio.wait({talking})
    # Which status a client sees that writes meanwhile is up to its library.
    assert line.status is not None
    assert line.status[0] is not grpc.StatusCode.OK
    return []


async def _talk(line: Line) -> None:
    """Says what is answered at once until nobody listens any more."""
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        while line.status is None:
            await line.send(*[_UNKNOWN_HANDLE] * LIMITS.max_items)


async def _ended_by(scene: LiveScene, seat: Seat) -> str:
    line = scene.line(seat)
    await until(lambda: line.status is not None)
    assert line.status is not None
    return line.status[1]


def _malformed_items(decision_id: int) -> list[Item]:
    return [action_item(1, decision_id, wrong.action, wrong.action_id) for wrong in MALFORMED]


SESSION_CAUSES: Mapping[tuple[str, str], SessionCause] = MappingProxyType(
    {
        ("a malformed action", "any"): SessionCause(_malformed, WHILE_PLAYING),
        ("bytes that are no message", "any"): SessionCause(_no_message, WHILE_PLAYING),
        ("too many malformed items in a row", "any"): SessionCause(_too_many_malformed, WHILE_PLAYING),
        ("a session that does not read", "any"): SessionCause(_not_reading, (Moment(Phase.TURN, True),)),
    }
)
"""By what happens and the policy, as the table words them."""
