"""The answers of the referee as items of a session, encoded (session.proto)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from unoduo.v1 import session_pb2 as pb

from referee.adjudication.state import Lifecycle
from referee.codec.enums import LIFECYCLES, REJECTION_REASONS, SEATS
from referee.codec.observations import response_item
from referee.codec.outcomes import encode_outcome
from referee.codec.seals import Seal
from referee.codec.wire import Field, bytes_field, message_field
from referee.match.faults import Fault
from referee.rules.actions import (
    Action,
    Catch,
    Challenge,
    ChooseColor,
    Draw,
    KeepDrawn,
    KeepOffered,
    LetPass,
    Play,
    RefuseOffered,
)
from referee.rules.errors import IllegalAction, Reason
from referee.rules.seats import Seat

PROTOCOL: Final = 1

_ACTION_ID: Final = bytes_field(1)
_DECISION_ID: Final = Field(2)
_ACCEPTED: Final = message_field(3)
_FIRST_SEQUENCE: Final = Field(1)
_SEQUENCE: Final = Field(2)

_KIND_FIELDS: Final[Mapping[type, str]] = MappingProxyType(
    {
        KeepOffered: "keep_offered",
        RefuseOffered: "refuse_offered",
        ChooseColor: "choose_color",
        Play: "play",
        Draw: "draw",
        KeepDrawn: "keep_drawn",
        Challenge: "challenge",
        Catch: "catch",
        LetPass: "let_pass",
    }
)
_ABOUT_COLOR: Final = frozenset({Reason.COLOR_REQUIRED, Reason.COLOR_NOT_ALLOWED})
_ABOUT_KIND: Final = frozenset({Reason.MATCH_NOT_RUNNING, Reason.NOT_YOUR_DECISION, Reason.WRONG_PHASE})


def session_info(server: str, max_items: int, max_seats: int, max_message_bytes: int) -> bytes:
    """Returns the answer to `hello`, for handle 0."""
    message = pb.SessionInfo(
        server=server,
        protocol=PROTOCOL,
        max_items=max_items,
        max_seats=max_seats,
        max_message_bytes=max_message_bytes,
    )
    return response_item(0, pb.ResponseItem.SESSION_INFO_FIELD_NUMBER, message.SerializeToString())


def assigned(match_id: bytes, seat: Seat, bot_seed: bytes) -> bytes:
    """Returns what tells a bot of a seat, for handle 0."""
    message = pb.Assigned(match_id=match_id, seat=SEATS.numbers[seat], bot_seed=bot_seed)
    return response_item(0, pb.ResponseItem.ASSIGNED_FIELD_NUMBER, message.SerializeToString())


def joined(handle: int, match_id: bytes, seat: Seat, header: bytes, lifecycle: Lifecycle, join_number: int) -> bytes:
    """Returns the answer to `join`."""
    message = pb.Joined(
        match_id=match_id,
        seat=SEATS.numbers[seat],
        header=header,
        lifecycle=LIFECYCLES.numbers[lifecycle],
        join_number=join_number,
    )
    return response_item(handle, pb.ResponseItem.JOINED_FIELD_NUMBER, message.SerializeToString())


def ready_accepted(handle: int, h0: bytes, entropy: bytes) -> bytes:
    """Returns the answer to `ready`; `entropy` is what counts of the seat, empty if that is none."""
    message = pb.ReadyAccepted(h0=h0, entropy=entropy)
    return response_item(handle, pb.ResponseItem.READY_ACCEPTED_FIELD_NUMBER, message.SerializeToString())


def observation(handle: int, payload: bytes) -> bytes:
    """Returns an item with a serialised observation."""
    return response_item(handle, pb.ResponseItem.OBSERVATION_FIELD_NUMBER, payload)


def accepted(handle: int, action_id: str, decision_id: int, first_sequence: int, sequence: int) -> bytes:
    """Returns the answer to an action that was taken."""
    verdict = _FIRST_SEQUENCE[first_sequence] + _SEQUENCE[sequence]
    payload = _ACTION_ID(action_id.encode()) + _DECISION_ID[decision_id] + _ACCEPTED(verdict)
    return response_item(handle, pb.ResponseItem.ACTION_RESULT_FIELD_NUMBER, payload)


def rejected(
    handle: int, action_id: str, decision_id: int, action: Action, refusal: IllegalAction, tries_left: int
) -> bytes:
    """Returns the answer to an action that the rules refuse."""
    verdict = pb.Rejected(
        reason=REJECTION_REASONS.numbers[refusal.reason],
        clause=refusal.clause,
        field=_field(action, refusal.reason),
        message=refusal.message,
        tries_left=tries_left,
    )
    message = pb.ActionResult(action_id=action_id, decision_id=decision_id, rejected=verdict)
    return response_item(handle, pb.ResponseItem.ACTION_RESULT_FIELD_NUMBER, message.SerializeToString())


def stale(
    handle: int, action_id: str, decision_id: int, reason: pb.StaleReason.ValueType, current_decision_id: int
) -> bytes:
    """Returns the answer to an action whose decision is not open."""
    verdict = pb.Stale(reason=reason, current_decision_id=current_decision_id)
    message = pb.ActionResult(action_id=action_id, decision_id=decision_id, stale=verdict)
    return response_item(handle, pb.ResponseItem.ACTION_RESULT_FIELD_NUMBER, message.SerializeToString())


def ended(handle: int, seal: Seal, sequence: int, replay_available: bool) -> bytes:
    """Returns the item that ends a handle because its match has ended."""
    message = pb.Ended(
        outcome=encode_outcome(seal.outcome),
        sequence=sequence,
        head=seal.final_head,
        signature=seal.signature,
        replay_available=replay_available,
    )
    return response_item(handle, pb.ResponseItem.ENDED_FIELD_NUMBER, message.SerializeToString())


def detached(handle: int, reason: pb.DetachReason.ValueType, join_number: int) -> bytes:
    """Returns the item that ends a handle although its match goes on."""
    message = pb.Detached(reason=reason, join_number=join_number)
    return response_item(handle, pb.ResponseItem.DETACHED_FIELD_NUMBER, message.SerializeToString())


def problem(handle: int, fault: Fault) -> bytes:
    """Returns the answer to an item that could not be handled."""
    message = pb.Problem(
        code=fault.code,
        reason=fault.reason.name,
        field=fault.field,
        message=fault.message,
        retry_after_ms=fault.retry_after_ms,
    )
    return response_item(handle, pb.ResponseItem.PROBLEM_FIELD_NUMBER, message.SerializeToString())


def _field(action: Action, reason: Reason) -> str:
    """Returns the field of the action that a refusal is about; the kind itself if the whole action is wrong."""
    kind = _KIND_FIELDS[type(action)]
    if not isinstance(action, Play) or reason in _ABOUT_KIND:
        return kind
    return "play.color" if reason in _ABOUT_COLOR else "play.cards"
