"""What can go wrong between a bot and its referee, one type a cause; errors carry data, `str()` is for people."""

from pathlib import Path

import grpc
from unoduo.v1 import outcome_pb2, session_pb2

from unoduo_client.enums import enum_name

# Problems with these codes may pass.
_PASSING = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})


class ClientError(Exception):
    """Is the base of all errors of this package."""


class RefereeError(ClientError):
    """Reports a call that the referee refused.

    `code` is the gRPC status, `reason` the stable UPPER_SNAKE_CASE name of PROTOCOL.md section 5, `field` the field
    that is wrong (empty if none). The reason is empty when the status came from the transport, not from the referee.
    `may_pass` is true if trying again may help, `retry_after_ms` when, 0 if the referee did not say.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        field: str,
        message: str,
        *,
        may_pass: bool = False,
        retry_after_ms: int = 0,
    ) -> None:
        super().__init__(code, reason, field, message)
        self.code = code
        self.reason = reason
        self.field = field
        self.message = message
        self.may_pass = may_pass
        self.retry_after_ms = retry_after_ms

    def __str__(self) -> str:
        """Returns the message with its reason and field."""
        where = f" in {self.field}" if self.field else ""
        return f"{self.message} ({self.reason or self.code.name}{where})"


class ProblemError(RefereeError):
    """Reports an item of a session that the referee could not handle; the session goes on."""

    def __init__(self, problem: session_pb2.Problem) -> None:
        code, after_ms = status_code(problem.code), problem.retry_after_ms
        super().__init__(
            code,
            problem.reason,
            problem.field,
            problem.message,
            may_pass=after_ms > 0 and code in _PASSING,
            retry_after_ms=after_ms,
        )


class SessionLost(RefereeError):
    """Reports that the whole session ended; every seat on it raises the same error."""


class MatchOver(ClientError):
    """Reports that nothing can be said any more because the match has ended; `ended` says how."""

    def __init__(self, ended: session_pb2.Ended) -> None:
        super().__init__(ended)
        self.ended = ended

    def __str__(self) -> str:
        """Returns how the match ended."""
        return f"the match has ended: {enum_name(outcome_pb2.Termination.Name, self.ended.outcome.termination)}"


class SeatDetached(ClientError):
    """Reports that delivery for a seat has ended while its match goes on.

    After DETACH_REASON_REPLACED a client must not join again by itself.
    """

    def __init__(self, detached: session_pb2.Detached) -> None:
        super().__init__(detached)
        self.reason = detached.reason
        self.join_number = detached.join_number

    def __str__(self) -> str:
        """Returns why delivery ended."""
        name = enum_name(session_pb2.DetachReason.Name, self.reason).removeprefix("DETACH_REASON_")
        if self.reason == session_pb2.DETACH_REASON_REPLACED:
            return f"another session took the seat ({name})"
        if self.reason == session_pb2.DETACH_REASON_TOKEN_REVOKED:
            return f"the token of the seat was replaced ({name})"
        return f"the referee let go of the seat ({name})"


class ForkedError(ClientError):
    """Reports that the log of the referee is another one than what it told this seat: do not play on.

    `sequence` is the last event that the seat was told, `journal` the file that proves it, None if none was kept.
    """

    def __init__(self, sequence: int, journal: Path | None) -> None:
        super().__init__(sequence, journal)
        self.sequence = sequence
        self.journal = journal

    def __str__(self) -> str:
        """Returns what is wrong and where the proof is."""
        proof = "no journal was kept" if self.journal is None else f"the proof is in {self.journal}"
        return f"the referee's log is not what it told this seat up to event {self.sequence}; {proof}"


class EntropyMissing(ClientError):
    """Reports a deal that does not contain the entropy of this seat as it was sent (PROTOCOL.md section 8)."""

    def __init__(self, sent: bytes, sealed: bytes | None) -> None:
        super().__init__(sent, sealed)
        self.sent = sent
        self.sealed = sealed

    def __str__(self) -> str:
        """Returns what was sent and what the referee used."""
        used = "no deal was shown" if self.sealed is None else f"the deal has {self.sealed.hex() or 'none'}"
        return f"the deal is not to be trusted: this seat sent entropy {self.sent.hex() or 'none'}, {used}"


class JournalError(ClientError):
    """Reports a journal that can no longer be written; a seat without evidence does not play on."""


class BotError(ClientError):
    """Reports a bot that gave no legal action."""


def status_code(number: int) -> grpc.StatusCode:
    """Returns the gRPC status of a number, UNKNOWN for one that does not exist."""
    return next((code for code in grpc.StatusCode if code.value[0] == number), grpc.StatusCode.UNKNOWN)
