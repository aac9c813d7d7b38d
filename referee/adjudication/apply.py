"""How an adjudicated input changes the state: applies, never judges."""

from collections.abc import Sequence
from typing import Final, assert_never

from referee.adjudication.clocks import bank_after
from referee.adjudication.inputs import ActionTaken, Expired, Input, RejectedTry, Resume
from referee.adjudication.rulings import (
    DealSealed,
    Forfeited,
    MatchEvent,
    Resigned,
    Resumed,
    TimedOut,
    Voided,
)
from referee.adjudication.state import Decision, Lifecycle, MatchState
from referee.rules.events import Event, MatchEnded
from referee.rules.evolve import evolve, initial_state

# A local name: an attribute load on an enum class costs more than the comparison that it is for.
_ENDED: Final = Lifecycle.ENDED


def apply(state: MatchState, input: Input, events: Sequence[MatchEvent]) -> None:
    """Applies one entry to the state, which it owns and changes in place.

    `events` are all that `adjudicate` returned for the input, in order.
    """
    for event in events:
        _apply_event(state, event)
    state.sequence += len(events)
    state.entries += 1
    _settle_bank(state, input)
    if isinstance(input.kind, Resume):
        # The same decision goes on: its id and its rejected tries stay.
        state.tries_logged = len(state.tries)
        return
    state.decision = _next_decision(state)
    if state.tries:
        state.tries = []
        state.tries_logged = 0


def note_try(state: MatchState, attempt: RejectedTry) -> None:
    """Counts a rejected try of the open decision."""
    state.tries.append(attempt)


def freeze(state: MatchState) -> None:
    """Marks a match that is played as standing still until a Resume; no entry says so, because none can be written."""
    if state.lifecycle is Lifecycle.PLAYING:
        state.lifecycle = Lifecycle.FROZEN


def _apply_event(state: MatchState, event: MatchEvent) -> None:
    if isinstance(event, Event):
        if state.rules is not None:
            evolve(state.rules, event)
        if isinstance(event.fact, MatchEnded):
            state.lifecycle = Lifecycle.ENDED
            state.outcome = event.fact.outcome
    elif isinstance(event, TimedOut):
        state.strikes[event.seat] = event.strikes
    elif isinstance(event, DealSealed):
        shuffler = state.shuffler_for(event.entropy_1, event.entropy_2)
        state.rules = initial_state(state.terms.ruleset, shuffler)
        state.lifecycle = Lifecycle.PLAYING
    elif isinstance(event, Resumed):
        state.lifecycle = Lifecycle.PLAYING
    elif isinstance(event, (Forfeited, Resigned, Voided)):
        # Each is followed by the end of the match, which is what changes the state.
        pass
    else:
        assert_never(event)


def _settle_bank(state: MatchState, input: Input) -> None:
    seat = input.seat
    if seat is None:
        return
    if isinstance(input.kind, ActionTaken):
        state.banks[seat] = bank_after(
            state.terms.time_control, state.banks[seat], input.elapsed_ms, input.lag_credit_ms
        )
    elif isinstance(input.kind, Expired):
        state.banks[seat] = 0


def _next_decision(state: MatchState) -> Decision | None:
    rules = state.rules
    if state.lifecycle is _ENDED or rules is None:
        return None
    return Decision(state.sequence, rules.actor, rules.phase)
