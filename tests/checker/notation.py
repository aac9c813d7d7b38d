"""Writes values of the engine in the words of the checker. No value is judged here."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any

from referee.rules.actions import Action as EngineAction
from referee.rules.actions import ChooseColor, Play
from referee.rules.cards import Card
from referee.rules.events import Event as EngineEvent
from referee.rules.outcome import Outcome
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from referee.rules.state import Phase
from tests.checker.course import Event
from tests.checker.position import Action, Words

_CARD_NAMES: Mapping[Card, str] = MappingProxyType({card: card.name for card in Card})


def options_in_words(ruleset: Ruleset) -> Words:
    """Returns the options of R15.1 by name."""
    return _fields_in_words(ruleset)


def seat_in_words(seat: Seat | None) -> str | None:
    """Returns `A` or `B`."""
    return None if seat is None else seat.name


def phase_in_words(phase: Phase) -> str:
    """Returns the name of a phase."""
    return phase.name


def action_in_words(action: EngineAction) -> Action:
    """Returns the kind of an action and what it holds, in the order of the fields."""
    if isinstance(action, Play):
        cards = tuple(_CARD_NAMES[card] for card in action.cards)
        return ("play", cards, action.color and action.color.name, action.uno)
    if isinstance(action, ChooseColor):
        return ("choose_color", action.color.name)
    return (_snake_case(type(action)),)


def event_in_words(event: EngineEvent) -> Event:
    """Returns an event with its public part by field."""
    cards = tuple(_CARD_NAMES[card] for card in event.private_cards)
    return _snake_case(type(event.fact)), _fields_in_words(event.fact), seat_in_words(event.private_to), cards


def _fields_in_words(value: Any) -> Words:
    return {name: _in_words(getattr(value, name)) for name in value.__dataclass_fields__}


def _in_words(value: object) -> object:
    if isinstance(value, Card):
        return _CARD_NAMES[value]
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple):
        return tuple(_in_words(part) for part in value)
    if isinstance(value, Outcome):
        return _fields_in_words(value)
    return value


def _snake_case(kind: type) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__).lstrip("_")
