"""A referee comes up, says how it is, and goes down."""

import asyncio
import socket
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from referee.server.binding import PortBusy
from referee.server.runtime import serve
from referee.store.base import StoreListener
from referee.store.errors import StoreUnavailable
from referee.store.memory import MemoryStore
from tests.server.wire import info_of, referee


async def _health(channel: grpc.aio.Channel, service: str) -> int:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    response = await stub.Check(health_pb2.HealthCheckRequest(service=service))
    status: int = response.status
    return status


async def test_health_is_serving_while_it_serves() -> None:
    async with referee() as host:
        for service in ("", "unoduo.v1.RefereeService"):
            assert await _health(host.channel, service) == health_pb2.HealthCheckResponse.SERVING


async def test_health_is_not_serving_once_the_store_is_broken() -> None:
    store = MemoryStore()
    async with referee(store) as host:
        store.fail()
        async with asyncio.timeout(10):
            await host.running.failed
        assert await _health(host.channel, "") == health_pb2.HealthCheckResponse.NOT_SERVING
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await host.create()
        assert info_of(error.value).reason == "DRAINING"


@pytest.mark.parametrize("dev", [False, True])
async def test_reflection_is_offered_in_development_only(dev: bool) -> None:
    async with referee(dev=dev) as host:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(host.channel)  # type: ignore[arg-type]
        call = stub.ServerReflectionInfo()
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        if dev:
            answer = await _ask(call, request)
            names = {service.name for service in answer.list_services_response.service}
            assert "unoduo.v1.RefereeService" in names
        else:
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await _ask(call, request)
            assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED
        call.cancel()


async def _ask(call: Any, request: reflection_pb2.ServerReflectionRequest) -> Any:
    await call.write(request)
    return await call.read()


async def test_second_referee_on_a_port_is_refused() -> None:
    async with referee() as host:
        with pytest.raises(PortBusy) as error:
            async with serve(MemoryStore(), port=host.running.port):
                pass
        assert str(host.running.port) in str(error.value)
        await host.create()


async def test_port_taken_by_another_program_is_busy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(PortBusy):
        async with serve(MemoryStore(), port=taken.getsockname()[1]):
            pass


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_host_of_this_machine_is_served(host: str) -> None:
    async with serve(MemoryStore(), host=host) as running, grpc.aio.insecure_channel(running.address) as channel:
        assert running.port > 0
        assert await _health(channel, "") == health_pb2.HealthCheckResponse.SERVING


class _ShutStore(MemoryStore):
    async def open(self, listener: StoreListener | None = None) -> None:
        raise StoreUnavailable("no")


async def test_store_that_does_not_open_frees_the_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(StoreUnavailable):
        async with serve(_ShutStore(), port=port):
            pass
    async with serve(MemoryStore(), port=port) as running:
        assert running.port == port


async def test_port_is_free_again_after_the_end() -> None:
    async with serve(MemoryStore()) as running:
        port = running.port
    async with serve(MemoryStore(), port=port) as running:
        assert running.port == port
