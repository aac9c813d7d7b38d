"""The table as one observer knows it, told from the events that he saw and from nothing else."""

from dataclasses import dataclass, field

from referee.adjudication.rulings import Ruling
from referee.rules.cards import Card, Color, deck_cards
from referee.rules.effects import cards_due
from referee.rules.events import (
    CardsDrawn,
    CardsPlayed,
    Challenged,
    ColorChosen,
    DraftDone,
    DraftOffered,
    DrawReason,
    Fact,
    Recycled,
    RoundEnded,
    RoundStarted,
    StarterTurned,
    TurnStarted,
)
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat

_SHOWN_BEFORE = 3


@dataclass(slots=True)
class Table:
    """Holds what lies on the table and in the hands; a card that the observer does not know is None.

    `hands`, `uno` and `totals` are indexed by seat; known cards of a hand are sorted and stand first. `offered` are the
    cards that a drafting seat looks at. `shown` is the hand that a challenge opened to the observer, until the next
    event. `pile` are the last discards, the top card last, of which `laid` were played at once. `due` is what must be
    drawn unless it is answered; `turn` is the seat that drafts or whose turn it is.
    """

    ruleset: Ruleset
    round: int = 0
    turn: Seat | None = None
    hands: tuple[list[Card | None], list[Card | None]] = field(default_factory=lambda: ([], []))
    uno: list[bool] = field(default_factory=lambda: [False, False])
    totals: tuple[int, int] = (0, 0)
    offered: tuple[Card | None, ...] = ()
    shown: tuple[Card, ...] = ()
    pile: tuple[Card, ...] = ()
    laid: int = 0
    draw_count: int = 0
    color: Color | None = None
    due: int = 0

    def apply(self, fact: Fact | Ruling, private_cards: tuple[Card, ...]) -> None:
        """Takes one event as the observer saw it; without private cards if they were not shown to him."""
        self.shown = ()
        match fact:
            case RoundStarted():
                self._begin(fact)
            case DraftOffered():
                self.turn = fact.seat
                self.offered = private_cards or (None,)
                self.draw_count -= 1
            case DraftDone():
                self.offered = ()
                self.draw_count -= 1
                self._take(fact.seat, private_cards, 1)
                self._lay((fact.discarded,))
            case StarterTurned():
                self.pile, self.laid = (fact.card,), 1
                self.draw_count = fact.draw_count
                self.color = fact.card.color
            case ColorChosen():
                self.color = fact.color
            case TurnStarted():
                self.turn, self.color = fact.seat, fact.color
            case CardsPlayed():
                self._play(fact)
            case CardsDrawn():
                self._take(fact.seat, private_cards, fact.count)
                self.draw_count -= fact.count
                self.uno[fact.seat] = False
                if fact.reason not in (DrawReason.TURN, DrawReason.UNO):
                    self.due = 0
            case Recycled():
                # What is left of the draw pile lies on top until the draw that follows takes it.
                self.draw_count += fact.draw_count
                self.pile, self.laid = self.pile[-1:], 1
            case Challenged():
                self.shown = private_cards
            case RoundEnded():
                self.hands = (list(fact.hands[0]), list(fact.hands[1]))
                self.totals = fact.totals
                self.turn, self.due = None, 0
            case _:
                # The others change nothing that lies on the table.
                pass

    def _begin(self, fact: RoundStarted) -> None:
        self.round, self.turn = fact.round, fact.first_drafter
        self.hands = ([], [])
        self.uno = [False, False]
        self.pile, self.laid = (), 0
        self.draw_count = len(deck_cards(self.ruleset.deck))
        self.color, self.due = None, 0

    def _take(self, seat: Seat, cards: tuple[Card, ...], count: int) -> None:
        hand = self.hands[seat]
        known = sorted(card for card in (*hand, *cards) if card is not None)
        # A file that nobody has verified may tell of more cards than there are.
        held = min(len(hand) + count, len(deck_cards(self.ruleset.deck)))
        self.hands[seat][:] = [*known, *[None] * (held - len(known))]

    def _play(self, fact: CardsPlayed) -> None:
        hand = self.hands[fact.seat]
        for card in fact.cards:
            held = card if card in hand else None
            # A file that nobody has verified may tell of a card that was not there.
            if held in hand:
                hand.remove(held)
        self._lay(fact.cards)
        self.color = fact.color
        self.due = cards_due(fact.cards[-1], self.due) if fact.cards else 0
        self.uno[fact.seat] = fact.uno

    def _lay(self, cards: tuple[Card, ...]) -> None:
        self.pile = (*self.pile[-_SHOWN_BEFORE:], *cards)
        self.laid = len(cards)
