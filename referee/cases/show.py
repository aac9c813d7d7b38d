"""Domain values in the words of case files, for messages."""

import json
from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, get_args

from google.protobuf.json_format import MessageToDict
from unoduo.v1 import event_pb2, observation_pb2

from referee.cases.views import ViewPart
from referee.codec.actions import encode_action
from referee.codec.enums import CARDS, COLORS, PHASES, ROUND_END_REASONS, SEATS, TERMINATIONS, EnumTable
from referee.codec.facts import fact_bytes
from referee.rules.actions import Action
from referee.rules.cards import Card, Color
from referee.rules.events import Event, Fact, RoundEndReason
from referee.rules.observe import ObservedEvent
from referee.rules.outcome import Termination
from referee.rules.seats import Seat
from referee.rules.state import Phase

_TABLES: Final[Mapping[type[Enum], EnumTable[Any, Any]]] = MappingProxyType(
    {
        Card: CARDS,
        Color: COLORS,
        Seat: SEATS,
        Phase: PHASES,
        RoundEndReason: ROUND_END_REASONS,
        Termination: TERMINATIONS,
    }
)


def show(value: object) -> str:
    """Returns a value as a case file would write it, without quotes."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(show, value))}]"
    if isinstance(value, Event):
        return _show_event(value)
    if isinstance(value, ObservedEvent):
        public = _show_fact(value.fact)
        return f"{public} with {show(value.private_cards)}" if value.private_cards else public
    if isinstance(value, Action):
        return json.dumps(MessageToDict(encode_action(value)))
    if isinstance(value, ViewPart):
        return f"{show(value.values)} in {', '.join(value.names)}"
    if isinstance(value, observation_pb2.View):
        return json.dumps(MessageToDict(value))
    table = _TABLES.get(type(value)) if isinstance(value, Enum) else None
    return str(value) if table is None else table.name(value)


def event_kind(event: Event) -> str:
    """Returns the kind of an event as protobuf's JSON mapping names it, as in `cardsPlayed`."""
    return _kind_name(type(event.fact))


def _kind_name(kind: type[Fact]) -> str:
    # The fields of message Event bear the names of the facts.
    return kind.__name__[0].lower() + kind.__name__[1:]


EVENT_KINDS: Final = frozenset(map(_kind_name, get_args(Fact)))


def _show_event(event: Event) -> str:
    public = _show_fact(event.fact)
    if event.private_to is None:
        return public
    return f"{public} with {show(event.private_cards)} to {show(event.private_to)}"


def _show_fact(fact: Fact) -> str:
    return json.dumps(MessageToDict(event_pb2.Event.FromString(fact_bytes(fact))))
