"""Events and actions as plain sentences, each with the clause that it follows (`RULES.md`)."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, assert_never

from referee.adjudication.clocks import used_ms
from referee.adjudication.rulings import (
    ClockReading,
    DealSealed,
    Forfeited,
    Resigned,
    Resumed,
    Ruling,
    TimedOut,
    Voided,
)
from referee.report.names import card_list, card_name, color_name, counted, outcome_text, printable, termination_name
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
from referee.rules.cards import Card, Symbol
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
    Fact,
    MatchEnded,
    Recycled,
    RoundEnded,
    RoundEndReason,
    RoundStarted,
    StarterTurned,
    TurnStarted,
    UnoWindowClosed,
)
from referee.rules.outcome import Termination
from referee.rules.seats import SEATS


@dataclass(frozen=True, slots=True)
class Sentence:
    """Holds what happened in words, and the clause of RULES.md by which it happened, or an empty text if none."""

    text: str
    clause: str


_STARTER_CLAUSES: Final = MappingProxyType(
    {
        Symbol.SKIP: "R4.3",
        Symbol.DRAW_TWO: "R4.4",
        Symbol.REVERSE: "R4.6",
        Symbol.WILD: "R4.7",
        Symbol.WILD_DRAW_FOUR: "R4.8",
    }
)
_PLAY_CLAUSES: Final = MappingProxyType(
    {
        Symbol.SKIP: "R7.1",
        Symbol.REVERSE: "R7.2",
        Symbol.DRAW_TWO: "R6.1",
        Symbol.WILD: "R8.1",
        Symbol.WILD_DRAW_FOUR: "R8.3",
    }
)
_DRAWS: Final = MappingProxyType(
    {
        DrawReason.TURN: ("in its turn", "R5.8"),
        DrawReason.OPENING: ("for the starter", "R4.4"),
        DrawReason.DRAW_TWO: ("for the Draw Two", "R6.4"),
        DrawReason.WILD_DRAW_FOUR: ("for the Wild Draw Four", "R8.4"),
        DrawReason.CHALLENGE_WON: ("for the bluff", "R8.11"),
        DrawReason.CHALLENGE_LOST: ("for the lost challenge", "R8.12"),
        DrawReason.UNO: ("for the missing UNO", "R9.3"),
        DrawReason.FINAL: ("for the last card played", "R11.2"),
    }
)
_OPENING_WILD_DRAW_FOUR: Final = 4
_ROUND_ENDS: Final = MappingProxyType(
    {
        RoundEndReason.OUT: ("", "R11.1"),
        RoundEndReason.BLOCKED: ("blocked, nothing left to draw", "R11.4"),
        RoundEndReason.TURN_CAP: ("too many turns", "R11.5"),
    }
)
_MATCH_ENDS: Final = MappingProxyType({Termination.TARGET: "R12.1", Termination.ROUND_CAP: "R12.4"})


def describe(fact: Fact | Ruling, private_cards: tuple[Card, ...]) -> Sentence:
    """Returns the sentence for one event as an observer sees it: the public part, and private cards if they are known.

    Total over all events; an observer who may not see the private cards gives an empty tuple.
    """
    match fact:
        case DealSealed() | TimedOut() | Forfeited() | Resigned() | Resumed() | Voided():
            return _describe_ruling(fact)
        case Cut():
            return Sentence(f"the cut: A {card_name(fact.card_a)}, B {card_name(fact.card_b)}", "R2.4")
        case RoundStarted():
            return Sentence(f"round {fact.round} begins, {fact.first_drafter.name} drafts first", "R2.3")
        case DraftOffered():
            return Sentence(f"{fact.seat.name} is offered {_hidden(private_cards, 1)}", "R3.2")
        case DraftDone():
            return _describe_pick(fact, private_cards)
        case StarterTurned():
            text = f"the starter is {card_name(fact.card)}, {fact.draw_count} cards to draw"
            return Sentence(text, _STARTER_CLAUSES.get(fact.card.symbol, "R4.2"))
        case ColorChosen():
            return Sentence(f"{fact.seat.name} chooses {color_name(fact.color)}", "R4.7")
        case TurnStarted():
            return _describe_turn(fact)
        case CardsPlayed():
            return _describe_play(fact)
        case CardsDrawn():
            return _describe_draw(fact, private_cards)
        case Recycled():
            return Sentence(f"the discards become the draw pile, {fact.draw_count} cards to draw", "R10.2")
        case DrawnKept():
            return Sentence(f"{fact.seat.name} keeps the card", "R5.10")
        case UnoWindowClosed():
            if fact.caught:
                return Sentence(f"{fact.seat.name} catches {fact.seat.other.name} without UNO", "R9.3")
            return Sentence(f"{fact.seat.name} lets the missing UNO pass", "R9.4")
        case Challenged():
            return _describe_challenge(fact, private_cards)
        case RoundEnded():
            return _describe_round_end(fact)
        case MatchEnded():
            return Sentence(f"the match is over: {outcome_text(fact.outcome)}", _match_end_clause(fact))
        case _:
            assert_never(fact)


def describe_action(action: Action) -> str:
    """Returns what a seat wanted to do as an infinitive, such as `play Red 5` or `draw`. Total over all actions."""
    match action:
        case KeepOffered():
            return "keep the offered card"
        case RefuseOffered():
            return "refuse the offered card"
        case ChooseColor():
            return f"choose {color_name(action.color)}"
        case Play():
            named = "" if action.color is None else f" naming {color_name(action.color)}"
            return f"play {card_list(action.cards)}{named}{' and say UNO' if action.uno else ''}"
        case Draw():
            return "draw"
        case KeepDrawn():
            return "keep the drawn card"
        case Challenge():
            return "challenge"
        case Catch():
            return "catch"
        case LetPass():
            return "let it pass"
        case _:
            assert_never(action)


def _hidden(cards: tuple[Card, ...], count: int) -> str:
    if cards:
        return card_list(cards)
    return "a card" if count == 1 else counted(count, "card")


def _describe_pick(fact: DraftDone, private_cards: tuple[Card, ...]) -> Sentence:
    discarded = card_name(fact.discarded)
    if fact.kept_first:
        kept = card_name(private_cards[0]) if private_cards else "it"
        return Sentence(f"{fact.seat.name} keeps {kept}; {discarded} is discarded", "R3.3")
    return Sentence(f"{fact.seat.name} refuses {discarded} and takes {_hidden(private_cards, 1)}", "R3.4")


def _describe_turn(fact: TurnStarted) -> Sentence:
    turn = f"{fact.seat.name} to play on {color_name(fact.color)}"
    if fact.free_color is None:
        return Sentence(turn, "R5.1")
    return Sentence(f"{turn}, free to dump {color_name(fact.free_color)}", "R7.12")


def _describe_play(fact: CardsPlayed) -> Sentence:
    if not fact.cards:
        # A file that nobody has verified may tell of that.
        return Sentence(f"{fact.seat.name} plays nothing", "R5.2")
    last = fact.cards[-1]
    named = f", names {color_name(fact.color)}" if last.color is None else ""
    left = "out" if fact.left == 0 else f"{fact.left} left"
    uno = ", UNO!" if fact.uno else ""
    text = f"{fact.seat.name} plays {card_list(fact.cards)}{named} ({left}){uno}"
    if len(fact.cards) == 1:
        return Sentence(text, _PLAY_CLAUSES.get(last.symbol, "R5.2"))
    return Sentence(text, "R7.3" if fact.cards[0].symbol is Symbol.REVERSE else "R7.12")


def _describe_draw(fact: CardsDrawn, private_cards: tuple[Card, ...]) -> Sentence:
    why, clause = _DRAWS[fact.reason]
    if fact.reason is DrawReason.OPENING and fact.due == _OPENING_WILD_DRAW_FOUR:
        clause = "R4.8"
    if fact.count < fact.due:
        amount = f"{fact.count} of {fact.due} cards, all there are,"
        clause = "R10.6" if fact.reason is DrawReason.TURN else "R10.5"
    else:
        amount = counted(fact.count, "card")
    shown = f": {card_list(private_cards)}" if private_cards else ""
    return Sentence(f"{fact.seat.name} draws {amount} {why}{shown}", clause)


def _describe_challenge(fact: Challenged, private_cards: tuple[Card, ...]) -> Sentence:
    shown = f"; {fact.seat.other.name} showed {card_list(private_cards)}" if private_cards else ""
    if fact.guilty:
        return Sentence(f"{fact.seat.name} challenges: it was a bluff{shown}", "R8.11")
    return Sentence(f"{fact.seat.name} challenges: it was no bluff{shown}", "R8.12")


def _describe_round_end(fact: RoundEnded) -> Sentence:
    cause, clause = _ROUND_ENDS[fact.reason]
    how = f"{fact.winner.name} is out" if fact.winner is not None else cause
    held = [
        f"{seat.name} has {card_list(fact.hands[seat])} = {counted(fact.points[seat], 'point')}"
        for seat in SEATS
        if seat is not fact.winner
    ]
    total_a, total_b = fact.totals
    return Sentence(f"the round is over, {how}: {'; '.join(held)}; totals A {total_a}, B {total_b}", clause)


def _match_end_clause(fact: MatchEnded) -> str:
    return _MATCH_ENDS.get(fact.outcome.termination, "R12.6")


def _describe_ruling(ruling: Ruling) -> Sentence:
    match ruling:
        case DealSealed():
            sizes = f"{len(ruling.entropy_1)} and {len(ruling.entropy_2)}"
            return Sentence(f"the deal is fixed, with {sizes} bytes of entropy from its contributors", "R13.7")
        case TimedOut():
            text = f"{ruling.seat.name} is out of time ({counted(ruling.strikes, 'strike')})"
            return (
                Sentence(f"{text}; the default is taken", "R13.4") if ruling.default_taken else Sentence(text, "R12.6")
            )
        case Forfeited():
            return _describe_forfeit(ruling)
        case Resigned():
            return Sentence(f"{ruling.seat.name} resigns", "R12.6")
        case Resumed():
            return Sentence(f"the match goes on ({ruling.reason.name.lower()})", "")
        case Voided():
            reason = f": {printable(ruling.reason)}" if ruling.reason else ""
            return Sentence(f"the match is void, {termination_name(ruling.termination)}{reason}", "R12.6")
        case _:
            assert_never(ruling)


def _describe_forfeit(ruling: Forfeited) -> Sentence:
    lost = f"{ruling.seat.name} loses the match, {termination_name(ruling.termination)}"
    match ruling.judged_on:
        case None:
            return Sentence(lost, "R12.6")
        case str():
            clause = printable(ruling.judged_on)
            return Sentence(f"{lost}; the last try broke {clause}", clause)
        case ClockReading() as clock:
            allowed = clock.limit_ms + clock.bank_ms + clock.margin_ms
            used = used_ms(clock.elapsed_ms, clock.lag_credit_ms)
            return Sentence(f"{lost}: {used} ms used of {allowed} ms", "R12.6")
        case int():
            return Sentence(f"{lost}: {ruling.judged_on} ms", "R12.6")
        case _:
            assert_never(ruling.judged_on)
