"""A referee that cheats: the client notices, and does not play on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

import grpc
from unoduo.v1 import session_pb2

from referee.conformance.checks import Check
from referee.conformance.failures import Flaw
from referee.conformance.front import Line
from referee.conformance.script import nth, problem
from referee.conformance.stage import Match, Plan, Stage

_IN_PLAY = 8
_LEAST_ENTROPY = 16
_SEED = bytes(range(32))
_PROBLEM = frozenset({"problem"})


def _cheated(change: Callable[[bytes], bytes]) -> Callable[[Stage], Awaitable[str]]:
    """Has the referee use other entropy than the client sent."""

    async def run(stage: Stage) -> str:
        def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
            if item.HasField("ready"):
                item.ready.entropy = change(item.ready.entropy)
            return [item]

        def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
            if item.HasField("ready_accepted"):
                # A liar does not say what it has taken.
                item.ready_accepted.CopyFrom(session_pb2.ReadyAccepted(h0=item.ready_accepted.h0))
            return [item]

        async with stage.match(Plan(said=said, told=told)) as match:
            came = await match.refused("the deal is without its entropy", "ready")
            ready = match.ledger.of_kind("ready")
            if not ready or len(ready[0].item.ready.entropy) < _LEAST_ENTROPY:
                raise Flaw(f"it gave less than {_LEAST_ENTROPY} bytes of entropy to a fresh deal")
            if match.ledger.of_kind("action"):
                raise Flaw("it played in a deal without its entropy")
            return came

    return run


async def _given(stage: Stage) -> str:
    async with stage.match(Plan(seed=_SEED)) as match:
        came = await match.finished()
        if any(heard.item.ready.entropy for heard in match.ledger.of_kind("ready")):
            raise Flaw("it sent entropy for a deal that takes none")
        return came


async def _other_log(stage: Stage) -> str:
    """Cuts the client and tells it, when it comes back, that the log is another one."""
    cuts = nth("action", _IN_PLAY)

    def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
        if line.number > 1 and item.HasField("join"):
            line.tell(problem(item.handle, grpc.StatusCode.DATA_LOSS, "FORKED"))
            return []
        if cuts(item):
            line.cut()
            return []
        return [item]

    async with stage.match(Plan(said=said)) as match:
        return await _gives_up(match)


async def _other_head(stage: Stage) -> str:
    """Tells the client a false head, cuts it, and lets the referee say what it thinks of that head."""
    cuts = nth("action", _IN_PLAY)

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        if item.HasField("observation"):
            item.observation.head = bytes(byte ^ 0xFF for byte in item.observation.head)
        return [item]

    def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
        if cuts(item):
            line.cut()
            return []
        return [item]

    async with stage.match(Plan(said=said, told=told, tolerated=_PROBLEM)) as match:
        return await _gives_up(match)


async def _other_header(stage: Stage) -> str:
    """Cuts the client and shows it, when it comes back, another header."""
    cuts = nth("action", _IN_PLAY)

    def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
        if cuts(item):
            line.cut()
            return []
        return [item]

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        if line.number > 1 and item.HasField("joined"):
            # The last byte is of a text for people: it can be read as before.
            item.joined.header = item.joined.header[:-1] + bytes([item.joined.header[-1] ^ 1])
        return [item]

    async with stage.match(Plan(said=said, told=told)) as match:
        return await _gives_up(match)


async def _gives_up(match: Match) -> str:
    came = await match.refused("the log is another one", "action")
    later = [heard for heard in match.ledger.heard if heard.line > 1]
    if any(heard.kind == "action" for heard in later):
        raise Flaw("it played on in another log")
    if not any(heard.kind == "join" for heard in later):
        raise Flaw("it did not come back, so it did not learn of the other log")
    return came


async def _journal(stage: Stage) -> str:
    """Cuts the client twice, so that the journal goes on over connections."""
    lost, told_then_cut = nth("action_result", 3), nth("action_result", _IN_PLAY + 1)

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        if lost(item):
            line.cut()
        elif told_then_cut(item):
            line.tell(item)
            line.cut()
        return [item]

    async with stage.match(Plan(told=told)) as match:
        came = await match.finished(verified=False)
        if not match.journal.exists():
            raise Flaw("it kept no journal where --journal says")
        await match.verify()
        return f"journal and replay agree; {came}"


CHECKS = (
    Check("entropy-dropped", "the deal is sealed without its entropy: it does not play, exit code 1",
          _cheated(lambda sent: b"")),
    Check("entropy-changed", "the deal is sealed with other entropy: it does not play, exit code 1",
          _cheated(lambda sent: bytes(byte ^ 1 for byte in sent))),
    Check("given-deal", "the deal is given by the organiser: it sends no entropy and plays", _given),
    Check("forked", "when it comes back the log is FORKED: it stays away, exit code 1", _other_log),
    Check("forked-head", "it was told a false head, which is FORKED when it comes back: it stays away, exit code 1",
          _other_head),
    Check("forked-header", "when it comes back the header is another: it does not play on, exit code 1", _other_header),
    Check("journal", "two cuts: its journal and the replay of the match agree (unoduo verify --journal)", _journal),
)  # fmt: skip
