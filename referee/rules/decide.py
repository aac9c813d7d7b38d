"""What an action brings about (RULES.md R3 to R12): events, computed without changing the state."""

from typing import Final, assert_never

from referee.rules.actions import (
    Action,
    Catch,
    Challenge,
    ChooseColor,
    Draw,
    KeepDrawn,
    KeepOffered,
    LetPass,
    Play,
    RefuseOffered,
)
from referee.rules.cards import Card, Color, Symbol, deck_cards
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
    RoundEndReason,
    RoundStarted,
    StarterTurned,
    TurnStarted,
    UnoWindowClosed,
)
from referee.rules.legality import verify
from referee.rules.matching import is_guilty
from referee.rules.piles import next_out, opening_block
from referee.rules.ruleset import FinalPenalty, Wd4GuiltyNext
from referee.rules.scoring import hand_points, match_outcome
from referee.rules.seats import Seat
from referee.rules.state import Phase, State

_TURN: Final = Phase.TURN
_DRAW_TURN: Final = DrawReason.TURN


def begin(state: State) -> list[Event]:
    """Returns the events that begin a match: the cut, the first round and its first offer (RULES.md R2, R3).

    The cut compares the points of the first two cards, seat A's being the first, on a tie of the next two, and so on;
    if all pairs tie, the last is shown and seat A wins.
    """
    order = state.shuffler.cut(deck_cards(state.ruleset.deck))
    pairs = list(zip(order[::2], order[1::2], strict=True))
    card_a, card_b = next((pair for pair in pairs if pair[0].points != pair[1].points), pairs[-1])
    first_drafter = Seat.B if card_b.points > card_a.points else Seat.A
    return [Event(Cut(card_a, card_b)), *_round_start(state, 1, first_drafter)]


def decide(state: State, seat: Seat, action: Action) -> list[Event]:
    """Returns the events that an action of a seat causes, in order; the state is not touched (RULES.md R13).
    Raises IllegalAction if `legality.verify` refuses it.
    """
    verify(state, seat, action)
    if isinstance(action, Play):
        return _play(state, seat, action)
    if isinstance(action, Draw):
        return _draw_in_turn(state, seat) if state.phase is _TURN else _accept(state, seat)
    if isinstance(action, KeepDrawn):
        events = [Event(DrawnKept(seat))]
        _start_turn(state, events, seat.other, _color_in_force(state), None)
        return events
    if isinstance(action, (Catch, LetPass)):
        return _close_uno_window(state, seat, isinstance(action, Catch))
    if isinstance(action, Challenge):
        return _challenge(state, seat)
    if isinstance(action, (KeepOffered, RefuseOffered)):
        return _pick(state, seat, isinstance(action, KeepOffered))
    if isinstance(action, ChooseColor):
        events = [Event(ColorChosen(seat, action.color))]
        _start_turn(state, events, state.next_turn, action.color, None)
        return events
    assert_never(action)


def _round_start(state: State, round: int, first_drafter: Seat) -> list[Event]:
    first_card = state.shuffler.deck(round, deck_cards(state.ruleset.deck))[0]
    return [
        Event(RoundStarted(round, first_drafter)),
        Event(DraftOffered(first_drafter), (first_card,), first_drafter),
    ]


def _pick(state: State, seat: Seat, keep: bool) -> list[Event]:
    offered, next_card = state.seen, state.draw[-1]
    assert offered is not None
    kept, discarded = (offered, next_card) if keep else (next_card, offered)
    events = [Event(DraftDone(seat, keep, discarded), (kept,), seat)]
    if len(state.discard) + 1 < 2 * state.ruleset.hand_size:
        events.append(Event(DraftOffered(seat.other), (state.draw[-2],), seat.other))
    else:
        _open(state, events, (*state.discard, discarded))
    return events


def _open(state: State, events: list[Event], discards: tuple[Card, ...]) -> None:
    """Adds the starter and what it does to the first player (RULES.md R4).

    The pick being decided still has its second card on the draw pile, the offered one is out already.
    """
    *rest, starter, _ = state.draw
    pile = (*reversed(rest), *opening_block(state, discards))
    events.append(Event(StarterTurned(starter, len(pile))))
    first_drafter, first_player = state.first_drafter, state.first_drafter.other
    due = cards_due(starter, 0)
    if due:
        cards = pile[:due]
        events.append(Event(CardsDrawn(first_player, len(cards), due, DrawReason.OPENING), cards, first_player))
    if starter.color is None:
        return
    skipped = due or starter.symbol is Symbol.SKIP
    free_color = starter.color if starter.symbol is Symbol.REVERSE else None
    _start_turn(state, events, first_drafter if skipped else first_player, starter.color, free_color)


