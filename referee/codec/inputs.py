"""Inputs and rejected tries of a log entry (log.proto)."""

from typing import Final, assert_never

from unoduo.v1 import log_pb2 as pb

from referee.adjudication.inputs import (
    Absence,
    ActionTaken,
    Expired,
    Input,
    InputKind,
    NoShow,
    RejectedTry,
    RejectionLimit,
    Resignation,
    Resume,
    Start,
    Void,
)
from referee.codec.actions import action_bytes, decode_action, decode_action_id
from referee.codec.enums import RESUME_REASONS, SEATS, TERMINATIONS
from referee.codec.errors import Malformed, join
from referee.codec.wire import Field, bytes_field, message_field
from referee.rules.actions import Action

_SEAT: Final = SEATS.fields(1)
_DECISION_ID: Final = Field(2)
_ELAPSED_MS: Final = Field(3)
_LAG_CREDIT_MS: Final = Field(4)
_ACTION: Final = message_field(5)
_START: Final = message_field(6)
_EXPIRED: Final = message_field(7)(b"")
_NO_SHOW: Final = message_field(8)
_DISCONNECTED: Final = message_field(9)
_REJECTION_LIMIT: Final = message_field(10)(b"")
_RESIGNED: Final = message_field(11)(b"")
_RESUMED: Final = message_field(12)
_VOIDED: Final = message_field(13)

_ACTION_ID: Final = bytes_field(1)
_LOGGED_ACTION: Final = message_field(2)
_ENTROPY_1: Final = bytes_field(1)
_ENTROPY_2: Final = bytes_field(2)
_NO_SHOW_SEATS: Final = bytes_field(1)
_ABSENCE_MS: Final = Field(1)
_RESUME_REASON: Final = Field(1)
_VOID_TERMINATION: Final = Field(1)
_VOID_REASON: Final = bytes_field(2)
_TRY_ACTION: Final = message_field(3)
_TRY_CLAUSE: Final = bytes_field(4)


def input_bytes(input: Input) -> bytes:
    """Returns the serialised message of an input."""
    return b"".join(
        (
            _SEAT[input.seat],
            _DECISION_ID[input.decision_id],
            _ELAPSED_MS[input.elapsed_ms],
            _LAG_CREDIT_MS[input.lag_credit_ms],
            _kind_bytes(input.kind),
        )
    )


def try_bytes(attempt: RejectedTry) -> bytes:
    """Returns the serialised message of a rejected try."""
    decision = _SEAT[attempt.seat] + _DECISION_ID[attempt.decision_id]
    action = _TRY_ACTION(_logged_action(attempt.action_id, attempt.action))
    return decision + action + _TRY_CLAUSE(attempt.clause.encode())


def decode_input(message: pb.Input, path: str = "input") -> Input:
    """Returns the input that a message holds.

    Raises:
        Malformed: for no kind or an unknown one (field `input.kind`), an unknown enum number or a malformed action.
    """
    return Input(
        SEATS.decode_optional(message.seat, join(path, "seat")),
        message.decision_id,
        message.elapsed_ms,
        message.lag_credit_ms,
        _decode_kind(message, path),
    )


def decode_try(message: pb.RejectedTry, path: str = "try") -> RejectedTry:
    """Returns the rejected try that a message holds.

    Raises:
        Malformed: for no seat or a malformed action.
    """
    action_id, action = _decode_logged_action(message.action, join(path, "action"))
    seat = SEATS.decode(message.seat, join(path, "seat"))
    return RejectedTry(seat, message.decision_id, action_id, action, message.clause)


def _kind_bytes(kind: InputKind) -> bytes:
    if isinstance(kind, ActionTaken):
        return _ACTION(_logged_action(kind.action_id, kind.action))
    if isinstance(kind, Expired):
        return _EXPIRED
    if isinstance(kind, Start):
        return _START(_ENTROPY_1(kind.entropy_1) + _ENTROPY_2(kind.entropy_2))
    if isinstance(kind, NoShow):
        return _NO_SHOW(_NO_SHOW_SEATS(bytes(SEATS.numbers[seat] for seat in kind.seats)))
    if isinstance(kind, Absence):
        return _DISCONNECTED(_ABSENCE_MS[kind.absence_ms])
    if isinstance(kind, RejectionLimit):
        return _REJECTION_LIMIT
    if isinstance(kind, Resignation):
        return _RESIGNED
    if isinstance(kind, Resume):
        return _RESUMED(_RESUME_REASON[RESUME_REASONS.numbers[kind.reason]])
    if isinstance(kind, Void):
        return _VOIDED(_VOID_TERMINATION[TERMINATIONS.numbers[kind.termination]] + _VOID_REASON(kind.reason.encode()))
    assert_never(kind)


def _decode_kind(message: pb.Input, path: str) -> InputKind:
    kind = message.WhichOneof("kind")
    here = join(path, kind or "kind")
    match kind:
        case "action":
            return ActionTaken(*_decode_logged_action(message.action, here))
        case "start":
            return Start(message.start.entropy_1, message.start.entropy_2)
        case "expired":
            return Expired()
        case "no_show":
            return NoShow(SEATS.decode_all(message.no_show.seats, f"{here}.seats"))
        case "disconnected":
            return Absence(message.disconnected.absence_ms)
        case "rejection_limit":
            return RejectionLimit()
        case "resigned":
            return Resignation()
        case "resumed":
            return Resume(RESUME_REASONS.decode(message.resumed.reason, f"{here}.reason"))
        case "voided":
            termination = TERMINATIONS.decode(message.voided.termination, f"{here}.termination")
            return Void(termination, message.voided.reason)
        case _:
            raise Malformed(here, "is missing or unknown")


def _logged_action(action_id: str, action: Action) -> bytes:
    return _ACTION_ID(action_id.encode()) + _LOGGED_ACTION(action_bytes(action))


def _decode_logged_action(message: pb.LoggedAction, path: str) -> tuple[str, Action]:
    action_id = decode_action_id(message.action_id, join(path, "action_id"))
    return action_id, decode_action(message.action, join(path, "action"))
