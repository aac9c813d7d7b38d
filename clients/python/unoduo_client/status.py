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
# Reasons that may pass, beside those of code UNAVAILABLE.
_PASSING = frozenset({"SLOW_READER", "TOO_MANY_CALLS", "INBOX_FULL", "TOO_MANY_MATCHES"})

_Value = TypeVar("_Value")
_Error = TypeVar("_Error", bound=RefereeError)


def referee_error(error: grpc.aio.AioRpcError, address: str) -> RefereeError:
    """Returns the status of a call to that address as an error."""
    return _explain(RefereeError, error.code(), error.details(), error.trailing_metadata(), address)


def session_lost(
    call: grpc.aio.StreamStreamCall[session_pb2.PlayRequest, session_pb2.PlayResponse], address: str
) -> SessionLost:
    """Returns the status of a stream to that address, which has just ended, as an error.

    Meant for a done callback, which is called once, with the status that the referee sent. A later look would not do:
    a write that fails because the stream has ended replaces that status by "Internal error from Core"
    (https://github.com/grpc/grpc/issues/36066).
    """
    code = _at_once(call.code())
    if code is grpc.StatusCode.OK:
        return SessionLost(code, "", "", "the referee ended the session", may_pass=True)
    return _explain(SessionLost, code, _at_once(call.details()), _at_once(call.trailing_metadata()), address)


def _explain(
    kind: type[_Error],
    code: grpc.StatusCode,
    details: str | None,
    trailers: grpc.aio.Metadata | None,
    address: str,
) -> _Error:
    """Returns a status as an error with what the referee says about it, or a sentence about the transport."""
    info = _error_info(trailers)
    if not info.reason and (found := trouble(code, details or "", address)) is not None:
        message, may_pass = found
        return kind(code, "", "", message, may_pass=may_pass)
    after_ms = info.metadata.get("retry_after_ms", "")
    return kind(
        code,
        info.reason,
        info.metadata.get("field", ""),
        details or code.name,
        may_pass=code is grpc.StatusCode.UNAVAILABLE or info.reason in _PASSING,
        retry_after_ms=int(after_ms) if after_ms.isdecimal() else 0,
    )


def _error_info(trailers: grpc.aio.Metadata | None) -> ErrorInfo:
    """Returns what the referee says about a status, nothing if it does not."""
    details = next((value for key, value in trailers or () if key == _DETAILS_KEY), None)
    info = ErrorInfo()
    if isinstance(details, bytes):
        try:
            for detail in Status.FromString(details).details:
                if detail.Unpack(info) and info.domain == _DOMAIN:
                    return info
        except DecodeError:
            pass
    return ErrorInfo()


def _at_once(coroutine: Coroutine[Any, Any, _Value]) -> _Value:
    """Returns what a coroutine returns that has nothing to wait for: the parts of the status of a finished call."""
    try:
        coroutine.send(None)
    except StopIteration as returned:
        return returned.value  # type: ignore[no-any-return]
    raise RuntimeError("the call has not finished")
