"""What the last card of a play brings about, as far as `decide` and `evolve` both need it (RULES.md R5 to R8)."""

from typing import Final

from referee.rules.cards import Card, Color, Symbol
from referee.rules.ruleset import DumpFinalReverse, Ruleset
from referee.rules.seats import Seat

_SKIP: Final = Symbol.SKIP
_REVERSE: Final = Symbol.REVERSE
_DRAW_TWO: Final = Symbol.DRAW_TWO
_WILD_DRAW_FOUR: Final = Symbol.WILD_DRAW_FOUR


def seat_after_play(seat: Seat, last: Card) -> Seat:
    """Returns who has the turn after a play that ends on this card (RULES.md R5.11, R7.1, R7.10).

    A drawing card is answered first: see `cards_due`.
    """
    return seat if last.symbol is _SKIP else seat.other


def color_passed_on(ruleset: Ruleset, cards: tuple[Card, ...]) -> Color | None:
    """Returns the color that a play opens to the opponent's free dump, or None (RULES.md R7).

    Only a Reverse that ends a play of two or more cards passes on; one laid alone belongs to its player.
    """
    last = cards[-1]
    if len(cards) == 1 or last.symbol is not _REVERSE or ruleset.dump_final_reverse is DumpFinalReverse.INERT:
        return None
    return last.color


def cards_due(last: Card, volley: int) -> int:
    """Returns how many cards a play that ends on this card makes the opponent draw, 0 if none (RULES.md R6, R8).

    `volley` is the total of the Draw Twos that the play answers, 0 if it answers none.
    """
    if last.symbol is _DRAW_TWO:
        return volley + 2
    if last.symbol is _WILD_DRAW_FOUR:
        return 4
    return 0
