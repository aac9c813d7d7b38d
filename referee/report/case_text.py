"""A case of the rules as people read it: the start in words, then a line a step and what it leads to."""

import json
from collections.abc import Iterator
from typing import assert_never

from google.protobuf.json_format import MessageToDict
from unoduo.v1 import action_pb2

from referee.cases.model import (
    CardPoints,
    Case,
    DeckContents,
    DeckOrder,
    Expected,
    FullDeal,
    Game,
    LeadsTo,
    MalformedField,
    Position,
    Rejected,
    RulesetCheck,
    Rulesets,
    Start,
)
from referee.cases.show import show
from referee.cases.shuffles import Shuffles
from referee.codec.actions import decode_action
from referee.codec.errors import Malformed
from referee.codec.settings import encode_ruleset
from referee.report.names import card_list, card_name, color_name
from referee.report.text import describe, describe_action
from referee.rules.actions import Action
from referee.rules.cards import Card
from referee.rules.events import Event
from referee.rules.observe import ObservedEvent
from referee.rules.ruleset import DUO, Ruleset


def case_lines(case: Case) -> Iterator[str]:
    """Yields what a case says, without its id and title: first where it starts, then its steps, numbered."""
    body = case.body
    if isinstance(body, Game):
        yield from _game_lines(body)
    elif isinstance(body, DeckContents):
        yield f"deck {body.deck.name}: {body.size} cards, {body.points} points"
        yield ", ".join(f"{copies} x {card_name(card)}" for card, copies in body.copies.items())
    elif isinstance(body, CardPoints):
        yield ", ".join(f"{card_name(card)} {points}" for card, points in body.points.items())
    elif isinstance(body, Rulesets):
        yield from map(_check_line, body.checks)
    else:
        assert_never(body)


def _game_lines(game: Game) -> Iterator[str]:
    if game.ruleset != DUO:
        yield f"rules: {_ruleset_text(game.ruleset)}"
    yield from _start_lines(game.start)
    if game.shuffles is not None:
        yield from _shuffle_lines(game.shuffles)
    if game.begin is not None:
        yield "the match begins"
        yield from _expectation_lines(game.begin)
    for number, step in enumerate(game.steps, 1):
        leads_to = step.leads_to
        yield f"{number}. {step.seat.name}: {_action_text(step.action)}{_refusal_text(leads_to)}"
        if isinstance(leads_to, Expected):
            yield from _expectation_lines(leads_to)


def _start_lines(start: Start) -> Iterator[str]:
    if isinstance(start, FullDeal):
        yield f"any full deal in which {start.cut_winner.name} wins the cut and the starter is a number"
    elif isinstance(start, DeckOrder):
        yield f"deck, next card out first: {card_list(start.cards)}"
    elif isinstance(start, Position):
        hand_a, hand_b = start.hands
        yield f"A holds {card_list(hand_a)}; B holds {card_list(hand_b)}"
        yield f"discard pile, oldest first: {card_list(start.discard)}; draw pile: {card_list(start.draw)}"
        named = "" if start.color is None else f"; color {color_name(start.color)}"
        free = "" if start.free_color is None else f"; free color {color_name(start.free_color)}"
        totals = "" if start.totals == (0, 0) else f"; totals {start.totals[0]} and {start.totals[1]}"
        yield f"turn of {start.turn.name}{named}{free}{totals}"
    else:
        assert_never(start)


def _shuffle_lines(shuffles: Shuffles) -> Iterator[str]:
    if shuffles.cut is not None:
        yield f"cut: {card_list(shuffles.cut)}"
    if shuffles.opening_block is not None:
        yield f"draft discards as shuffled: {card_list(shuffles.opening_block)}"
    for number, order in enumerate(shuffles.recycles, 1):
        yield f"recycle {number} as shuffled: {card_list(order)}"
    for round, order in enumerate(shuffles.later_decks or (), 2):
        yield f"deck of round {round}: {card_list(order)}"


def _action_text(message: action_pb2.Action) -> str:
    try:
        return describe_action(decode_action(message))
    except Malformed:
        return json.dumps(MessageToDict(message))


def _refusal_text(leads_to: LeadsTo) -> str:
    if isinstance(leads_to, Rejected):
        return f" - refused, {leads_to.reason} ({leads_to.clause})"
    if isinstance(leads_to, MalformedField):
        return f" - malformed, {leads_to.field}"
    return ""


def _expectation_lines(expected: Expected) -> Iterator[str]:
    """Yields what has a single value on one line, then each list of events or actions with a line an element."""
    listed = {expectation.name: _listed(expectation.value) for expectation in expected.expectations}
    single = [f"{item.name} {_value_text(item.value)}" for item in expected.expectations if not listed[item.name]]
    if single:
        yield f"   {'; '.join(single)}"
    for name, texts in listed.items():
        if texts:
            yield f"   {name}:"
            yield from (f"     {text}" for text in texts)


def _value_text(value: object) -> str:
    if isinstance(value, tuple) and value and all(isinstance(item, Card) for item in value):
        return card_list(value)
    return show(value)


def _listed(value: object) -> list[str]:
    """Returns the events or actions of a list in words, nothing for any other value."""
    texts = [_item_text(item) for item in value] if isinstance(value, tuple) else []
    return [text for text in texts if text]


def _item_text(item: object) -> str:
    if isinstance(item, Event):
        private = "" if item.private_to is None else f" [private to {item.private_to.name}]"
        return f"{describe(item.fact, item.private_cards).text}{private}"
    if isinstance(item, ObservedEvent):
        return describe(item.fact, item.private_cards).text
    return describe_action(item) if isinstance(item, Action) else ""


def _check_line(check: RulesetCheck) -> str:
    submitted = check.ruleset if isinstance(check.ruleset, str) else json.dumps(MessageToDict(check.ruleset))
    leads_to = check.leads_to
    result = f"{leads_to.field} is refused" if isinstance(leads_to, MalformedField) else _ruleset_text(leads_to)
    return f"{submitted}: {result}"


def _ruleset_text(ruleset: Ruleset) -> str:
    """Returns what differs from the default rules, in the names of case files."""
    options = MessageToDict(encode_ruleset(ruleset))
    defaults = MessageToDict(encode_ruleset(DUO))
    changed = ", ".join(f"{name} {value}" for name, value in options.items() if value != defaults[name])
    return changed or "all defaults"
