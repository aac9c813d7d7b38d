"""Lost connections at each kind of moment, a referee that restarts, and one that was not there yet."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum

import grpc
from unoduo.v1 import session_pb2

from referee.conformance.checks import Check
from referee.conformance.failures import Flaw
from referee.conformance.front import Line
from referee.conformance.script import Item, nth
from referee.conformance.stage import Match, Plan, Stage

_RESUMES = "it takes the seat again behind the last event that it was told, says again what was open, and plays on"
_IN_PLAY = 8  # the first of what is said or told of seven picks and then of the play


class _Fate(Enum):
    LOST = 1
    DELIVERED = 2


@dataclass(frozen=True, slots=True)
class _Moment:
    """Is when the connection is cut: at an item that is still delivered, or lost with it."""

    name: str
    when: str
    by_client: bool
    kind: str
    number: int
    fate: _Fate


_MOMENTS = (
    _Moment("cut-hello", "hello was sent", True, "hello", 1, _Fate.LOST),
    _Moment("cut-join", "join was sent", True, "join", 1, _Fate.LOST),
    _Moment("cut-joined", "joined is on the way", False, "joined", 1, _Fate.LOST),
    _Moment("cut-ready", "ready was sent", True, "ready", 1, _Fate.LOST),
    _Moment("cut-ready-accepted", "ready_accepted is on the way", False, "ready_accepted", 1, _Fate.LOST),
    _Moment("cut-observation", "an observation is on the way", False, "observation", 3, _Fate.LOST),
    _Moment("cut-decision", "an observation has come", False, "observation", _IN_PLAY, _Fate.DELIVERED),
    _Moment("cut-action", "an action was sent that the referee never hears", True, "action", _IN_PLAY, _Fate.LOST),
    _Moment("cut-result", "the answer to an action is on the way", False, "action_result", _IN_PLAY, _Fate.LOST),
    _Moment("cut-told", "the answer to an action has come", False, "action_result", _IN_PLAY, _Fate.DELIVERED),
    _Moment("cut-ended", "the end of the match is on the way", False, "ended", 1, _Fate.LOST),
)


def _cutting(moment: _Moment) -> Callable[[Stage], Awaitable[str]]:
    async def run(stage: Stage) -> str:
        async with stage.match(cut_plan(moment)) as match:
            came = await match.finished()
            if match.connections < 2:
                raise Flaw("the match ended before the moment came")
            return came

    return run


def cut_plan(moment: _Moment) -> Plan:
    """Returns a plan in which the connection is cut at a moment, once."""
    is_it = nth(moment.kind, moment.number)

    def pass_on(line: Line, item: Item) -> bool:
        if not is_it(item):
            return True
        if moment.fate is _Fate.DELIVERED:
            assert isinstance(item, session_pb2.ResponseItem)
            line.tell(item)
        line.cut()
        return False

    def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
        return [item] if not moment.by_client or pass_on(line, item) else []

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        return [item] if moment.by_client or pass_on(line, item) else []

    return Plan(said=said, told=told)


async def _zero(stage: Stage) -> str:
    """Cuts before anything was told, so that the seat is taken again behind event 0."""
    is_it = nth("ready_accepted", 1)

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        if is_it(item):
            line.cut()
        return [item]

    async with stage.match(Plan(told=told)) as match:
        came = await match.finished()
        again = [heard.item.join for heard in match.ledger.of_kind("join")][1:]
        if not again or not again[0].HasField("after_sequence"):
            raise Flaw("it joined again without after_sequence, so it was not told the beginning of the match")
        if again[0].after_sequence or again[0].head:
            raise Flaw(f"it joined again behind event {again[0].after_sequence}, though it had been told none")
        return came


def _ending(code: grpc.StatusCode, reason: str = "") -> Callable[[Stage], Awaitable[str]]:
    async def run(stage: Stage) -> str:
        is_it = nth("action_result", _IN_PLAY)

        def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
            if is_it(item):
                line.tell(item)
                line.cut(code, reason)
                return []
            return [item]

        async with stage.match(Plan(told=told)) as match:
            return await _again(match)

    return run


async def _again(match: Match, connections: int = 2) -> str:
    came = await match.finished()
    if match.connections < connections:
        raise Flaw(f"it made {match.connections} connections where {connections} were needed")
    return came


async def _history(stage: Stage) -> str:
    """Tells what was missed in a page of history first, without view, and then the view by itself."""
    cuts = nth("action_result", _IN_PLAY)
    resumed: set[int] = set()

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        if cuts(item):
            line.cut()
        if line.number == 1 or line.number in resumed or not item.HasField("observation"):
            return [item]
        resumed.add(line.number)
        page, view = session_pb2.ResponseItem(), session_pb2.ResponseItem()
        page.CopyFrom(item)
        view.CopyFrom(item)
        page.observation.caught_up = False
        for name in ("view", "decision"):
            page.observation.ClearField(name)
        del view.observation.events[:]
        return [page, view]

    async with stage.match(Plan(told=told)) as match:
        return await _again(match)


async def _restart(stage: Stage) -> str:
    """Takes the referee down twice, each time when the client has just said something."""
    moments = (nth("action", 3), nth("action", _IN_PLAY + 1))
    due = asyncio.Event()

    def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
        for is_it in moments:
            if is_it(item):
                due.set()
        return [item]

    async with stage.match(Plan(said=said)) as match:
        playing = asyncio.create_task(match.finished())
        try:
            for _ in moments:
                waiting = asyncio.create_task(due.wait())
                await asyncio.wait({playing, waiting}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                if playing.done():
                    break
                due.clear()
                await match.restart(0.5)
            came = await playing
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
        if match.connections <= len(moments):
            raise Flaw(f"it made {match.connections} connections over {len(moments)} restarts")
        return came


async def _early(stage: Stage) -> str:
    async with stage.match(Plan(), late_s=2.0) as match:
        return await match.finished()


CHECKS = (
    *(Check(moment.name, f"cut when {moment.when}: {_RESUMES}", _cutting(moment)) for moment in _MOMENTS),
    Check("zero", "cut before the first event: it takes the seat again with after_sequence 0, set and no head", _zero),
    Check("closed", f"the referee ends the call with OK while the match goes on: {_RESUMES}",
          _ending(grpc.StatusCode.OK)),
    Check("draining", f"the call ends with UNAVAILABLE, DRAINING: {_RESUMES}",
          _ending(grpc.StatusCode.UNAVAILABLE, "DRAINING")),
    Check("slow-reader", f"the call ends with RESOURCE_EXHAUSTED, SLOW_READER: {_RESUMES}",
          _ending(grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER")),
    Check("history", "cut, and what was missed comes as history before the view: it tells no event twice and plays on",
          _history),
    Check("restart", "the referee restarts twice while an action is on the way: it plays on", _restart),
    Check("early", "it is started before the referee, with patience: it waits and plays", _early),
)  # fmt: skip
