"""All that the rules remember between two decisions, and the piles (RULES.md R3 to R10), in words."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field, replace

from tests.checker import cards as c

Action = tuple[object, ...]
Words = dict[str, object]


class Disagreement(AssertionError):
    """Says where a history and the rules part."""


def other(seat: str) -> str:
    """Returns the seat on the other side (R2.1)."""
    return {"A": "B", "B": "A"}[seat]


@dataclass(slots=True)
class Block:
    """A part of the draw pile: cards in a known order, or so many of these in an order that only a history tells."""

    cards: list[str]
    size: int
    known: bool


@dataclass(slots=True)
class Position:
    """Holds one match; `options` are those of R15.1 by name."""

    options: Words
    deck_size: int
    phase: str = "NOT_BEGUN"
    actor: str | None = None
    round: int = 0
    first_drafter: str = "A"
    totals: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})
    hands: dict[str, list[str]] = field(default_factory=lambda: {"A": [], "B": []})
    pile: list[Block] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    # The color in force and the free color (R4.6, R7.11).
    color: str | None = None
    free: str | None = None
    # The card offered in the draft, or drawn in this turn.
    seen: str | None = None
    picks: int = 0
    # The pending draw: its kind, who played it and how many cards are due.
    due_kind: str | None = None
    due_by: str | None = None
    due: int = 0
    # The hand that a challenge shows, and its verdict (R8.6, R8.7).
    shown: tuple[str, ...] = ()
    guilty: bool = False
    # Who has the turn when a UNO window closes, or the color after a wild starter is chosen.
    next_turn: str | None = None
    turns: int = 0
    empty_draws: int = 0

    def copied(self) -> "Position":
        """Returns a position that changes on its own."""
        return replace(
            self,
            totals=dict(self.totals),
            hands={seat: list(hand) for seat, hand in self.hands.items()},
            pile=[Block(list(block.cards), block.size, block.known) for block in self.pile],
            discard=list(self.discard),
        )

    def top(self) -> str:
        """Returns the top card."""
        return self.discard[-1]

    def matches(self, card: str) -> bool:
        """R5.2, R5.3: a wild, the color in force, or the symbol of a top card that has a color."""
        if c.COLOR[card] is None:
            return True
        if c.COLOR[card] == self.color:
            return True
        return c.COLOR[self.top()] is not None and c.SYMBOL[card] == c.SYMBOL[self.top()]

    def left_in_pile(self) -> int:
        """Returns the size of the draw pile."""
        return sum(block.size for block in self.pile)

    def shuffle_deck(self) -> None:
        """R2.7: a deck in an order that nobody knows."""
        deck = c.deck(str(self.options["deck"]))
        self.pile = [Block(deck, self.deck_size, False)]
        self.discard = []
        self.hands = {"A": [], "B": []}

    def put_under(self, laid: list[str]) -> None:
        """R3.7, R10.3: turned over as they lie, oldest first; with `PILES_SHUFFLE` in an unknown order."""
        if laid:
            self.pile.append(Block(copy(laid), len(laid), self.options["piles"] == "TURN_OVER"))

    def next_card(self, told: Iterator[str]) -> str:
        """R10.1: the front of the draw pile; `told` is what the history says about it."""
        block = self.pile[0]
        says = next(told, None)
        if says is None:
            raise Disagreement("the history tells of fewer cards than must be drawn")
        card = block.cards[0] if block.known else says
        if card not in block.cards:
            raise Disagreement(f"{card} cannot be in the draw pile")
        block.cards.remove(card)
        block.size -= 1
        if block.size == 0:
            self.pile.pop(0)
        return card
