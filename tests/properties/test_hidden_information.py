"""Worlds that differ only in cards hidden from a seat look the same to it (RULES.md R14.5, R14.7)."""

from copy import copy
from dataclasses import replace
from random import Random

import pytest

from referee.codec.events import encode_event
from referee.codec.observations import (
    encode_clock,
    encode_decision,
    encode_observation,
    encode_presence,
    encode_view,
    observed_events,
)
from referee.rules.actions import CATCH, DRAW, KEEP_DRAWN, KEEP_OFFERED, LET_PASS
from referee.rules.decide import decide
from referee.rules.events import DraftDone, Event, RoundEnded, StarterTurned
from referee.rules.evolve import evolve
from referee.rules.legality import can, default_action, legal_actions
from referee.rules.observe import ObservedEvent, observe, view
from referee.rules.seats import SEATS, Seat
from referee.rules.state import Phase, State
from tests.properties.worlds import apply, first_step, next_step, random_match

# Actions of the opponent whose public part depends on no hidden card.
BLIND = (DRAW, KEEP_DRAWN, LET_PASS, CATCH)


def copied(state: State) -> State:
    return replace(
        state, draw=list(state.draw), discard=list(state.discard), hands=(list(state.hands[0]), list(state.hands[1]))
    )


def scrambled(state: State, seat: Seat, random: Random) -> State:
    """Returns a world that this seat cannot tell from the given one: all cards hidden from it change places."""
    other = copied(state)
    rival = seat.other
    offered = [state.seen] if state.phase is Phase.DRAFT and state.actor is rival and state.seen else []
    known, unknown = state.draw[: state.known_tail], state.draw[state.known_tail :]
    hidden = [*state.hands[rival], *unknown, *offered]
    random.shuffle(hidden)
    held = len(state.hands[rival])
    hand = sorted(hidden[:held])
    rest = hidden[held:]
    other.hands[rival][:] = hand
    if offered:
        other.seen = rest.pop()
    elif state.phase is Phase.DRAWN and state.actor is rival:
        other.seen = random.choice(hand)
    other.draw = [*known, *rest]
    if state.pending and state.pending.evidence and state.pending.by is rival:
        evidence = copy(state.pending.evidence)
        evidence.shown = tuple(sorted(random.sample(hand, len(evidence.shown))))
        other.pending = replace(state.pending, evidence=evidence)
    return other


def seen_by(seat: Seat, events: list[Event]) -> list[ObservedEvent]:
    return [observe(event, seat) for event in events]


@pytest.mark.parametrize("first_seed", [0, 1000])
def test_view_list_and_prompts_depend_on_nothing_hidden(first_seed: int) -> None:
    compared = differing = 0
    for seed in range(first_seed, first_seed + 60):
        match = random_match(seed)
        random = Random(seed)
        apply(match, first_step(match))
        while match.state.phase is not Phase.MATCH_OVER:
            if random.random() < 0.1:
                for seat in SEATS:
                    world = scrambled(match.state, seat, random)
                    differing += world.hands != match.state.hands
                    compared += 1
                    assert view(world, seat) == view(match.state, seat)
                    if match.state.actor is seat:
                        assert legal_actions(world) == legal_actions(match.state)
                    else:
                        compare_blind_actions(match.state, world, seat)
            apply(match, next_step(match))
    assert compared > 500
    assert differing > compared / 2


def compare_blind_actions(state: State, world: State, seat: Seat) -> None:
    """Checks that this seat observes the same when its rival does the same in both worlds."""
    rival = seat.other
    for action in BLIND:
        assert can(state, rival, action) == can(world, rival, action)
        if not can(state, rival, action):
            continue
        events, events_there = decide(state, rival, action), decide(world, rival, action)
        if any(isinstance(event.fact, RoundEnded) for event in events):
            continue
        if action is CATCH:
            # The caught seat sees the cards that it draws, which come from the scrambled pile.
            assert [event.fact for event in events] == [event.fact for event in events_there]
            continue
        assert seen_by(seat, events) == seen_by(seat, events_there)
        here, there = copied(state), copied(world)
        for event, event_there in zip(events, events_there, strict=True):
            evolve(here, event)
            evolve(there, event_there)
        assert view(here, seat) == view(there, seat)


def test_offered_card_is_hidden_from_the_other_seat_in_the_draft() -> None:
    match = random_match(5)
    apply(match, first_step(match))
    drafter = match.state.actor
    world = scrambled(match.state, drafter.other, Random(2))
    assert world.seen is not match.state.seen
    facts = [[event.fact for event in decide(state, drafter, KEEP_OFFERED)[1:]] for state in (match.state, world)]
    assert facts[0] == facts[1]


def told(seat: Seat, state: State, events: list[Event], sequence: int) -> bytes:
    """Returns the observation that a seat receives after these events; the head hides behind blinds and is masked."""
    first = sequence - len(events) + 1
    seen = observed_events([encode_event(place, event) for place, event in enumerate(events, first)])[seat]
    decision = None
    if state.actor is seat:
        decision = encode_decision(sequence, state.phase, 10_000, 3, legal_actions(state))
    clock, rival_clock = (encode_clock(0, 10_000 if state.actor is owner else None) for owner in (seat, seat.other))
    presence = encode_presence(True, None)
    shown = encode_view(view(state, seat))
    return encode_observation(seen, sequence, bytes(32), True, shown, decision, clock, rival_clock, presence)


def play_on(state: State, world: State, seat: Seat, random: Random) -> int:
    """Plays on in both worlds until a hidden card becomes known, what the seat is told staying the same.

    The rival does only what depends on no hidden card.  Returns the number of observations compared.
    """
    here, there, sequence, compared = copied(state), copied(world), 100, 1
    assert told(seat, here, [], sequence) == told(seat, there, [], sequence)
    while here.phase is not Phase.MATCH_OVER:
        actor = here.actor
        action = random.choice(legal_actions(here)) if actor is seat else default_action(here)
        events, events_there = decide(here, actor, action), decide(there, actor, action)
        learned = any(event.private_to is seat or isinstance(event.fact, RoundEnded) for event in events)
        if learned or any(isinstance(event.fact, DraftDone | StarterTurned) for event in events):
            break
        for event, event_there in zip(events, events_there, strict=True):
            evolve(here, event)
            evolve(there, event_there)
        sequence += len(events)
        assert told(seat, here, events, sequence) == told(seat, there, events_there, sequence)
        compared += 1
    return compared


@pytest.mark.parametrize("first_seed", [0, 1000, 2000])
def test_observation_bytes_depend_on_nothing_hidden(first_seed: int) -> None:
    compared = longest = 0
    for seed in range(first_seed, first_seed + 40):
        match = random_match(seed)
        random = Random(seed)
        apply(match, first_step(match))
        while match.state.phase is not Phase.MATCH_OVER:
            if random.random() < 0.1:
                for seat in SEATS:
                    world = scrambled(match.state, seat, random)
                    if world.hands != match.state.hands or world.draw != match.state.draw:
                        length = play_on(match.state, world, seat, random)
                        compared, longest = compared + length, max(longest, length)
            apply(match, next_step(match))
    assert compared > 800
    assert longest > 4


def test_observation_bytes_depend_on_what_the_seat_sees() -> None:
    match = random_match(5)
    apply(match, first_step(match))
    drafter = match.state.actor
    world = scrambled(match.state, drafter.other, Random(2))
    assert told(drafter.other, world, [], 3) == told(drafter.other, match.state, [], 3)
    assert told(drafter, world, [], 3) != told(drafter, match.state, [], 3)
