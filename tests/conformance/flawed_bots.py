"""Flaws of a bot: of what it makes of an observation, and when it ends."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

from unoduo.v1 import action_pb2, card_pb2, observation_pb2
from unoduo_client import cards, performance

from tests.conformance.patching import GREEDY, Bot, patch, plays


def dies_at_once() -> Bot:
    """Ends with exit code 1 before it has done anything."""
    sys.exit(1)


def lingers() -> Bot:
    """Does not end with its match."""
    original = performance._play

    async def play_on(*arguments: Any) -> None:
        await original(*arguments)
        await asyncio.Event().wait()

    patch(performance, "_play", play_on)
    return GREEDY


def knows_no_color_phase() -> Bot:
    """Dies when it is to name a color."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        assert observation.decision.phase != observation_pb2.PHASE_COLOR, "what is that?"
        return GREEDY(observation)

    return bot


def sorts_cards() -> Bot:
    """Sends the cards of a dump sorted."""
    return plays(lambda action: action.play.cards.sort() if action.HasField("play") else None)


def drops_zero_cards() -> Bot:
    """Takes a zero for nothing."""

    def drop(action: action_pb2.Action) -> None:
        if action.HasField("play"):
            action.play.cards[:] = [card for card in action.play.cards if cards.symbol(card)]

    return plays(drop)


def holds_thirty_cards() -> Bot:
    """Has room for thirty cards."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        hand = [0] * 30
        for place, card in enumerate(observation.view.hand):
            hand[place] = card
        return GREEDY(observation)

    return bot


def thinks_too_long() -> Bot:
    """Takes a second for each decision."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        time.sleep(1.0)
        return GREEDY(observation)

    return bot


def dies_of_unknown_events() -> Bot:
    """Takes it for granted that it knows each event."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        for observed in observation.events:
            assert observed.event.WhichOneof("kind"), "what is that?"
        return GREEDY(observation)

    return bot


def dies_of_unknown_values() -> Bot:
    """Takes it for granted that it knows each number of an enum."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        for observed in observation.events:
            kind = observed.event.WhichOneof("kind")
            for field, value in getattr(observed.event, kind or "").ListFields():
                if field.enum_type is not None and not field.is_repeated:
                    field.enum_type.values_by_number[value]
        return GREEDY(observation)

    return bot


def dies_of_unknown_cards() -> Bot:
    """Takes it for granted that it knows each card."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        for card in observation.view.hand:
            card_pb2.Card.Name(card)
        return GREEDY(observation)

    return bot


def dies_of_unknown_fields() -> Bot:
    """Refuses a message with a field that it does not know."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        bare = observation_pb2.Observation.FromString(observation.SerializeToString())
        bare.DiscardUnknownFields()
        assert bare.ByteSize() == observation.ByteSize(), "what is that?"
        return GREEDY(observation)

    return bot