def _play(state: State, seat: Seat, play: Play) -> list[Event]:
    cards = play.cards
    last = cards[-1]
    color = play.color or last.color
    assert color is not None
    left = len(state.hands[seat]) - len(cards)
    called = play.uno and left == 1
    events = [Event(CardsPlayed(seat, cards, color, left, called))]
    due = cards_due(last, state.pending.total if state.pending else 0)
    if left == 0:
        if due and state.ruleset.final_penalty is FinalPenalty.DRAW:
            _draw(state, events, seat.other, due, DrawReason.FINAL, cards)
        _end_round(state, events, RoundEndReason.OUT, seat)
    elif not due and (called or left > 1):
        _start_turn(state, events, seat_after_play(seat, last), color, color_passed_on(state.ruleset, cards))
    # Otherwise the opponent is asked: about the missed UNO call first, else for the answer to the drawing card.
    return events


def _draw_in_turn(state: State, seat: Seat) -> list[Event]:
    events: list[Event] = []
    if _draw(state, events, seat, 1, _DRAW_TURN) == 0:
        if state.stall:
            _end_round(state, events, RoundEndReason.BLOCKED, None)
        else:
            _start_turn(state, events, seat.other, _color_in_force(state), None)
    return events


def _accept(state: State, seat: Seat) -> list[Event]:
    pending = state.pending
    assert pending is not None
    reason = DrawReason.WILD_DRAW_FOUR if pending.evidence else DrawReason.DRAW_TWO
    events: list[Event] = []
    _draw(state, events, seat, pending.total, reason)
    _start_turn(state, events, pending.by, _color_in_force(state), None)
    return events


def _challenge(state: State, seat: Seat) -> list[Event]:
    pending, ruleset = state.pending, state.ruleset
    assert pending is not None
    assert pending.evidence is not None
    evidence = pending.evidence
    guilty = is_guilty(ruleset.wd4_alternative, evidence.shown, evidence.top, evidence.color)
    events = [Event(Challenged(seat, guilty), evidence.shown, seat)]
    if guilty:
        _draw(state, events, pending.by, 4, DrawReason.CHALLENGE_WON)
    else:
        _draw(state, events, seat, 6, DrawReason.CHALLENGE_LOST)
    challenger_next = guilty and ruleset.wd4_guilty_next is Wd4GuiltyNext.CHALLENGER
    _start_turn(state, events, seat if challenger_next else pending.by, _color_in_force(state), None)
    return events


def _close_uno_window(state: State, seat: Seat, caught: bool) -> list[Event]:
    events = [Event(UnoWindowClosed(seat, caught))]
    if caught:
        _draw(state, events, seat.other, 2, DrawReason.UNO)
    if state.pending is None:
        _start_turn(state, events, state.next_turn, _color_in_force(state), state.free_color)
    return events


def _draw(
    state: State, events: list[Event], seat: Seat, due: int, reason: DrawReason, played: tuple[Card, ...] = ()
) -> int:
    """Adds a draw, and the recycling it needs right before it; returns the number of cards drawn (RULES.md R10)."""
    cards, recycled = next_out(state, due, played)
    if recycled:
        events.append(Event(Recycled(recycled)))
    events.append(Event(CardsDrawn(seat, len(cards), due, reason), cards, seat))
    return len(cards)


def _start_turn(state: State, events: list[Event], seat: Seat, color: Color, free_color: Color | None) -> None:
    """Adds the next turn, or the end of the round where the turn would exceed the cap (RULES.md R11)."""
    if state.turns >= state.ruleset.turn_cap:
        _end_round(state, events, RoundEndReason.TURN_CAP, None)
    else:
        events.append(Event(TurnStarted(seat, color, free_color)))


def _end_round(state: State, events: list[Event], reason: RoundEndReason, winner: Seat | None) -> None:
    """Adds the score of the round and what follows it: the end of the match or the next round (RULES.md R11, R12)."""
    hands = _hands_after(state, events)
    points = (hand_points(hands[0]), hand_points(hands[1]))
    totals = (state.totals[0] + points[0], state.totals[1] + points[1])
    events.append(Event(RoundEnded(winner, reason, hands, points, totals)))
    outcome = match_outcome(state.ruleset, state.round, totals)
    if outcome:
        events.append(Event(MatchEnded(outcome)))
    else:
        events += _round_start(state, state.round + 1, state.first_drafter.other)


def _hands_after(state: State, events: list[Event]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Returns the sorted hands as the events of the action being decided leave them."""
    hands = (list(state.hands[0]), list(state.hands[1]))
    for event in events:
        fact = event.fact
        if isinstance(fact, CardsPlayed):
            for card in fact.cards:
                hands[fact.seat].remove(card)
        elif isinstance(fact, CardsDrawn):
            hands[fact.seat].extend(event.private_cards)
    return tuple(sorted(hands[0])), tuple(sorted(hands[1]))


def _color_in_force(state: State) -> Color:
    assert state.color is not None
    return state.color
