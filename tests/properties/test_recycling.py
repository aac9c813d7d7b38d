"""When the discard pile is turned over changes no card: at once and when needed come to the same (RULES.md R10.2)."""

import pytest

from referee.rules.decide import decide
from referee.rules.events import Event, Recycled, StarterTurned
from referee.rules.evolve import evolve
from referee.rules.observe import view
from referee.rules.ruleset import Piles
from referee.rules.seats import SEATS
from referee.rules.state import Phase, State
from tests.properties.worlds import apply, first_step, next_step, random_match


def recycle_at_once(state: State) -> None:
    """Turns the discard pile over if the draw pile is empty and more than the top card lies there."""
    if not state.draw and len(state.discard) > 1 and state.phase is not Phase.MATCH_OVER:
        evolve(state, Event(Recycled(len(state.discard) - 1)))


def without_piles(events: list[Event]) -> list[Event]:
    """Returns the events without what they say about the piles."""
    return [
        Event(StarterTurned(event.fact.card, 0)) if isinstance(event.fact, StarterTurned) else event
        for event in events
        if not isinstance(event.fact, Recycled)
    ]


def hands_and_table(state: State) -> list[object]:
    """Returns what both seats see, without how the cards below the top one are spread over the piles."""
    shown = []
    for seat in SEATS:
        seen = view(state, seat)
        seen.discard, seen.draw_count, seen.known_tail = seen.discard[-1:], 0, ()
        shown.append(seen)
    return [*shown, state.draw[::-1] + state.discard]


@pytest.mark.parametrize("first_seed", range(0, 120, 30))
def test_recycling_at_once_and_when_needed_give_the_same_cards(first_seed: int) -> None:
    recycled_earlier = 0
    for seed in range(first_seed, first_seed + 30):
        match, twin = (random_match(seed, piles=Piles.TURN_OVER) for _ in range(2))
        lazy, eager = match.state, twin.state
        step = first_step(match)
        while True:
            if step[0] is not None and step[1] is not None:
                events = decide(eager, step[0], step[1])
                assert without_piles(events) == without_piles(step[2])
            else:
                events = step[2]
            apply(match, step)
            for event in events:
                evolve(eager, event)
            recycle_at_once(eager)
            assert hands_and_table(eager) == hands_and_table(lazy)
            recycled_earlier += len(eager.draw) > len(lazy.draw)
            if lazy.phase is Phase.MATCH_OVER:
                break
            step = next_step(match)
    assert recycled_earlier > 50
