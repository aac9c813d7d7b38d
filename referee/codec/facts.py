"""Facts of the rules as messages (event.proto, `cut` to `match_ended`)."""

from typing import Final, assert_never

from unoduo.v1 import event_pb2 as pb

from referee.codec.enums import CARDS, COLORS, DRAW_REASONS, ROUND_END_REASONS, SEATS
from referee.codec.errors import join
from referee.codec.outcomes import decode_outcome, outcome_bytes
from referee.codec.wire import Field, Head, bytes_field, message_field
from referee.rules.events import (
    CardsDrawn,
    CardsPlayed,
    Challenged,
    ColorChosen,
    Cut,
    DraftDone,
    DraftOffered,
    DrawnKept,
    Fact,
    MatchEnded,
    Recycled,
    RoundEnded,
    RoundStarted,
    StarterTurned,
    TurnStarted,
    UnoWindowClosed,
)

# Fields of the kinds, named by their numbers: each arm below follows its message in event.proto line by line.
_U1, _U2, _U3, _U4, _U5, _U6, _U7, _U8 = (Field(number) for number in range(1, 9))
_M1: Final = message_field(1)
_COLOR_3: Final = COLORS.fields(3)
_REASON_4: Final = DRAW_REASONS.fields(4)
_CARDS_2: Final = Head(2)
_CARDS_3: Final = bytes_field(3)
_CARDS_4: Final = bytes_field(4)

_CUT: Final = message_field(1)
_ROUND_STARTED: Final = message_field(2)
_DRAFT_OFFERED: Final = message_field(3)
_DRAFT_DONE: Final = message_field(4)
_STARTER_TURNED: Final = message_field(5)
_COLOR_CHOSEN: Final = message_field(6)
_CARDS_PLAYED: Final = message_field(8)
_CARDS_DRAWN: Final = message_field(9)
_RECYCLED: Final = message_field(10)
_DRAWN_KEPT: Final = message_field(11)
_UNO_WINDOW_CLOSED: Final = message_field(12)
_CHALLENGED: Final = message_field(13)
_ROUND_ENDED: Final = message_field(14)
_MATCH_ENDED: Final = message_field(15)

# The field `seat`, first in most kinds, by seat.
_SEAT: Final = (_U1[1], _U1[2])

# The whole fact by seat, color and free color (0 none): it is in every second entry.
_TURN_STARTED: Final = tuple(
    tuple(tuple(message_field(7)(seat + _U2[color] + _U3[free_color]) for free_color in range(5)) for color in range(5))
    for seat in _SEAT
)


def fact_bytes(fact: Fact) -> bytes:
    """Returns the serialised message Event of a fact."""
    # The most frequent kinds stand first.
    if isinstance(fact, TurnStarted):
        return _TURN_STARTED[fact.seat][fact.color][fact.free_color or 0]
    if isinstance(fact, CardsPlayed):
        cards = bytes(fact.cards)
        seat_and_cards = _SEAT[fact.seat] + _CARDS_2[len(cards)] + cards
        return _CARDS_PLAYED(seat_and_cards + _COLOR_3[fact.color] + _U4[fact.left] + _U5[fact.uno])
    if isinstance(fact, CardsDrawn):
        return _CARDS_DRAWN(_SEAT[fact.seat] + _U2[fact.count] + _U3[fact.due] + _REASON_4[fact.reason])
    if isinstance(fact, DrawnKept):
        return _DRAWN_KEPT(_SEAT[fact.seat])
    if isinstance(fact, DraftOffered):
        return _DRAFT_OFFERED(_SEAT[fact.seat])
    if isinstance(fact, DraftDone):
        return _DRAFT_DONE(_SEAT[fact.seat] + _U2[fact.kept_first] + _U3[fact.discarded])
    if isinstance(fact, UnoWindowClosed):
        return _UNO_WINDOW_CLOSED(_SEAT[fact.seat] + _U2[fact.caught])
    if isinstance(fact, Challenged):
        return _CHALLENGED(_SEAT[fact.seat] + _U2[fact.guilty])
    if isinstance(fact, Recycled):
        return _RECYCLED(_U1[fact.draw_count])
    if isinstance(fact, RoundEnded):
        return _ROUND_ENDED(_round_ended(fact))
    if isinstance(fact, RoundStarted):
        return _ROUND_STARTED(_U1[fact.round] + _U2[SEATS.numbers[fact.first_drafter]])
    if isinstance(fact, StarterTurned):
        return _STARTER_TURNED(_U1[fact.card] + _U2[fact.draw_count])
    if isinstance(fact, ColorChosen):
        return _COLOR_CHOSEN(_SEAT[fact.seat] + _U2[fact.color])
    if isinstance(fact, Cut):
        return _CUT(_U1[fact.card_a] + _U2[fact.card_b])
    if isinstance(fact, MatchEnded):
        return _MATCH_ENDED(_M1(outcome_bytes(fact.outcome)))
    assert_never(fact)


