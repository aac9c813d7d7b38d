"""A seat with a perfect memory: rebuilds its view from the events it observed and nothing else (RULES.md R14.3)."""

from dataclasses import replace

from referee.rules.cards import Card, Symbol, deck_cards
from referee.rules.events import (
    CardsDrawn,
    CardsPlayed,
    ColorChosen,
    DraftDone,
    DraftOffered,
    DrawnKept,
    DrawReason,
    MatchEnded,
    Recycled,
    RoundEnded,
    RoundStarted,
    StarterTurned,
    TurnStarted,
    UnoWindowClosed,
)
from referee.rules.observe import ObservedEvent, View
from referee.rules.ruleset import DumpFinalReverse, Piles, Ruleset
from referee.rules.seats import Seat
from referee.rules.state import Phase


class Listener:
    """Holds what one seat knows by listening; `view` is what its view must be."""

    def __init__(self, seat: Seat, ruleset: Ruleset, deck_size: int | None) -> None:
        self._ruleset = ruleset
        self._deck_size = deck_size or len(deck_cards(ruleset.deck))
        self.view = View(
            seat, Phase.DRAFT, Seat.A, 0, Seat.A, 0, 0, (0, 0), (), None, 0, (), 0, (), None, None, None, None, 0
        )

    def hear(self, observed: ObservedEvent) -> None:
        """Takes note of one event."""
        view, own = self.view, observed.private_cards
        match observed.fact:
            case RoundStarted(number, first_drafter):
                self.view = replace(
                    view, phase=Phase.DRAFT, round=number, first_drafter=first_drafter, turns=0, stall=0, hand=(),
                    seen=None, opponent_count=0, discard=(), draw_count=self._deck_size, known_tail=(), color=None,
                )  # fmt: skip
            case DraftOffered(seat):
                view.actor = seat
                view.draw_count -= 1
                view.seen = own[0] if seat is view.seat else None
            case DraftDone(seat, _, discarded):
                view.draw_count -= 1
                view.discard += (discarded,)
                view.seen = None
                self._gain(seat, 1, own)
            case StarterTurned(card, draw_count):
                self._turn_over(view.discard)
                view.discard, view.draw_count, view.color = (card,), draw_count, card.color
                if card.color is None:
                    view.phase, view.actor = Phase.COLOR, view.first_drafter
            case ColorChosen(_, color):
                view.color = color
            case TurnStarted(seat, color, free_color):
                assert color is view.color
                view.phase, view.actor, view.free_color = Phase.TURN, seat, free_color
                view.turns += 1
            case CardsPlayed() as played:
                self._hear_play(played)
            case CardsDrawn() as drawn:
                self._hear_draw(drawn, own)
            case Recycled(draw_count):
                # The draw that follows takes what is left of the old pile first.
                view.draw_count += draw_count
                self._turn_over(view.discard[:-1])
                assert draw_count == len(view.discard) - 1
                view.discard = view.discard[-1:]
            case DrawnKept():
                view.seen = None
            case UnoWindowClosed():
                view.phase = Phase.RESPOND
            case RoundEnded() as ended:
                view.totals, view.free_color, view.stall = ended.totals, None, 0
            case MatchEnded():
                view.phase, view.actor = Phase.MATCH_OVER, None
            case _:
                pass

    def _turn_over(self, cards: tuple[Card, ...]) -> None:
        self.view.known_tail = cards if self._ruleset.piles is Piles.TURN_OVER else ()

    def _gain(self, seat: Seat, count: int, own: tuple[Card, ...]) -> None:
        view = self.view
        if seat is view.seat:
            assert len(own) == count
            view.hand = tuple(sorted((*view.hand, *own)))
        else:
            assert own == ()
            view.opponent_count += count

    def _hear_play(self, played: CardsPlayed) -> None:
        view = self.view
        if played.seat is view.seat:
            hand = list(view.hand)
            for card in played.cards:
                hand.remove(card)
            view.hand = tuple(hand)
            assert played.left == len(hand)
        else:
            view.opponent_count -= len(played.cards)
            assert played.left == view.opponent_count
        last = played.cards[-1]
        view.discard += played.cards
        view.color, view.seen, view.stall, view.free_color = played.color, None, 0, None
        if len(played.cards) > 1 and last.symbol is Symbol.REVERSE:
            view.free_color = last.color if self._ruleset.dump_final_reverse is DumpFinalReverse.PASS_ON else None
        volley = view.pending_total
        view.pending_symbol, view.pending_by, view.pending_total = None, None, 0
        if last.symbol in (Symbol.DRAW_TWO, Symbol.WILD_DRAW_FOUR) and played.left:
            total = 4 if last.symbol is Symbol.WILD_DRAW_FOUR else volley + 2
            view.pending_symbol, view.pending_by, view.pending_total = last.symbol, played.seat, total
        view.phase = Phase.UNO if played.left == 1 and not played.uno else Phase.RESPOND
        view.actor = played.seat.other

    def _hear_draw(self, drawn: CardsDrawn, own: tuple[Card, ...]) -> None:
        view = self.view
        self._gain(drawn.seat, drawn.count, own)
        view.draw_count -= drawn.count
        unknown = view.draw_count - len(view.known_tail)
        if unknown < 0:
            view.known_tail = view.known_tail[-unknown:]
        if drawn.reason is DrawReason.TURN:
            view.free_color = None
            view.stall = 0 if drawn.count else view.stall + 1
            view.phase = Phase.DRAWN if drawn.count else view.phase
            view.seen = own[0] if own else None
        elif drawn.reason is not DrawReason.UNO:
            view.pending_symbol, view.pending_by, view.pending_total = None, None, 0
