"""What comes back for an action: refused, late, twice, or not now."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from itertools import pairwise

import grpc
from unoduo.v1 import session_pb2

from referee.conformance.checks import Check
from referee.conformance.failures import Flaw
from referee.conformance.front import Line
from referee.conformance.ledger import Heard
from referee.conformance.script import Item, detached, nth, problem, rejected
from referee.conformance.stage import Match, Plan, Stage, patient

_IN_PLAY = 8
_AFTER_MS = 600
_LONGEST_MS = 2**32 - 1
_SOON_S = 1.0
_STALE_S = 1.5
_FROZEN = grpc.StatusCode.UNAVAILABLE, "MATCH_FROZEN"
_FULL = grpc.StatusCode.RESOURCE_EXHAUSTED, "INBOX_FULL"


def once(is_it: Callable[[Item], bool], do: Callable[[Line, session_pb2.RequestItem], None]) -> Plan:
    """Returns a plan in which the kit answers one item of the client, and the referee never hears it."""

    def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
        if is_it(item):
            do(line, item)
            return []
        return [item]

    return Plan(said=said)


async def _rejected(stage: Stage) -> str:
    refused: list[session_pb2.SubmittedAction] = []

    def refuse(line: Line, item: session_pb2.RequestItem) -> None:
        refused.append(item.action)
        line.tell(rejected(item, tries_left=5))

    async with stage.match(once(nth("action", _IN_PLAY), refuse)) as match:
        came = await match.finished(verified=False)
        tries = [heard.item.action.action_id for heard in _answers(match, refused)]
        if len(tries) < 2:
            raise Flaw("it did not answer the decision again")
        return f"it tried again as {tries[1]!r} after {tries[0]!r}; {came}"


def _answers(match: Match, refused: list[session_pb2.SubmittedAction]) -> list[Heard]:
    """Returns the actions for the decision whose first answer the kit refused. Raises Flaw if there was none."""
    if not refused:
        raise Flaw("it ended before it had sent an action to refuse")
    return match.ledger.answers(refused[0].decision_id)


async def _no_tries_left(stage: Stage) -> str:
    """Refuses an action for the last time: the next refusal would lose the match."""
    refused: list[session_pb2.SubmittedAction] = []

    def refuse(line: Line, item: session_pb2.RequestItem) -> None:
        refused.append(item.action)
        line.tell(rejected(item, tries_left=0))

    async with stage.match(once(nth("action", _IN_PLAY), refuse)) as match:
        code = await match.exit_code()
        again = [heard.item.action.action for heard in _answers(match, refused)[1:]]
        if refused[0].action in again:
            raise Flaw("it sent the refused action once more, which would have lost the match")
        if code != (0 if again else 1):
            raise Flaw(f"it ended with exit code {code}")
        return "it tried another action" if again else "it gave up with exit code 1"


async def _stale(stage: Stage) -> str:
    """Keeps an action back until its time is over, so that the referee rules and answers Stale."""
    is_it = nth("action", _IN_PLAY)

    def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
        if is_it(item):
            asyncio.get_running_loop().call_later(_STALE_S, line.say, item)
            return []
        return [item]

    tolerated = frozenset({"stale", "timed_out"})
    async with stage.match(Plan(said=said, tolerated=tolerated, control=patient(int(_STALE_S * 1000) - 500))) as match:
        return await match.finished()


def _twice(kind: str) -> Callable[[Stage], Awaitable[str]]:
    async def run(stage: Stage) -> str:
        def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
            return [item, item] if item.WhichOneof("kind") == kind else [item]

        async with stage.match(Plan(told=told)) as match:
            return await match.finished()

    return run


def _late(kind: str) -> Callable[[Stage], Awaitable[str]]:
    """Tells each item of a kind once more when the next one has come."""

    async def run(stage: Stage) -> str:
        before: list[session_pb2.ResponseItem] = []

        def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
            if item.WhichOneof("kind") != kind:
                return [item]
            before.append(item)
            return [item, *before[-2:-1]]

        async with stage.match(Plan(told=told)) as match:
            return await match.finished()

    return run


def _not_now(kind: str, number: int, trouble: tuple[grpc.StatusCode, str]) -> Callable[[Stage], Awaitable[str]]:
    """Turns an item away for a while: it must come again, unchanged, and not earlier than it may."""

    async def run(stage: Stage) -> str:
        plan = once(nth(kind, number), lambda line, item: line.tell(problem(item.handle, *trouble, _AFTER_MS)))
        async with stage.match(plan) as match:
            came = await match.finished()
            _expect_patience(match.ledger.of_kind(kind)[number - 1 : number + 1])
            return came

    return run


def _expect_patience(pair: list[Heard]) -> None:
    if len(pair) < 2 or (pair[0].kind != "join" and pair[0].item != pair[1].item):
        raise Flaw("what it said did not come again as it was")
    between_ms = round((pair[1].at_s - pair[0].at_s) * 1000)
    # What the client waits begins when it has read the answer, so later than the kit reckons.
    if between_ms < _AFTER_MS:
        raise Flaw(f"it said the same again after {between_ms} ms, though told to wait for {_AFTER_MS}")


async def _frozen_long(stage: Stage) -> str:
    """Turns an action away for the longest time that there is, and cuts the call long before."""
    turned_away: list[session_pb2.SubmittedAction] = []

    def refuse(line: Line, item: session_pb2.RequestItem) -> None:
        turned_away.append(item.action)
        line.tell(problem(item.handle, *_FROZEN, _LONGEST_MS))
        asyncio.get_running_loop().call_later(_SOON_S, line.cut)

    async with stage.match(once(nth("action", _IN_PLAY), refuse)) as match:
        came = await match.finished()
        lines = [heard.line for heard in _answers(match, turned_away)]
        if len(lines) < 2 or lines[0] == lines[1]:
            raise Flaw(f"it did not wait for its next session, though told to wait for {_LONGEST_MS} ms")
        return came


async def _let_go(stage: Stage) -> str:
    """Detaches the client as a referee does that has to make the match anew."""
    is_it = nth("action", _IN_PLAY)
    lost: set[int] = set()

    def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
        if is_it(item):
            lost.add(item.handle)
            line.say(session_pb2.RequestItem(handle=item.handle, leave=session_pb2.Leave()))
            return []
        return [item]

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        if item.HasField("detached") and item.handle in lost:
            return [detached(item.handle, session_pb2.DETACH_REASON_MATCH_FROZEN)]
        return [item]

    async with stage.match(Plan(said=said, told=told)) as match:
        came = await match.finished()
        if len(match.ledger.of_kind("join")) < 2:
            raise Flaw("it did not take the seat again")
        return came


async def _drained(stage: Stage) -> str:
    """Turns an action away as a referee does that goes down, and then ends the call."""

    def drain(line: Line, item: session_pb2.RequestItem) -> None:
        line.tell(problem(item.handle, grpc.StatusCode.UNAVAILABLE, "DRAINING"))
        asyncio.get_running_loop().call_later(0.1, line.cut, grpc.StatusCode.UNAVAILABLE, "DRAINING")

    async with stage.match(once(nth("action", _IN_PLAY), drain)) as match:
        came = await match.finished()
        _expect_repeat(match)
        return came


def _expect_repeat(match: Match) -> None:
    """Expects that an action was sent on two lines. Raises Flaw."""
    if not any(
        one.line != other.line and one.item.action == other.item.action
        for one, other in pairwise(match.ledger.of_kind("action"))
    ):
        raise Flaw("the action that was turned away did not come again")


_WAITS = f"it comes again unchanged, not before the {_AFTER_MS} ms of retry_after_ms"
_ONE = "it answers each decision once and plays on"

CHECKS = (
    Check("rejected", "an action is rejected: it answers the decision again, under another action id", _rejected),
    Check("no-tries-left", "an action is rejected and no try is left: it does not send the same again", _no_tries_left),
    Check("stale", "an action comes too late and is stale: it passes on to what is open then", _stale),
    Check("result-twice", f"each answer to an action comes twice: {_ONE}", _twice("action_result")),
    Check("result-late", f"each answer to an action comes once more after the next: {_ONE}", _late("action_result")),
    Check("observation-twice", f"each observation comes twice: {_ONE}", _twice("observation")),
    Check("observation-late", f"each observation comes once more after the next: {_ONE}", _late("observation")),
    Check("frozen-join", "a join is MATCH_FROZEN: it comes again under another handle, not before retry_after_ms",
          _not_now("join", 1, _FROZEN)),
    Check("frozen-ready", f"ready is MATCH_FROZEN: {_WAITS}", _not_now("ready", 1, _FROZEN)),
    Check("frozen-action", f"an action is MATCH_FROZEN: {_WAITS}", _not_now("action", _IN_PLAY, _FROZEN)),
    Check("frozen-long", f"an action is MATCH_FROZEN for {_LONGEST_MS} ms: it comes in the next session, not before",
          _frozen_long),
    Check("inbox-full", f"an action is INBOX_FULL: {_WAITS}", _not_now("action", _IN_PLAY, _FULL)),
    Check("let-go", "it is detached as MATCH_FROZEN: it takes the seat again and plays on", _let_go),
    Check("drained", "an action is answered DRAINING and the call ends: it sends the action again in its next session",
          _drained),
)  # fmt: skip