def _round_ended(fact: RoundEnded) -> bytes:
    return b"".join(
        (
            _U1[SEATS.numbers[fact.winner]],
            _U2[ROUND_END_REASONS.numbers[fact.reason]],
            _CARDS_3(bytes(fact.hands[0])),
            _CARDS_4(bytes(fact.hands[1])),
            _U5[fact.points[0]],
            _U6[fact.points[1]],
            _U7[fact.totals[0]],
            _U8[fact.totals[1]],
        )
    )


def decode_fact(message: pb.Event, path: str) -> Fact | None:
    """Returns the fact that a message holds, None if it holds another kind or none.

    Raises:
        Malformed: naming, below `path`, the field that is unset or has an unknown number.
    """
    kind = message.WhichOneof("kind")
    here = join(path, kind or "kind")
    match kind:
        case "cut":
            cut = message.cut
            return Cut(CARDS.decode(cut.card_a, f"{here}.card_a"), CARDS.decode(cut.card_b, f"{here}.card_b"))
        case "round_started":
            started = message.round_started
            return RoundStarted(started.round, SEATS.decode(started.first_drafter, f"{here}.first_drafter"))
        case "draft_offered":
            return DraftOffered(SEATS.decode(message.draft_offered.seat, f"{here}.seat"))
        case "draft_done":
            done = message.draft_done
            seat = SEATS.decode(done.seat, f"{here}.seat")
            return DraftDone(seat, done.kept_first, CARDS.decode(done.discarded, f"{here}.discarded"))
        case "starter_turned":
            starter = message.starter_turned
            return StarterTurned(CARDS.decode(starter.card, f"{here}.card"), starter.draw_count)
        case "color_chosen":
            chosen = message.color_chosen
            return ColorChosen(SEATS.decode(chosen.seat, f"{here}.seat"), COLORS.decode(chosen.color, f"{here}.color"))
        case "turn_started":
            return _decode_turn_started(message.turn_started, here)
        case "cards_played":
            return _decode_cards_played(message.cards_played, here)
        case "cards_drawn":
            drawn = message.cards_drawn
            reason = DRAW_REASONS.decode(drawn.reason, f"{here}.reason")
            return CardsDrawn(SEATS.decode(drawn.seat, f"{here}.seat"), drawn.count, drawn.due, reason)
        case "recycled":
            return Recycled(message.recycled.draw_count)
        case "drawn_kept":
            return DrawnKept(SEATS.decode(message.drawn_kept.seat, f"{here}.seat"))
        case "uno_window_closed":
            closed = message.uno_window_closed
            return UnoWindowClosed(SEATS.decode(closed.seat, f"{here}.seat"), closed.caught)
        case "challenged":
            challenged = message.challenged
            return Challenged(SEATS.decode(challenged.seat, f"{here}.seat"), challenged.guilty)
        case "round_ended":
            return _decode_round_ended(message.round_ended, here)
        case "match_ended":
            return MatchEnded(decode_outcome(message.match_ended.outcome, f"{here}.outcome"))
        case _:
            return None


def _decode_turn_started(message: pb.TurnStarted, here: str) -> TurnStarted:
    return TurnStarted(
        SEATS.decode(message.seat, f"{here}.seat"),
        COLORS.decode(message.color, f"{here}.color"),
        COLORS.decode_optional(message.free_color, f"{here}.free_color"),
    )


def _decode_cards_played(message: pb.CardsPlayed, here: str) -> CardsPlayed:
    return CardsPlayed(
        SEATS.decode(message.seat, f"{here}.seat"),
        CARDS.decode_all(message.cards, f"{here}.cards"),
        COLORS.decode(message.color, f"{here}.color"),
        message.left,
        message.uno,
    )


def _decode_round_ended(message: pb.RoundEnded, here: str) -> RoundEnded:
    return RoundEnded(
        SEATS.decode_optional(message.winner, f"{here}.winner"),
        ROUND_END_REASONS.decode(message.reason, f"{here}.reason"),
        (CARDS.decode_all(message.hand_a, f"{here}.hand_a"), CARDS.decode_all(message.hand_b, f"{here}.hand_b")),
        (message.points_a, message.points_b),
        (message.total_a, message.total_b),
    )
