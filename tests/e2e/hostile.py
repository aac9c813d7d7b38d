"""Items that no well-behaved bot sends, each with what the referee must answer."""

from collections.abc import Iterator
from dataclasses import dataclass

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


def wrong_items(
    handle: int, decision_id: int, match_id: bytes, rival_token: str, seat: int
) -> Iterator[tuple[str, Item, tuple[int, str, str]]]:
    """Yields items that are wrong whatever the position, with code, reason and field of the problem."""
    submitted = session_pb2.SubmittedAction(decision_id=decision_id, action_id="x", action=CONSTANTS["draw"])
    ready = session_pb2.Ready(h0=bytes(32))
    resign, leave = session_pb2.Resign(), session_pb2.Leave()
    join = session_pb2.Join
    free = 4_000_000_000
    yield "unknown handle", Item(handle=free, action=submitted), (9, "HANDLE_UNKNOWN", "handle")
    yield "no handle", Item(action=submitted), (9, "HANDLE_UNKNOWN", "handle")
    yield "ready under an unknown handle", Item(handle=free, ready=ready), (9, "HANDLE_UNKNOWN", "handle")
    yield (
        "resign under an unknown handle",
        Item(handle=free, resign=session_pb2.Resign()),
        (9, "HANDLE_UNKNOWN", "handle"),
    )
    yield "leave under an unknown handle", Item(handle=free, leave=leave), (9, "HANDLE_UNKNOWN", "handle")
    yield "no kind", Item(handle=handle), (3, "KIND_MISSING", "kind")
    yield "late hello", Item(hello=session_pb2.Hello(client="x", protocol=1)), (9, "HELLO_NOT_FIRST", "hello")
    yield "foreign header", Item(handle=handle, ready=ready), (3, "H0_MISMATCH", "ready.h0")
    yield (
        "join without a token",
        Item(handle=free, join=join(match_id=match_id, seat=seat)),  # type: ignore[arg-type]
        (16, "TOKEN_MISSING", "join.seat_token"),
    )
    yield (
        "join with the token of the other seat",
        Item(handle=free, join=join(match_id=match_id, seat=seat, seat_token=rival_token)),  # type: ignore[arg-type]
        (7, "NOT_YOURS", ""),
    )
    yield (
        "join of an unknown match",
        Item(handle=free, join=join(match_id=bytes(16), seat=seat, seat_token=rival_token)),  # type: ignore[arg-type]
        (7, "NOT_YOURS", ""),
    )
    yield (
        "join of half a match",
        Item(handle=free, join=join(match_id=match_id[:8], seat=seat, seat_token=rival_token)),  # type: ignore[arg-type]
        (3, "FIELD_INVALID", "join.match_id"),
    )
    yield (
        "join of no seat",
        Item(handle=free, join=join(match_id=match_id, seat_token=rival_token)),
        (3, "FIELD_INVALID", "join.seat"),
    )
    yield (
        "join of a third seat",
        Item(handle=free, join=join(match_id=match_id, seat=3, seat_token=rival_token)),  # type: ignore[arg-type]
        (3, "FIELD_INVALID", "join.seat"),
    )
    yield (
        "join under no handle",
        Item(join=join(match_id=match_id, seat=seat, seat_token=rival_token)),  # type: ignore[arg-type]
        (3, "FIELD_INVALID", "handle"),
    )
    yield (
        "join under a handle in use",
        Item(handle=handle, join=join(match_id=match_id, seat=seat, seat_token=rival_token)),  # type: ignore[arg-type]
        (3, "HANDLE_TAKEN", "handle"),
    )
    yield (
        "unknown delivery",
        Item(handle=free, join=join(match_id=match_id, seat=1, seat_token=rival_token, delivery=7)),  # type: ignore[arg-type]
        (3, "FIELD_INVALID", "join.delivery"),
    )
    yield (
        "resume",
        Item(handle=free, join=join(match_id=match_id, seat=1, seat_token=rival_token, after_sequence=1)),
        (12, "RESUME_NOT_SUPPORTED", "join.after_sequence"),
    )
