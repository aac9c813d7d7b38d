"""A spectator's view of a match: public parts only, over as many streams as that takes (PROTOCOL.md section 1)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc.aio
from unoduo.v1 import referee_service_pb2, referee_service_pb2_grpc

from unoduo_client.backoff import Backoff
from unoduo_client.channel import Security, credentials, opener
from unoduo_client.errors import ForkedError, RefereeError
from unoduo_client.session import PATIENCE_S
from unoduo_client.status import referee_error


async def watch(
    address: str, match_id: bytes, token: str | None = None, *, tls: Security = None, patience: float = PATIENCE_S
) -> AsyncIterator[referee_service_pb2.WatchMatchResponse]:
    """Yields what spectators of a match are told: from the start, without gaps or repetitions, up to its end.

    The first has the header, the last has `ended`. `token` is that of the spectators or the organiser, `tls` is as for
    `connect`. A lost stream is replaced, and goes on where it was, until that has failed for `patience` seconds. Raises
    RefereeError, ForkedError if the referee's log has become another one, OSError if the root certificates cannot be
    read.
    """
    loop = asyncio.get_running_loop()
    request = referee_service_pb2.WatchMatchRequest(match_id=match_id)
    backoff, deadline, is_first = Backoff(), 0.0, True
    async with opener(address, tls)() as channel:
        stub = referee_service_pb2_grpc.RefereeServiceStub(channel)
        while True:
            error = RefereeError(grpc.StatusCode.OK, "", "", "the referee ended the stream", may_pass=True)
            call = stub.WatchMatch(request, metadata=credentials(token))
            try:
                async for told in call:
                    backoff.reset()
                    deadline = 0.0
                    request.after_sequence, request.head = told.sequence, told.head
                    if not is_first:
                        told.ClearField("header")
                    is_first = False
                    yield told
                    if told.HasField("ended"):
                        return
            except grpc.aio.AioRpcError as failure:
                error = referee_error(failure, address)
            finally:
                call.cancel()
            if error.reason == "FORKED":
                raise ForkedError(request.after_sequence, None)
            delay = error.retry_after_ms / 1000 or backoff.next_delay()
            deadline = deadline or loop.time() + patience
            if not error.may_pass or loop.time() + delay > deadline:
                raise error
            await asyncio.sleep(delay)
