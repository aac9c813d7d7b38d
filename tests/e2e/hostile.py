"""Items that no well-behaved bot sends, each with what the referee must answer."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from unoduo.v1 import action_pb2, card_pb2, observation_pb2, session_pb2
from unoduo.v1.action_pb2 import Action

from tests.server.wire import Item

WILDS = (card_pb2.CARD_WILD, card_pb2.CARD_WILD_DRAW_FOUR)
RED_0 = card_pb2.CARD_RED_0
WILD = card_pb2.CARD_WILD

CONSTANTS = {
    "keep_offered": Action(keep_offered=action_pb2.KeepOffered()),
    "refuse_offered": Action(refuse_offered=action_pb2.RefuseOffered()),
    "choose_color": Action(choose_color=action_pb2.ChooseColor(color=card_pb2.COLOR_RED)),
    "play": Action(play=action_pb2.Play(cards=[RED_0])),
    "play_wild": Action(play=action_pb2.Play(cards=[WILD], color=card_pb2.COLOR_BLUE)),
    "draw": Action(draw=action_pb2.Draw()),
    "keep_drawn": Action(keep_drawn=action_pb2.KeepDrawn()),
    "challenge": Action(challenge=action_pb2.Challenge()),
    "catch": Action(catch=action_pb2.Catch()),
    "let_pass": Action(let_pass=action_pb2.LetPass()),
}


@dataclass(frozen=True)
class Malformed:
    """An action that is no action, and the field that is wrong."""

    name: str
    action: Action | None
    field: str
    action_id: str = "malformed"


def _play(*cards: int, color: int = 0, uno: bool = False) -> Action:
    return Action(play=action_pb2.Play(cards=list(cards), color=color, uno=uno))  # type: ignore[arg-type]


MALFORMED = (
    Malformed("no action", None, "action.action.kind"),
    Malformed("no kind", Action(), "action.action.kind"),
    Malformed("unset card", _play(0), "action.action.play.cards[0]"),
    Malformed("unset card among others", _play(1, 0), "action.action.play.cards[1]"),
    Malformed("unknown card", _play(55), "action.action.play.cards[0]"),
    Malformed("negative card", _play(-1), "action.action.play.cards[0]"),
    Malformed("largest card", _play(2**31 - 1), "action.action.play.cards[0]"),
    Malformed("unknown color", _play(WILD, color=5), "action.action.play.color"),
    Malformed("negative color", _play(WILD, color=-1), "action.action.play.color"),
    Malformed("113 cards", _play(*[RED_0] * 113), "action.action.play.cards"),
    Malformed("unset chosen color", Action(choose_color=action_pb2.ChooseColor()), "action.action.choose_color.color"),
    Malformed(
        "unknown chosen color",
        Action(choose_color=action_pb2.ChooseColor(color=9)),  # type: ignore[arg-type]
        "action.action.choose_color.color",
    ),
    Malformed("no action id", CONSTANTS["draw"], "action.action_id", ""),
    Malformed("long action id", CONSTANTS["draw"], "action.action_id", "x" * 37),
    Malformed("action id in another script", CONSTANTS["draw"], "action.action_id", "ä"),
    Malformed("action id with a line end", CONSTANTS["draw"], "action.action_id", "a\n"),
)


def illegal(question: observation_pb2.Observation) -> Iterator[tuple[str, Action, set[str]]]:
    """Yields well-formed actions that the rules refuse at this question, with the reasons that are right for them."""
    decision, hand = question.decision, list(question.view.hand)
    legal = {action.SerializeToString() for action in decision.legal}
    plays_exist = decision.phase in (
        observation_pb2.PHASE_TURN,
        observation_pb2.PHASE_DRAWN,
        observation_pb2.PHASE_RESPOND,
    )
    for name, action in CONSTANTS.items():
        if action.SerializeToString() not in legal and not (name.startswith("play") and plays_exist):
            yield f"{name} is of another phase", action, {"WRONG_PHASE", "NOT_A_WILD_DRAW_FOUR"}
    if not plays_exist:
        return
    if question.view.pending_kind == observation_pb2.PENDING_KIND_WILD_DRAW_FOUR:
        yield "card on a wild draw four", _play(hand[0]), {"WILD_DRAW_FOUR_UNANSWERABLE"}
        return
    absent = next(card for card in range(1, 53) if card not in hand)
    plain = next((card for card in hand if card not in WILDS), None)
    yield "no card", _play(), {"EMPTY_PLAY"}
    yield "card not held", _play(absent), {"CARD_NOT_HELD"}
    yield "card not held with UNO", _play(absent, uno=True), {"CARD_NOT_HELD"}
    if plain is not None:
        count = hand.count(plain)
        yield "more copies than held", _play(*[plain] * (count + 1)), {"CARD_NOT_HELD"}
        yield "color on a plain card", _play(plain, color=1), {"COLOR_NOT_ALLOWED"}
    for card in WILDS:
        if card in hand:
            yield "wild without a color", _play(card), {"COLOR_REQUIRED"}


@dataclass(frozen=True)
class WrongItem:
    """An item that is wrong whatever the position, with code, reason and field of its problem."""

    name: str
    item: Item
    problem: tuple[int, str, str]


def wrong_items(handle: int, decision_id: int, match_id: bytes, rival_token: str, seat: int) -> Iterator[WrongItem]:
    """Yields what a seat that has joined under a handle can do wrong; the token is that of its rival."""
    unknown, free = 4_000_000_000, 3_000_000_000
    action = session_pb2.SubmittedAction(decision_id=decision_id, action_id="x", action=CONSTANTS["draw"])
    ready = session_pb2.Ready(h0=bytes(32))
    not_joined = (9, "HANDLE_UNKNOWN", "handle")
    yield WrongItem("action without a handle", Item(action=action), not_joined)
    yield WrongItem("action under an unknown handle", Item(handle=unknown, action=action), not_joined)
    yield WrongItem("ready under an unknown handle", Item(handle=unknown, ready=ready), not_joined)
    yield WrongItem("resign under an unknown handle", Item(handle=unknown, resign=session_pb2.Resign()), not_joined)
    yield WrongItem("leave under an unknown handle", Item(handle=unknown, leave=session_pb2.Leave()), not_joined)
    yield WrongItem("no kind", Item(handle=handle), (3, "KIND_MISSING", "kind"))
    hello = session_pb2.Hello(client="x", protocol=1)
    yield WrongItem("late hello", Item(hello=hello), (9, "HELLO_NOT_FIRST", "hello"))
    yield WrongItem("foreign header", Item(handle=handle, ready=ready), (3, "H0_MISMATCH", "ready.h0"))

    def join(under: int = free, **fields: Any) -> Item:
        given: dict[str, Any] = {"match_id": match_id, "seat": seat, "seat_token": rival_token}
        return Item(handle=under, join=session_pb2.Join(**(given | fields)))

    yield WrongItem("join without a token", join(seat_token=""), (16, "TOKEN_MISSING", "join.seat_token"))
    yield WrongItem("join with the token of the other seat", join(), (7, "NOT_YOURS", ""))
    yield WrongItem("join of an unknown match", join(match_id=bytes(16)), (7, "NOT_YOURS", ""))
    yield WrongItem("join of half a match", join(match_id=match_id[:8]), (3, "FIELD_INVALID", "join.match_id"))
    yield WrongItem("join of no seat", join(seat=0), (3, "FIELD_INVALID", "join.seat"))
    yield WrongItem("join of a third seat", join(seat=3), (3, "FIELD_INVALID", "join.seat"))
    yield WrongItem("join under no handle", join(under=0), (3, "FIELD_INVALID", "handle"))
    yield WrongItem("join under a handle in use", join(under=handle), (3, "HANDLE_TAKEN", "handle"))
    yield WrongItem("unknown delivery", join(delivery=7), (3, "FIELD_INVALID", "join.delivery"))
    yield WrongItem("resume without a head", join(after_sequence=1), (3, "FIELD_INVALID", "join.head"))
