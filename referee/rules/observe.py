"""What one seat may see (RULES.md R14): the only code that leaves secrets out, by construction."""

from dataclasses import dataclass
from typing import Final

from referee.rules.cards import Card, Color, Symbol
from referee.rules.events import Event, Fact
from referee.rules.seats import Seat
from referee.rules.state import Phase, State

_MATCH_OVER: Final = Phase.MATCH_OVER


@dataclass(slots=True)
class ObservedEvent:
    """Holds an event as one observer sees it: the fact, and the private cards if they are the observer's."""

    fact: Fact
    private_cards: tuple[Card, ...]


@dataclass(slots=True)
class View:
    """Holds everything that a seat with a perfect memory knows now (RULES.md R14).

    `actor` is None when nobody is asked.  `totals` is indexed by seat.  `hand` is sorted; `seen` is this seat's card
    offered in the draft or just drawn.  `discard` is oldest first; `known_tail` holds the last cards of the draw
    pile in the order in which they come out, as far as both seats know it.  `free_color` is the color that the actor
    of the turn, or of the turn after the UNO window, may dump without a Reverse.  `pending_symbol` and `pending_by`
    are None and `pending_total` is 0 if no drawing card is unanswered.
    """

    seat: Seat
    phase: Phase
    actor: Seat | None
    round: int
    first_drafter: Seat
    turns: int
    stall: int
    totals: tuple[int, int]
    hand: tuple[Card, ...]
    seen: Card | None
    opponent_count: int
    discard: tuple[Card, ...]
    draw_count: int
    known_tail: tuple[Card, ...]
    color: Color | None
    free_color: Color | None
    pending_symbol: Symbol | None
    pending_by: Seat | None
    pending_total: int


def observe(event: Event, seat: Seat) -> ObservedEvent:
    """Returns the event as this seat sees it."""
    return ObservedEvent(event.fact, event.private_cards if event.private_to is seat else ())


def observe_public(event: Event) -> ObservedEvent:
    """Returns the event as a spectator sees it: the public part alone."""
    return ObservedEvent(event.fact, ())


def view(state: State, seat: Seat) -> View:
    """Returns what this seat knows in this state."""
    pending = state.pending
    draw, known = state.draw, state.known_tail
    phase, actor = state.phase, state.actor
    return View(
        seat,
        phase,
        actor if phase is not _MATCH_OVER else None,
        state.round,
        state.first_drafter,
        state.turns,
        state.stall,
        state.totals,
        tuple(state.hands[seat]),
        state.seen if seat is actor else None,
        len(state.hands[seat.other]),
        tuple(state.discard),
        len(draw),
        tuple(draw[known - 1 :: -1]) if known else (),
        state.color,
        state.free_color,
        pending.symbol if pending else None,
        pending.by if pending else None,
        pending.total if pending else 0,
    )
