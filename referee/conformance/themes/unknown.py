"""What a later version of the protocol may bring: it is skipped, and nothing ends by it."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from unoduo.v1 import action_pb2, event_pb2, session_pb2

from referee.conformance.checks import Check
from referee.conformance.front import Line
from referee.conformance.script import UNKNOWN_VALUE, nth, rejected, stale, unknown_field, unknown_item
from referee.conformance.stage import Plan, Stage
from referee.conformance.themes.answering import once

_IN_PLAY = 8
_KEPT_EVENTS = ("deal_sealed", "match_ended")


async def _items(stage: Stage) -> str:
    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        return [unknown_item(0), unknown_item(item.handle), item]

    async with stage.match(Plan(told=told)) as match:
        return await match.finished()


async def _events(stage: Stage) -> str:
    """Puts an unknown kind in the place of every other event."""

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        for observed in item.observation.events:
            if observed.sequence % 2 and observed.event.WhichOneof("kind") not in _KEPT_EVENTS:
                observed.event.Clear()
                observed.event.MergeFromString(unknown_field())
        return [item]

    async with stage.match(Plan(told=told)) as match:
        return await match.finished(verified=False)


async def _values(stage: Stage) -> str:
    """Puts an unknown number in the place of the enums of events, and of the end."""

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        for observed in item.observation.events:
            if observed.event.WhichOneof("kind") not in _KEPT_EVENTS:
                _renumber(observed.event)
        return [item]

    async with stage.match(Plan(told=told)) as match:
        return await match.finished(verified=False)


def _renumber(message: Message) -> None:
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE and not field.is_repeated:
            _renumber(value)
        elif field.type == FieldDescriptor.TYPE_ENUM and not field.is_repeated:
            setattr(message, field.name, UNKNOWN_VALUE)


async def _view(stage: Stage) -> str:
    """Puts unknown numbers in the place of the enums of each view and decision, and unknown cards among the known."""

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        view = item.observation.view
        if item.observation.HasField("view"):
            _renumber(view)
            for cards in (view.hand, view.discard_pile, view.known_tail):
                cards.append(UNKNOWN_VALUE)  # type: ignore[arg-type]
        if item.observation.HasField("decision"):
            item.observation.decision.phase = UNKNOWN_VALUE  # type: ignore[assignment]
        return [item]

    async with stage.match(Plan(told=told)) as match:
        return await match.finished(verified=False)


async def _fields(stage: Stage) -> str:
    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        _extend(item)
        return [item]

    async with stage.match(Plan(told=told)) as match:
        return await match.finished(verified=False)


def _extend(message: Message) -> None:
    """Adds a field to a message and all in it, but for what comes back to the referee or whose kind it would unset."""
    if isinstance(message, action_pb2.Action):
        return
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for inner in value if field.is_repeated else (value,):
                _extend(inner)
    if not isinstance(message, event_pb2.Event):
        message.MergeFromString(unknown_field())


async def _refusal(stage: Stage) -> str:
    plan = once(
        nth("action", _IN_PLAY),
        lambda line, item: line.tell(rejected(item, 5, UNKNOWN_VALUE)),  # type: ignore[arg-type]
    )
    async with stage.match(plan) as match:
        return await match.finished(verified=False)


async def _staleness(stage: Stage) -> str:
    """Answers an action that the referee takes as stale, for an unknown reason; the match goes on."""
    is_it = nth("action_result", _IN_PLAY)

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        if is_it(item):
            result = session_pb2.RequestItem(handle=item.handle)
            result.action.action_id, result.action.decision_id = (
                item.action_result.action_id,
                item.action_result.decision_id,
            )
            return [stale(result, UNKNOWN_VALUE)]  # type: ignore[arg-type]
        return [item]

    async with stage.match(Plan(told=told)) as match:
        return await match.finished(verified=False)


async def _verdict(stage: Stage) -> str:
    """Answers an action that the referee takes with a verdict of an unknown kind."""
    is_it = nth("action_result", _IN_PLAY)

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        if is_it(item):
            item.action_result.ClearField("accepted")
            item.action_result.MergeFromString(unknown_field())
        return [item]

    async with stage.match(Plan(told=told)) as match:
        return await match.finished(verified=False)


async def _termination(stage: Stage) -> str:
    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        if item.HasField("ended"):
            item.ended.outcome.termination = UNKNOWN_VALUE  # type: ignore[assignment]
        return [item]

    async with stage.match(Plan(told=told)) as match:
        return await match.finished(verified=False)


_SKIPS = "it skips them and plays on"

CHECKS = (
    Check("unknown-items", f"items of an unknown kind come, for the session and for the seat: {_SKIPS}", _items),
    Check("unknown-events", f"every other event is of an unknown kind: {_SKIPS}", _events),
    Check("unknown-values", "the enums of events have unknown numbers: it takes no harm and plays on", _values),
    Check("unknown-view", "the view has cards and enums with unknown numbers: it takes no harm and plays on", _view),
    Check("unknown-fields", f"every message has an unknown field: {_SKIPS}", _fields),
    Check("unknown-refusal", "an action is rejected for an unknown reason: it answers the decision again", _refusal),
    Check("unknown-staleness", "an action is stale for an unknown reason: it plays on", _staleness),
    Check("unknown-verdict", "the verdict on an action is of an unknown kind: it plays on", _verdict),
    Check("unknown-termination", "the match ends in an unknown way: exit code 0", _termination),
)
