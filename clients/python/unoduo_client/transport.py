"""What it means when the way to the referee fails: gRPC says it in words for its own developers only."""

from __future__ import annotations

import grpc

# Codes that the transport sets by itself.
_OF_THE_TRANSPORT = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }
)
# What gRPC writes, what it means, and whether trying again may help.
_KNOWN = (
    ("Connection refused", "nobody listens at {}", True),
    ("CERTIFICATE_VERIFY_FAILED", "the certificate of the referee at {} is not trusted", False),
    ("Hostname Verification Check failed", "the certificate of the referee at {} is for another name", False),
    ("WRONG_VERSION_NUMBER", "the referee at {} does not speak TLS", False),
    ("errors resolving", "the name in {} is not known", True),
    ("failed to connect", "no connection to {} comes about; perhaps the referee there speaks TLS", True),
    ("Deadline Exceeded", "the referee at {} does not answer", True),
)


def trouble(code: grpc.StatusCode, details: str, address: str) -> tuple[str, bool] | None:
    """Returns what a status without reason means, and whether it may pass; None if it is not about the transport."""
    if code not in _OF_THE_TRANSPORT:
        return None
    for sign, message, may_pass in _KNOWN:
        if sign in details:
            return message.format(address), may_pass
    return f"the connection to the referee at {address} was lost", True
