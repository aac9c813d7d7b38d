"""A referee that serves: from the socket to the store, up and down again.

A program sets `GRPC_VERBOSITY=NONE` before this module is imported, unless it wants the lines that the core of grpc
writes to standard error by itself.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health
from grpc_reflection.v1alpha import reflection

from referee.match.clock import LoopClock
from referee.match.registry import Registry
from referee.match.signing import Signer
from referee.match.surroundings import Admission
from referee.server.binding import address_of, bind, check_protected
from referee.server.limits import Limits
from referee.server.servicer import SERVICE, Servicer
from referee.server.tls import Certificate
from referee.store.base import Store
from referee.store.errors import StoreError, StoreUnavailable

_HEALTH: Final = health_pb2.DESCRIPTOR.services_by_name["Health"]
_OVERALL_HEALTH: Final = ""
_LEAST_ROOM_BYTES: Final = 256 * 1024
_LARGEST_OPTION: Final = (1 << 31) - 1
_OPTIONS: Final = (
    # A second referee on the same port must fail, not share it.
    ("grpc.so_reuseport", 0),
    # Clients may ping every 10 s, also while nothing is going on.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
)


class Running:
    """Is a referee that serves on `address`; `failed` is done when its store has broken for good."""

    def __init__(
        self, host: str, port: int, registry: Registry, servicer: Servicer, failed: asyncio.Future[StoreError]
    ) -> None:
        self.host = host
        self.port = port
        self.registry = registry
        self.failed = failed
        self._servicer = servicer

    @property
    def address(self) -> str:
        """Returns the target for clients."""
        return address_of(self.host, self.port)

    @property
    def open_sessions(self) -> int:
        """Returns how many sessions there are."""
        return self._servicer.open_sessions


@asynccontextmanager
async def serve(
    store: Store,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    dev: bool = False,
    limits: Limits | None = None,
    certificate: Certificate | None = None,
    insecure: bool = False,
    organiser_token: str | None = None,
    signer: Signer | None = None,
    entropy: Callable[[int], bytes] = os.urandom,
) -> AsyncIterator[Running]:
    """Opens the store, serves until the block ends, then ends all calls within the grace and closes the store.

    Port 0 takes a free one. `dev` offers reflection. Without a certificate it is plaintext that is spoken, on loopback
    only unless that is declared `insecure`. Without an organiser's token, again on loopback only, whoever calls without
    a token is the organiser. Without a `signer` nothing is signed. Raises ServeError, or StoreUnavailable from the
    store.
    """
    check_protected(
        host, encrypted=certificate is not None, insecure=insecure, organiser_token=organiser_token is not None
    )
    limits = limits or Limits()
    loop = asyncio.get_running_loop()
    failed: asyncio.Future[StoreError] = loop.create_future()
    checks = health.HealthServicer()
    clock = LoopClock()
    tasks: set[asyncio.Task[None]] = set()

    def on_fatal(error: StoreError) -> None:
        if not failed.done():
            failed.set_result(error)
        task = loop.create_task(_set_health(checks, serving=False))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    registry = Registry(
        store,
        clock,
        entropy=entropy,
        wall_clock=_utc_now,
        on_fatal=on_fatal,
        max_open_matches=limits.max_open_matches,
        admission=Admission(
            max_calls_a_seat=limits.max_calls_a_seat,
            max_spectators=limits.max_spectators,
            spectator_delay_ms=limits.spectator_delay_ms,
        ),
        organiser_token=organiser_token,
        signer=signer,
    )
    servicer = Servicer(registry, store, clock, limits)
    server = grpc.aio.server(options=_options(limits))
    server.add_generic_rpc_handlers((servicer.handlers(),))
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    if dev:
        names = (SERVICE.full_name, _HEALTH.full_name, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
    # The store comes first: a server that was bound and never started keeps its port.
    await store.open(registry)
    try:
        await _recover(registry)
        bound_port = bind(server, host, port, certificate.credentials if certificate is not None else None)
        await _set_health(checks, serving=False)
        # Shielded: a start that is cancelled halfway leaves a server that cannot be stopped.
        started = asyncio.create_task(server.start())
        try:
            await asyncio.shield(started)
            await _set_health(checks, serving=True)
            yield Running(host, bound_port, registry, servicer, failed)
        finally:
            await started
            await checks.enter_graceful_shutdown()
            registry.drain()
            servicer.drain()
            await server.stop(limits.drain_grace_ms / 1_000)
    finally:
        await registry.close()
        clock.close()
        await store.close()


def _options(limits: Limits) -> tuple[tuple[str, int], ...]:
    return (
        *_OPTIONS,
        # Above the limit of a session, which has an answer of its own.
        ("grpc.max_receive_message_length", min(max(_LEAST_ROOM_BYTES, 4 * limits.max_request_bytes), _LARGEST_OPTION)),
        ("grpc.keepalive_time_ms", limits.keepalive_time_ms),
        ("grpc.keepalive_timeout_ms", limits.keepalive_timeout_ms),
        # A ping by which gRPC measures the way, left unanswered, holds up all others; by default for a minute.
        ("grpc.http2.ping_timeout_ms", limits.keepalive_timeout_ms),
    )


async def _recover(registry: Registry) -> None:
    try:
        await registry.identities.load()
        await registry.recover()
    except StoreError as error:
        raise StoreUnavailable(f"the matches that were left cannot be taken over: {error}") from error


async def _set_health(checks: health.HealthServicer, *, serving: bool) -> None:
    status = health_pb2.HealthCheckResponse.SERVING if serving else health_pb2.HealthCheckResponse.NOT_SERVING
    for service in (_OVERALL_HEALTH, SERVICE.full_name):
        await checks.set(service, status)


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
