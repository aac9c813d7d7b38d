"""Bots that do what none should, each on a connection of its own; the good one to compare them with is here too."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import grpc
from unoduo.v1 import observation_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1.action_pb2 import Action, Play

from tests.docs.markdown import ROOT
from tests.e2e.hostile import MALFORMED
from tests.server.wire import PATIENCE_S, PLAY, Item, Session, action_item, h0, join_item

HANDLE = 1
_LATE_S = 0.1


class Bot:
    """Plays one seat well; what goes wrong overrides a method."""

    def __init__(self, address: str, match: pb.CreateMatchResponse, seat: int, limit_ms: int) -> None:
        self.address = address
        self.match = match
        self.seat = seat
        self.limit_s = limit_ms / 1000
        self.ended: session_pb2.Ended | None = None
        self.told: list[str] = []
        self._dice = Random(seat)

    async def play(self) -> None:
        """Plays until the match has ended, or the bot with it."""
        async with connected(self.address) as session:
            await self.join(session)
            while self.ended is None:
                await self.hear(session, await session.next())

    async def join(self, session: Session) -> None:
        ready = session_pb2.Ready(h0=h0(self.match.header))
        await session.send(join_item(HANDLE, self.match, self.seat), Item(handle=HANDLE, ready=ready))

    async def hear(self, session: Session, item: session_pb2.ResponseItem) -> None:
        if item.HasField("ended"):
            self.ended = item.ended
        elif item.HasField("problem"):
            self.told.append(item.problem.reason)
        elif item.action_result.HasField("stale"):
            self.told.append(session_pb2.StaleReason.Name(item.action_result.stale.reason))
        elif item.observation.HasField("decision"):
            await self.answer(session, item.observation.decision)

    async def answer(self, session: Session, decision: observation_pb2.Decision) -> None:
        await session.send(self.chosen(decision))

    def chosen(self, decision: observation_pb2.Decision, action_id: str = "good") -> Item:
        return action_item(HANDLE, decision.decision_id, self._dice.choice(decision.legal), action_id)


class Silent(Bot):
    """Never answers."""

    async def answer(self, session: Session, decision: observation_pb2.Decision) -> None:
        pass


class Late(Bot):
    """Answers a little after its time is over."""

    async def answer(self, session: Session, decision: observation_pb2.Decision) -> None:
        await asyncio.sleep(self.limit_s + _LATE_S)
        await session.send(self.chosen(decision))


class Garbage(Bot):
    """Sends bytes that are no message instead of an answer."""

    async def answer(self, session: Session, decision: observation_pb2.Decision) -> None:
        await session.send_bytes(b"\xff" * 100)


class MalformedItems(Bot):
    """Sends actions that are none."""

    async def answer(self, session: Session, decision: observation_pb2.Decision) -> None:
        await session.send(*[action_item(HANDLE, decision.decision_id, one.action, one.action_id) for one in MALFORMED])


class Illegal(Bot):
    """Insists on plays that no rule allows."""

    async def answer(self, session: Session, decision: observation_pb2.Decision) -> None:
        action = Action(play=Play())
        for number in range(decision.tries_left + 1):
            await session.send(action_item(HANDLE, decision.decision_id, action, f"try-{number}"))
            await session.until("action_result")


class WrongDecision(Bot):
    """Answers another decision than the one that is open."""

    async def answer(self, session: Session, decision: observation_pb2.Decision) -> None:
        await session.send(action_item(HANDLE, decision.decision_id + 1, decision.legal[0], "wrong"))


class DoubleAnswer(Bot):
    """Answers each decision twice, each time with an id of its own."""

    async def answer(self, session: Session, decision: observation_pb2.Decision) -> None:
        await session.send(self.chosen(decision, "first"), self.chosen(decision, "second"))


class Flood(Bot):
    """Sends each answer as often as one message holds."""

    async def answer(self, session: Session, decision: observation_pb2.Decision) -> None:
        await session.send(*[self.chosen(decision)] * 60)


class HalfClose(Bot):
    """Says that it will say nothing more when it is to answer."""

    async def answer(self, session: Session, decision: observation_pb2.Decision) -> None:
        if not session.call.done():
            await session.call.done_writing()


class Cancel(Bot):
    """Cancels its call when it is to answer."""

    async def answer(self, session: Session, decision: observation_pb2.Decision) -> None:
        session.call.cancel()


class NeverReads(Bot):
    """Joins and reads nothing."""

    async def play(self) -> None:
        async with connected(self.address) as session:
            await self.join(session)
            await asyncio.Event().wait()


class TwoSessions(Bot):
    """Joins with two sessions, each of which believes that it has the seat."""

    async def play(self) -> None:
        await asyncio.gather(self._play_while_held(), self._play_while_held())

    async def _play_while_held(self) -> None:
        async with connected(self.address) as session:
            await self.join(session)
            while True:
                item = await session.next()
                if item.HasField("detached"):
                    self.told.append(session_pb2.DetachReason.Name(item.detached.reason))
                    return
                await self.hear(session, item)
                if item.HasField("ended"):
                    return


class InProcesses(Bot):
    """Plays in processes of its own, as many as `whens`, each of which dies at its time: start, turn, end or never."""

    whens: tuple[str, ...] = ("never",)

    async def play(self) -> None:
        await asyncio.gather(*[self._run(when) for when in self.whens])

    async def _run(self, when: str) -> None:
        token = self.match.seat_tokens[self.seat - 1]
        words = (self.address, self.match.match_id.hex(), str(self.seat), token, when)
        command = (sys.executable, "-m", "tests.faults.bot_program", *words)
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT)
        try:
            async with asyncio.timeout(2 * PATIENCE_S):
                await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


def dying(*whens: str) -> type[InProcesses]:
    """Returns the bot of processes that die at these times."""
    return type("_".join(whens), (InProcesses,), {"whens": whens})


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Session]:
    """Yields a session on a connection that nobody else uses; that it ends under its bot is no error."""
    options = (("grpc.use_local_subchannel_pool", 1),)
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        call: Any = channel.stream_stream(PLAY)
        try:
            yield Session(call())
        except (EOFError, grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass
        except asyncio.CancelledError:
            # What grpc raises when the bot has cancelled its call, unless it is the bot itself that is to end.
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
