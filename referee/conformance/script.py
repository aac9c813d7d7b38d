"""What checks make of what passes: counting moments, and answers in the name of the referee."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import grpc
from unoduo.v1 import session_pb2

Item: TypeAlias = session_pb2.RequestItem | session_pb2.ResponseItem

UNKNOWN_FIELD = 999
UNKNOWN_VALUE = 77
_LENGTH_DELIMITED = 2
_BYTE = 0x80


def nth(kind: str, number: int) -> Callable[[Item], bool]:
    """Returns what says of each item whether it is the one of this kind with this number, counted from 1."""
    seen = 0

    def is_it(item: Item) -> bool:
        nonlocal seen
        seen += item.WhichOneof("kind") == kind
        return item.WhichOneof("kind") == kind and seen == number

    return is_it


def rejected(
    item: session_pb2.RequestItem,
    tries_left: int,
    reason: session_pb2.RejectionReason.ValueType = session_pb2.REJECTION_REASON_CARD_NOT_HELD,
) -> session_pb2.ResponseItem:
    """Returns that the rules refuse an action."""
    refusal = session_pb2.Rejected(
        reason=reason, clause="R13.3", field="play.cards", message="refused by the kit", tries_left=tries_left
    )
    result = session_pb2.ActionResult(
        action_id=item.action.action_id, decision_id=item.action.decision_id, rejected=refusal
    )
    return session_pb2.ResponseItem(handle=item.handle, action_result=result)


def stale(item: session_pb2.RequestItem, reason: session_pb2.StaleReason.ValueType) -> session_pb2.ResponseItem:
    """Returns that an action came for nothing, while no decision is open."""
    result = session_pb2.ActionResult(
        action_id=item.action.action_id, decision_id=item.action.decision_id, stale=session_pb2.Stale(reason=reason)
    )
    return session_pb2.ResponseItem(handle=item.handle, action_result=result)


def problem(handle: int, code: grpc.StatusCode, reason: str, retry_after_ms: int = 0) -> session_pb2.ResponseItem:
    """Returns that an item could not be handled."""
    trouble = session_pb2.Problem(
        code=code.value[0], reason=reason, message="refused by the kit", retry_after_ms=retry_after_ms
    )
    return session_pb2.ResponseItem(handle=handle, problem=trouble)


def detached(handle: int, reason: session_pb2.DetachReason.ValueType) -> session_pb2.ResponseItem:
    """Returns that delivery for a handle has ended."""
    return session_pb2.ResponseItem(handle=handle, detached=session_pb2.Detached(reason=reason, join_number=1))


def unknown_field(payload: bytes = b"from a later version") -> bytes:
    """Returns the bytes of a field that no message has, to be merged into one."""
    tag = UNKNOWN_FIELD << 3 | _LENGTH_DELIMITED
    return bytes([tag % _BYTE | _BYTE, tag // _BYTE, len(payload)]) + payload


def unknown_item(handle: int) -> session_pb2.ResponseItem:
    """Returns an item of a kind that this version does not have."""
    item = session_pb2.ResponseItem(handle=handle)
    item.MergeFromString(unknown_field())
    return item
