"""Faults as gRPC statuses: the only place that knows both (`PROTOCOL.md`, "Problems")."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NoReturn

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2

from referee.match.faults import Code, Fault

DOMAIN: Final = "unoduo.v1"

_DETAILS_KEY: Final = "grpc-status-details-bin"

STATUS_CODES: Final[Mapping[Code, grpc.StatusCode]] = MappingProxyType(
    {code: next(status for status in grpc.StatusCode if status.value[0] == code) for code in Code}
)


async def abort_within(context: grpc.aio.ServicerContext[bytes, bytes], fault: Fault, patience_s: float) -> NoReturn:
    """Ends a call with the status of a fault, or without one if the client is not there to take it in time."""
    try:
        async with asyncio.timeout(patience_s):
            await abort(context, fault)
    except (TimeoutError, grpc.aio.InternalError):
        # A client that does not read, or that has gone, does not get a status either.
        raise asyncio.CancelledError from None


async def abort(context: grpc.aio.ServicerContext[bytes, bytes], fault: Fault) -> NoReturn:
    """Ends a call with the status of a fault; its details say reason, field and when to try again."""
    metadata = {"field": fault.field} if fault.field else {}
    if fault.retry_after_ms:
        metadata["retry_after_ms"] = str(fault.retry_after_ms)
    detail = any_pb2.Any()
    detail.Pack(error_details_pb2.ErrorInfo(domain=DOMAIN, reason=fault.reason.name, metadata=metadata))
    status = status_pb2.Status(code=fault.code, message=fault.message, details=[detail])
    await context.abort(STATUS_CODES[fault.code], fault.message, ((_DETAILS_KEY, status.SerializeToString()),))
