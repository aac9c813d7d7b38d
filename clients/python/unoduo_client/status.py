"""Reads the referee's answer out of a gRPC status (PROTOCOL.md section 5)."""

import grpc.aio
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from unoduo_client.errors import RefereeError, SessionLost

_DETAILS_KEY = "grpc-status-details-bin"
_DOMAIN = "unoduo.v1"


def referee_error(error: grpc.aio.AioRpcError) -> RefereeError:
    """Returns the status of a unary call as an error with reason and field."""
    reason, field = _error_info(error)
    return RefereeError(error.code(), reason, field, error.details() or error.code().name)


def session_lost(error: grpc.aio.AioRpcError) -> SessionLost:
    """Returns the status that ended a session as an error with reason and field."""
    reason, field = _error_info(error)
    return SessionLost(error.code(), reason, field, error.details() or error.code().name)


def _error_info(error: grpc.aio.AioRpcError) -> tuple[str, str]:
    """Returns reason and field of the status; both are empty if the referee gave none."""
    details = next((value for key, value in error.trailing_metadata() or () if key == _DETAILS_KEY), None)
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
