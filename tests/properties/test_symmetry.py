"""The same deal and actions give the same events; seats exchanged, the same with seats exchanged (RULES.md R13.7)."""

from dataclasses import fields, replace
from typing import Any

import pytest

from referee.rules.events import Cut, Event, Fact, MatchEnded, RoundEnded
from referee.rules.seats import Seat
from referee.rules.state import Phase
from tests.properties.worlds import Match, apply, first_step, next_step, random_match

SEEDS = range(60)


def history(match: Match) -> list[Event]:
    events = []
    step = first_step(match)
    while True:
        events += step[2]
        apply(match, step)
        if match.state.phase is Phase.MATCH_OVER:
            return events
        step = next_step(match)


def exchanged(fact: Fact) -> Fact:
    """Returns the fact with the seats exchanged."""
    match fact:
        case Cut(card_a, card_b):
            return Cut(card_b, card_a)
        case RoundEnded(winner, reason, hands, points, totals):
            (a, b), (x, y), (t, u) = hands, points, totals
            return RoundEnded(other(winner), reason, (b, a), (y, x), (u, t))
        case MatchEnded(outcome):
            total_a, total_b = outcome.totals
            return MatchEnded(replace(outcome, winner=other(outcome.winner), totals=(total_b, total_a)))
    changes: dict[str, Any] = {
        field.name: value.other for field in fields(fact) if isinstance(value := getattr(fact, field.name), Seat)
    }
    return replace(fact, **changes)


def other(seat: Seat | None) -> Seat | None:
    return None if seat is None else seat.other


@pytest.mark.parametrize("seed", SEEDS)
def test_events_depend_on_deal_ruleset_and_actions_alone(seed: int) -> None:
    assert history(random_match(seed)) == history(random_match(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_exchanged_seats_exchange_every_event(seed: int) -> None:
    expected = [
        Event(exchanged(event.fact), event.private_cards, other(event.private_to))
        for event in history(random_match(seed))
    ]
    assert history(random_match(seed, swapped=True)) == expected
