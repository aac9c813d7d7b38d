"""The way to the referee: certificates, signs of life, silence."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import timedelta

from unoduo.v1 import session_pb2

from referee.conformance.checks import Check
from referee.conformance.failures import Flaw
from referee.conformance.front import Line
from referee.conformance.hole import Hole
from referee.conformance.script import nth
from referee.conformance.stage import LOOPBACK, Plan, Stage
from referee.server.tls import make_certificate

_IN_PLAY = 8
_OTHER_HOST = "127.0.0.2"
_OVER = timedelta(hours=-1)
_QUIET_S = 12.0
_MUTE_S = 60.0


async def _trusted(stage: Stage) -> str:
    async with stage.match(Plan(certificate=make_certificate())) as match:
        return await match.finished()


async def _untrusted(stage: Stage) -> str:
    plan = Plan(certificate=make_certificate(), trusted=make_certificate().chain)
    return await _refused(stage, plan, "its certificate is not trusted")


async def _other_name(stage: Stage) -> str:
    plan = Plan(certificate=make_certificate(), host=_OTHER_HOST)
    return await _refused(stage, plan, f"its certificate is for {LOOPBACK}, not for {_OTHER_HOST}")


async def _expired(stage: Stage) -> str:
    return await _refused(stage, Plan(certificate=make_certificate(lifetime=_OVER)), "its certificate has expired")


async def _absent(stage: Stage) -> str:
    return await _refused(stage, Plan(trusted=make_certificate().chain), "that speaks no TLS")


async def _refused(stage: Stage, plan: Plan, why: str) -> str:
    async with stage.match(plan) as match:
        waiting = asyncio.create_task(match.front.opened.wait())
        refusing = asyncio.create_task(match.refused(why))
        try:
            await asyncio.wait({waiting, refusing}, return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                raise Flaw(f"it spoke to a referee although {why}")
            return await refusing
        finally:
            waiting.cancel()
            refusing.cancel()
            await asyncio.gather(waiting, refusing, return_exceptions=True)


async def _mute(stage: Stage) -> str:
    """Swallows all bytes of the connection when the client has acted: no end of it is ever told."""
    hole, is_it = Hole(), nth("action", _IN_PLAY)

    def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
        if is_it(item):
            hole.swallow()
        return [item]

    async with stage.match(Plan(said=said, hole=hole)) as match:
        came = await match.finished()
        if match.connections < 2:
            raise Flaw("the match ended over a connection that carried nothing")
        return came


async def _quiet(stage: Stage) -> str:
    """Keeps an action back for a while in which nobody says anything."""
    is_it = nth("action", _IN_PLAY)

    def said(line: Line, item: session_pb2.RequestItem) -> Iterable[session_pb2.RequestItem]:
        if is_it(item):
            asyncio.get_running_loop().call_later(_QUIET_S, line.say, item)
            return []
        return [item]

    async with stage.match(Plan(said=said)) as match:
        came = await match.finished()
        if match.connections > 1:
            raise Flaw("it lost its connection in silence, as who pings more often than every 10 seconds")
        return came


CHECKS = (
    Check("tls", "the certificate is one that it trusts: it plays", _trusted),
    Check("tls-untrusted", "the certificate is made by somebody else: it says nothing, exit code 1", _untrusted),
    Check("tls-other-name", "the certificate is for another name: it says nothing, exit code 1", _other_name),
    Check("tls-expired", "the certificate has expired: it says nothing, exit code 1", _expired),
    Check("tls-absent", "the referee speaks no TLS: it says nothing, exit code 1", _absent),
    Check("mute", "the connection carries nothing any more: it notices within a minute, connects again and plays on",
          _mute, least_s=_MUTE_S),
    Check("quiet", f"nothing is said for {_QUIET_S:g} seconds: it stays, and pings at most every 10 seconds",
          _quiet, least_s=_QUIET_S + 30),
)  # fmt: skip
