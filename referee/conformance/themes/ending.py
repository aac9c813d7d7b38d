"""How a match ends for a client, and when it must stay away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager

from unoduo.v1 import action_pb2, observation_pb2, session_pb2
from unoduo_client import Organiser, connect

from referee.conformance.checks import Check
from referee.conformance.failures import Flaw
from referee.conformance.front import Line
from referee.conformance.opponents import pushy
from referee.conformance.script import nth
from referee.conformance.stage import SEAT_A, SEAT_B, Match, Plan, Stage

_IN_PLAY = 8

Happening = Callable[[Match], Awaitable[None]]


@asynccontextmanager
async def interrupted(stage: Stage, happening: Happening, tolerated: frozenset[str]) -> AsyncIterator[Match]:
    """Has a match played in which something happens when the client acts in its play; that action is lost."""
    is_it = nth("action", _IN_PLAY)
    due = asyncio.Event()

    def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
        if is_it(item):
            due.set()
            return []
        return [item]

    async with stage.match(Plan(said=said, tolerated=tolerated)) as match:

        async def happen() -> None:
            await due.wait()
            await happening(match)

        task = asyncio.create_task(happen())
        try:
            yield match
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _void(stage: Stage) -> str:
    async def void(match: Match) -> None:
        async with Organiser(match.house.address) as organiser:
            await organiser.void_match(match.created.match_id, "called off by the kit")

    async with interrupted(stage, void, frozenset({"stale", "problem"})) as match:
        return await match.finished()


async def _void_meanwhile(stage: Stage) -> str:
    """Calls the match off while the client is away."""

    async def void(match: Match) -> None:
        async with Organiser(match.house.address) as organiser:
            await organiser.void_match(match.created.match_id, "called off by the kit")
        match.front.lines[-1].cut()

    is_over = False

    async with interrupted(stage, void, frozenset({"stale", "problem"})) as match:

        def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
            nonlocal is_over
            is_over = is_over or (line.number == 1 and item.HasField("ended"))
            return [] if line.number == 1 and is_over else [item]

        match.front.told = told
        came = await match.finished()
        if match.connections < 2:
            raise Flaw("it did not come back to learn of the end")
        return came


async def _resigned(stage: Stage) -> str:
    """Lets the kit's own player give up when it has moved a few times."""
    moves = 0
    given_up = asyncio.Event()

    async def player(observation: observation_pb2.Observation) -> action_pb2.Action:
        nonlocal moves
        moves += 1
        if moves == _IN_PLAY:
            given_up.set()
            await asyncio.Event().wait()
        return pushy(observation)

    async with stage.match(Plan(opponent=player, tolerated=frozenset({"stale", "problem"}))) as match:

        async def give_up() -> None:
            await given_up.wait()
            async with connect(match.house.address) as session:
                seat = await session.join(match.created.match_id, SEAT_B, token=match.created.seat_tokens[1])
                await seat.resign()

        task = asyncio.create_task(give_up())
        try:
            return await match.finished()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _stays_away(happening: Happening, why: str) -> Callable[[Stage], Awaitable[str]]:
    async def run(stage: Stage) -> str:
        async with interrupted(stage, happening, frozenset({"problem"})) as match:
            came = await match.refused(why, "action")
            if match.connections > 1:
                raise Flaw(f"it connected again although {why}")
            return came

    return run


async def _take_over(match: Match) -> None:
    """Takes the client's seat with a session of the kit, and keeps it."""
    async with connect(match.house.address) as session:
        await session.join(match.created.match_id, match.plan.seat, token=match.seat_token)
        await asyncio.Event().wait()


async def _revoke(match: Match) -> None:
    async with Organiser(match.house.address) as organiser:
        await organiser.revoke_seat_token(match.created.match_id, match.plan.seat)


async def _unknown_token(stage: Stage) -> str:
    async with stage.match(Plan(token="nobodys-token", tolerated=frozenset({"problem"}))) as match:
        came = await match.refused("nobody has its token")
        if match.connections != 1:
            raise Flaw(f"it tried {match.connections} times with a token that nobody has")
        return came


async def _not_yours(stage: Stage) -> str:
    plan = Plan(told_seat=SEAT_B, seat=SEAT_A, tolerated=frozenset({"problem"}))
    async with stage.match(plan) as match:
        return await match.refused("the seat is not that of its token", "join")


CHECKS = (
    Check("void", "the organiser calls the match off: exit code 0", _void),
    Check("void-meanwhile", "the match is called off while it is cut off: it comes back, learns it, exit code 0",
          _void_meanwhile),
    Check("resigned", "the opponent gives up: exit code 0", _resigned),
    Check("replaced", "another session takes the seat (REPLACED): it stays away, exit code 1",
          _stays_away(_take_over, "its seat was taken")),
    Check("revoked", "its token is revoked (TOKEN_REVOKED): it stays away, exit code 1",
          _stays_away(_revoke, "its token was revoked")),
    Check("unknown-token", "nobody has its token (UNAUTHENTICATED): it tries once, exit code 1", _unknown_token),
    Check("not-yours", "the seat is not that of its token (PERMISSION_DENIED): it joins once, exit code 1", _not_yours),
)  # fmt: skip
