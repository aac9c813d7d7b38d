"""The same comparison of worlds on a server, with the calls that are no business of the referee's servicer."""

from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from referee.match import feed
from referee.rules.seats import Seat
from referee.server.limits import Limits
from tests.faults.sizes import size
from tests.leaks.comparison import Draws, World, play, same_but_for_secrets
from tests.leaks.plans import Plan
from tests.leaks.wires import SocketWire
from tests.leaks.worlds import Pair, pairs

_SYMBOLS = ("unoduo.v1.RefereeService", "unoduo.v1.Observation", "unoduo.v1.Entry")


class _CuriousWire(SocketWire):
    """Also asks health and reflection, before the server goes down."""

    told: tuple[bytes, ...] = ()

    async def close(self) -> None:
        self.told = await _other_services(self.channel)
        await super().close()


async def _other_services(channel: grpc.aio.Channel) -> tuple[bytes, ...]:
    check: Any = channel.unary_unary("/grpc.health.v1.Health/Check")
    told = [await check(health_pb2.HealthCheckRequest(service=name).SerializeToString()) for name in ("", _SYMBOLS[0])]
    reflect: Any = channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
    call = reflect()
    for symbol in _SYMBOLS:
        request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=symbol)
        await call.write(request.SerializeToString())
        told.append(await call.read())
    await call.write(reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString())
    told.append(await call.read())
    await call.done_writing()
    return tuple(told)


async def _world(pair: Pair, number: int, monkeypatch: pytest.MonkeyPatch) -> tuple[World, tuple[bytes, ...]]:
    plan = Plan.of(pair.seed).lasting()
    wire = _CuriousWire(Draws(number, plan.is_fresh), Limits(), monkeypatch)
    await wire.start()
    return await play(pair, number, plan, wire, monkeypatch), wire.told


@pytest.mark.parametrize("observer", [Seat.A, Seat.B, None])
async def test_worlds_on_a_server_are_told_alike(observer: Seat | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "_RECENT_BYTES", 600)
    monkeypatch.setattr(feed, "_PAGE_BYTES", 1_500)
    for pair in pairs(50_000, size(3, 100), observer):
        (here, others_here), (there, others_there) = [await _world(pair, world, monkeypatch) for world in (0, 1)]
        one, other = same_but_for_secrets(here, there)
        assert one.channels == other.channels, pair.seed
        assert others_here == others_there
        assert len(others_here) == len(_SYMBOLS) + 3
