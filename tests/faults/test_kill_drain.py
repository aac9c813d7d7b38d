"""A referee that is asked to end does so in order: it says so, loses nothing, and the next process goes on."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from referee.match.faults import ProblemReason
from tests.faults.journal_store import compare_index, compare_store
from tests.faults.kill_course import course
from tests.faults.kill_players import Whereabouts
from tests.faults.launcher import serving

PATIENCE_S = 100
SERVICE = "unoduo.v1.RefereeService"
SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING


async def test_terminated_referee_drains_and_the_next_process_goes_on(tmp_path: Path) -> None:
    store, whereabouts = tmp_path / "store", Whereabouts()
    async with asyncio.timeout(PATIENCE_S), course(whereabouts, 12) as played:
        async with serving(store) as process, grpc.aio.insecure_channel(process.address) as channel:
            stub: Any = HealthStub(channel)
            health = stub.Watch(health_pb2.HealthCheckRequest(service=SERVICE))
            whereabouts.moved(process.address)
            assert (await health.read()).status == SERVING
            while await process.lives_for(0.01) and played.actions < 800:
                pass
            whereabouts.gone()
            process.terminate()
            assert (await health.read()).status == NOT_SERVING
            assert await process.ended() == 0
            health.cancel()
            assert "Traceback" not in process.error_output()
        endings = [ending for player in played.players for ending in player.endings]
        assert [code for code, _ in endings] == [grpc.StatusCode.UNAVAILABLE] * 2
        assert {text for _, text in endings} == {ProblemReason.DRAINING.sentence}
        assert played.open
        assert await compare_store(played.open.values(), store) == []

        async with serving(store) as process:
            whereabouts.moved(process.address)
            await played.see_the_end()
            assert played.findings == []
            assert played.resumed > 6
    assert await compare_index(store) == []
