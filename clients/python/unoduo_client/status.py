"""Reads the referee's answer out of a gRPC status (PROTOCOL.md section 5)."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

import grpc.aio
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from unoduo.v1 import session_pb2

from unoduo_client.errors import RefereeError, SessionLost
from unoduo_client.transport import trouble

_DETAILS_KEY = "grpc-status-details-bin"
_DOMAIN = "unoduo.v1"
# Reasons for which a session is ended, and after which another one may be had, beside those of code UNAVAILABLE.
_PASSING = frozenset({"SLOW_READER", "TOO_MANY_CALLS"})

_Value = TypeVar("_Value")


def referee_error(error: grpc.aio.AioRpcError, address: str) -> RefereeError:
    """Returns the status of a call to that address as an error with reason and field."""
    reason, field = _error_info(error.trailing_metadata())
    message, _ = _explain(error.code(), reason, error.details(), address)
    return RefereeError(error.code(), reason, field, message)


def session_lost(
    call: grpc.aio.StreamStreamCall[session_pb2.PlayRequest, session_pb2.PlayResponse], address: str
) -> SessionLost:
    """Returns the status of a stream to that address, which has just ended, as an error with reason and field.

    Meant for a done callback, which is called once, with the status that the referee sent. A later look would not do:
    a write that fails because the stream has ended replaces that status by "Internal error from Core"
    (https://github.com/grpc/grpc/issues/36066).
    """
    code = _at_once(call.code())
    reason, field = _error_info(_at_once(call.trailing_metadata()))
    if code is grpc.StatusCode.OK:
        return SessionLost(code, reason, field, "the referee ended the session", may_pass=True)
    message, may_pass = _explain(code, reason, _at_once(call.details()), address)
    return SessionLost(code, reason, field, message, may_pass=may_pass)


def _explain(code: grpc.StatusCode, reason: str, details: str | None, address: str) -> tuple[str, bool]:
    """Returns a sentence about a status and whether what it is about may pass."""
    if not reason and (found := trouble(code, details or "", address)) is not None:
        return found
    may_pass = code is grpc.StatusCode.UNAVAILABLE or reason in _PASSING
    return details or code.name, may_pass


def _error_info(trailers: grpc.aio.Metadata | None) -> tuple[str, str]:
    """Returns reason and field of a status; both are empty if the referee gave none."""
    details = next((value for key, value in trailers or () if key == _DETAILS_KEY), None)
    if not isinstance(details, bytes):
        return "", ""
    info = ErrorInfo()
    try:
        for detail in Status.FromString(details).details:
            if detail.Unpack(info) and info.domain == _DOMAIN:
                return info.reason, info.metadata.get("field", "")
    except DecodeError:
        pass
    return "", ""


def _at_once(coroutine: Coroutine[Any, Any, _Value]) -> _Value:
    """Returns what a coroutine returns that has nothing to wait for: the parts of the status of a finished call."""
    try:
        coroutine.send(None)
    except StopIteration as returned:
        return returned.value  # type: ignore[no-any-return]
    raise RuntimeError("the call has not finished")
