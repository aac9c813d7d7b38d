"""The state of a match under the rules (RULES.md R13) and ways to set one up."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from referee.rules.cards import Card, Color, Symbol, deck_cards
from referee.rules.outcome import Outcome
from referee.rules.ruleset import DUO, Ruleset
from referee.rules.seats import Seat
from referee.rules.shuffling import FixedShuffler, Shuffler


class Phase(Enum):
    """Names what is asked of the actor (RULES.md R13)."""

    DRAFT = 1
    COLOR = 2
    TURN = 3
    DRAWN = 4
    RESPOND = 5
    UNO = 6
    MATCH_OVER = 7


@dataclass(slots=True)
class Evidence:
    """Holds what a Wild Draw Four is judged by, as it was at the play (RULES.md R8); hidden from both seats.

    `shown` is the hand right after the play, `top` and `color` lay and were in force right before it.
    """

    shown: tuple[Card, ...]
    top: Card
    color: Color


@dataclass(slots=True)
class Pending:
    """Holds an unanswered drawing card: who played it, the cards due, and for a Wild Draw Four the evidence."""

    by: Seat
    symbol: Symbol
    total: int
    evidence: Evidence | None


@dataclass(slots=True)
class State:
    """Holds a match in progress; only `evolve` changes it.

    `draw` has the next card out last, `discard` the top card last, each hand is sorted.  `seen` is the card offered
    in the draft (out of the draw pile already) or just drawn (in the hand already).  `next_turn` is who has the turn
    after COLOR or UNO.  `known_tail` counts the cards at the far end of the draw pile whose order both seats know.
    `round` is 0 before the match has begun; `color` is None only in DRAFT and COLOR.
    """

    ruleset: Ruleset
    shuffler: Shuffler
    phase: Phase = Phase.DRAFT
    actor: Seat = Seat.A
    round: int = 0
    first_drafter: Seat = Seat.A
    totals: tuple[int, int] = (0, 0)
    draw: list[Card] = field(default_factory=list)
    discard: list[Card] = field(default_factory=list)
    hands: tuple[list[Card], list[Card]] = field(default_factory=lambda: ([], []))
    color: Color | None = None
    seen: Card | None = None
    pending: Pending | None = None
    free_color: Color | None = None
    next_turn: Seat = Seat.A
    turns: int = 0
    stall: int = 0
    recycles: int = 0
    known_tail: int = 0
    outcome: Outcome | None = None


def position(
    *,
    hands: tuple[Iterable[Card], Iterable[Card]],
    discard: Iterable[Card],
    draw: Iterable[Card] = (),
    color: Color | None = None,
    turn: Seat = Seat.A,
    free_color: Color | None = None,
    totals: tuple[int, int] = (0, 0),
    ruleset: Ruleset = DUO,
    shuffler: Shuffler | None = None,
) -> State:
    """Returns a state in the first turn of round 1, seat B having drafted first.

    `discard` is oldest first, `draw` next card out first; `color` is needed if the top card is wild.  Without a
    shuffler later rounds are dealt from the ascending deck.
    Raises ValueError if a hand or the discard pile is empty, or the color in force is missing or not the top card's.
    """
    cards = list(discard)
    if not cards:
        raise ValueError("the discard pile is empty")
    top_color = cards[-1].color
    in_force = color or top_color
    if in_force is None or (top_color is not None and in_force is not top_color):
        raise ValueError("the color in force must be that of the top card, or named for a wild one")
    sorted_hands = (sorted(hands[Seat.A]), sorted(hands[Seat.B]))
    if not all(sorted_hands):
        raise ValueError("a hand is empty")
    return State(
        ruleset=ruleset,
        shuffler=shuffler or fixed_shuffler(deck_cards(ruleset.deck)),
        phase=Phase.TURN,
        actor=turn,
        round=1,
        first_drafter=Seat.B,
        totals=totals,
        draw=list(draw)[::-1],
        discard=cards,
        hands=sorted_hands,
        color=in_force,
        free_color=free_color,
        turns=1,
    )


def dealt(deck_order: Iterable[Card], ruleset: Ruleset = DUO, cut_winner: Seat = Seat.A) -> State:
    """Returns a state before `begin` in which every round is dealt from this order, next card out first.

    The order need not be a whole deck, but must hold the draft and a starter.
    Raises ValueError if the order is too short.
    """
    order = tuple(deck_order)
    if len(order) <= 4 * ruleset.hand_size:
        raise ValueError("the deck does not hold the draft and a starter")
    return State(ruleset=ruleset, shuffler=fixed_shuffler(order, cut_winner))


def fixed_shuffler(deck_order: tuple[Card, ...], cut_winner: Seat = Seat.A) -> FixedShuffler:
    """Returns a shuffler that deals this order in every round and lets this seat win the cut."""
    high, low = Card.WILD_DRAW_FOUR, Card.RED_0
    return FixedShuffler((high, low) if cut_winner is Seat.A else (low, high), deck_order)
