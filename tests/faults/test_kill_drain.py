"""A referee that is asked to end does so in order: it says so, loses nothing, and the next process goes on."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub
from unoduo.v1 import match_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1.referee_service_pb2_grpc import RefereeServiceStub
from unoduo.v1.seat_pb2 import SEAT_A

from referee.match.faults import ProblemReason
from tests.faults.journal_store import compare_index, compare_store
from tests.faults.kill_course import course
from tests.faults.kill_players import Whereabouts
from tests.faults.launcher import serving

PATIENCE_S = 100
SERVICE = "unoduo.v1.RefereeService"
SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
DRAINED = (grpc.StatusCode.UNAVAILABLE, ProblemReason.DRAINING.sentence)
# What the core of gRPC puts in the place of a status that arrives while the client is writing.
WRITING = (grpc.StatusCode.INTERNAL, "Internal error from Core")


async def test_terminated_referee_drains_and_the_next_process_goes_on(tmp_path: Path) -> None:
    store, whereabouts = tmp_path / "store", Whereabouts()
    async with asyncio.timeout(PATIENCE_S), course(whereabouts, 12) as played:
        async with serving(store) as process, grpc.aio.insecure_channel(process.address) as channel:
            health_stub: Any = HealthStub(channel)
            health = health_stub.Watch(health_pb2.HealthCheckRequest(service=SERVICE))
            waiting = await _waiting_calls(channel)
            whereabouts.moved(process.address)
            assert (await health.read()).status == SERVING
            while await process.lives_for(0.01) and played.actions < 800:
                pass
            whereabouts.gone()
            process.terminate()
            assert (await health.read()).status == NOT_SERVING
            for call in waiting:
                assert (await call.code(), await call.details()) == DRAINED
            assert await process.ended() == 0
            health.cancel()
            assert process.bugs() == []
        endings = [player.endings for player in played.players]
        assert len(endings) == 2
        assert all(ending in ([DRAINED], [WRITING]) for ending in endings)
        assert await compare_store(played.open.values(), store) == []

        async with serving(store) as process:
            whereabouts.moved(process.address)
            await played.see_the_end()
            assert played.findings == []
            assert played.resumed > 6
    assert await compare_index(store) == []


async def _waiting_calls(channel: grpc.aio.Channel) -> list[Any]:
    """Returns calls that wait for a match that never begins: one that acts, and one that watches."""
    stub: Any = RefereeServiceStub(channel)
    players = [match_pb2.Player(name="Ada"), match_pb2.Player(name="Bob")]
    created = await stub.CreateMatch(pb.CreateMatchRequest(players=players))
    token = created.seat_tokens[0]
    acting = stub.Act(pb.ActRequest(match_id=created.match_id, seat=SEAT_A, seat_token=token, wait_ms=30_000))
    spectator = (("authorization", f"Bearer {created.spectator_token}"),)
    watching = stub.WatchMatch(pb.WatchMatchRequest(match_id=created.match_id), metadata=spectator)
    assert (await watching.read()).header == created.header
    return [acting, watching]
