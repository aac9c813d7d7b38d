"""How events change the state (RULES.md R3 to R12): applies, never judges."""

from bisect import insort
from typing import Final, assert_never

from referee.rules.cards import Card, Symbol, deck_cards
from referee.rules.effects import cards_due, color_passed_on, seat_after_play
from referee.rules.events import (
    CardsDrawn,
    CardsPlayed,
    Challenged,
    ColorChosen,
    Cut,
    DraftDone,
    DraftOffered,
    DrawnKept,
    DrawReason,
    Event,
    MatchEnded,
    Recycled,
    RoundEnded,
    RoundStarted,
    StarterTurned,
    TurnStarted,
    UnoWindowClosed,
)
from referee.rules.piles import opening_block, recycled_cards
from referee.rules.ruleset import Piles, Ruleset
from referee.rules.shuffling import Shuffler
from referee.rules.state import Evidence, Pending, Phase, State

# Local names: an attribute load on an enum class costs more than the comparison that it is for.
_TURN: Final = Phase.TURN
_DRAWN: Final = Phase.DRAWN
_RESPOND: Final = Phase.RESPOND
_UNO: Final = Phase.UNO
_DRAW_TURN: Final = DrawReason.TURN
_DRAW_UNO: Final = DrawReason.UNO
_DRAW_TWO: Final = Symbol.DRAW_TWO


def initial_state(ruleset: Ruleset, shuffler: Shuffler) -> State:
    """Returns the state of a match before `decide.begin`: round 0, nobody asked."""
    return State(ruleset=ruleset, shuffler=shuffler)


def evolve(state: State, event: Event) -> None:
    """Applies one event to the state, which it owns and changes in place.

    The events of one action must be applied all and in order; only then the state is one in which somebody decides.
    """
    fact = event.fact
    if isinstance(fact, TurnStarted):
        state.phase = _TURN
        state.actor = fact.seat
        state.free_color = fact.free_color
        state.turns += 1
    elif isinstance(fact, CardsPlayed):
        _apply_play(state, fact)
    elif isinstance(fact, CardsDrawn):
        _apply_draw(state, fact)
    elif isinstance(fact, DrawnKept):
        state.seen = None
    elif isinstance(fact, UnoWindowClosed):
        # The seat that answered the window also answers a drawing card; without one a turn follows at once.
        state.phase = _RESPOND
    elif isinstance(fact, Recycled):
        _apply_recycling(state)
    elif isinstance(fact, DraftOffered):
        state.actor = fact.seat
        state.seen = state.draw.pop()
    elif isinstance(fact, DraftDone):
        _apply_pick(state, fact)
    elif isinstance(fact, StarterTurned):
        _apply_starter(state)
    elif isinstance(fact, ColorChosen):
        state.color = fact.color
    elif isinstance(fact, RoundStarted):
        _apply_round_start(state, fact)
    elif isinstance(fact, RoundEnded):
        state.totals = fact.totals
        state.free_color = None
        state.stall = 0
    elif isinstance(fact, MatchEnded):
        state.phase = Phase.MATCH_OVER
        state.outcome = fact.outcome
    elif isinstance(fact, (Cut, Challenged)):
        # The cut shows in who drafts first, the verdict in who draws.
        pass
    else:
        assert_never(fact)


def _apply_round_start(state: State, fact: RoundStarted) -> None:
    state.phase = Phase.DRAFT
    state.round = fact.round
    state.first_drafter = fact.first_drafter
    state.draw = list(state.shuffler.deck(fact.round, deck_cards(state.ruleset.deck))[::-1])
    state.discard = []
    state.hands = ([], [])
    state.color = None
    state.turns = 0
    state.recycles = 0
    state.known_tail = 0


def _apply_pick(state: State, fact: DraftDone) -> None:
    offered, next_card = state.seen, state.draw.pop()
    assert offered is not None
    kept = offered if fact.kept_first else next_card
    insort(state.hands[fact.seat], kept)
    state.discard.append(fact.discarded)
    state.seen = None


def _apply_starter(state: State) -> None:
    block = opening_block(state, tuple(state.discard))
    state.draw[:0] = block[::-1]
    state.known_tail = 0 if state.ruleset.piles is Piles.SHUFFLE else len(block)
    starter = state.draw.pop()
    state.discard = [starter]
    state.color = starter.color
    if starter.color is None:
        # The first drafter names the color; after a Wild Draw Four the turn is that seat's too (RULES.md R4).
        state.phase = Phase.COLOR
        state.actor = state.first_drafter
        state.next_turn = state.first_drafter if starter is Card.WILD_DRAW_FOUR else state.first_drafter.other


def _apply_play(state: State, fact: CardsPlayed) -> None:
    seat, cards = fact.seat, fact.cards
    last = cards[-1]
    hand = state.hands[seat]
    top, color = state.discard[-1], state.color
    assert color is not None
    for card in cards:
        hand.remove(card)
    state.discard += cards
    state.color = fact.color
    state.stall = 0
    state.seen = None
    due = cards_due(last, state.pending.total if state.pending else 0) if hand else 0
    if due:
        evidence = None if last.symbol is _DRAW_TWO else Evidence(tuple(hand), top, color)
        state.pending = Pending(seat, last.symbol, due, evidence)
    else:
        state.pending = None
    state.free_color = color_passed_on(state.ruleset, cards)
    state.next_turn = seat_after_play(seat, last)
    state.actor = seat.other
    state.phase = _UNO if fact.left == 1 and not fact.uno else _RESPOND


def _apply_draw(state: State, fact: CardsDrawn) -> None:
    count, reason = fact.count, fact.reason
    draw, hand = state.draw, state.hands[fact.seat]
    card: Card | None = None
    for _ in range(count):
        card = draw.pop()
        insort(hand, card)
    state.known_tail = min(state.known_tail, len(draw))
    if reason is _DRAW_TURN:
        state.free_color = None
        state.seen = card
        state.stall = 0 if count else state.stall + 1
        if count:
            state.phase = _DRAWN
    elif reason is not _DRAW_UNO:
        # Every other draw settles the drawing card; a UNO penalty leaves it unanswered (RULES.md R9).
        state.pending = None


def _apply_recycling(state: State) -> None:
    # What is left of the draw pile stays on top: the draw that follows takes it first.
    recycled = recycled_cards(state, tuple(state.discard))
    state.draw[:0] = recycled[::-1]
    state.discard = [state.discard[-1]]
    state.recycles += 1
    state.known_tail = 0 if state.ruleset.piles is Piles.SHUFFLE else len(recycled)
