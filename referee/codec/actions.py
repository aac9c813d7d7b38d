"""Actions of seats (action.proto)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, assert_never

from unoduo.v1 import action_pb2 as pb

from referee.codec.enums import CARDS, COLORS
from referee.codec.errors import Malformed, join
from referee.codec.wire import Field, bytes_field, message_field
from referee.rules.actions import (
    CATCH,
    CHALLENGE,
    CHOOSE_COLOR,
    DRAW,
    KEEP_DRAWN,
    KEEP_OFFERED,
    LET_PASS,
    REFUSE_OFFERED,
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
from referee.rules.cards import Card, Color

# No deck has more cards.
_LONGEST_PLAY: Final = 112
_LONGEST_ACTION_ID: Final = 36

_KEEP_OFFERED: Final = message_field(1)(b"")
_REFUSE_OFFERED: Final = message_field(2)(b"")
_CHOOSE_COLOR: Final = message_field(3)
_CHOSEN_COLOR: Final = Field(1)
_PLAY: Final = message_field(4)
_PLAY_CARDS: Final = bytes_field(1)
_PLAY_COLOR: Final = Field(2)
_PLAY_UNO: Final = Field(3)
_DRAW: Final = message_field(5)(b"")
_KEEP_DRAWN: Final = message_field(6)(b"")
_CHALLENGE: Final = message_field(7)(b"")
_CATCH: Final = message_field(8)(b"")
_LET_PASS: Final = message_field(9)(b"")

_CONSTANT_ACTIONS: Final[Mapping[str | None, Action]] = MappingProxyType(
    {
        "keep_offered": KEEP_OFFERED,
        "refuse_offered": REFUSE_OFFERED,
        "draw": DRAW,
        "keep_drawn": KEEP_DRAWN,
        "challenge": CHALLENGE,
        "catch": CATCH,
        "let_pass": LET_PASS,
    }
)


def decode_action(message: pb.Action, path: str = "") -> Action:
    """Returns the action that a message holds; `path` is where the message stands, for errors.

    Raises:
        Malformed: for no kind (field `kind`), an unset or unknown card (`play.cards[2]`) or color
            (`choose_color.color`, `play.color`), or more cards than a deck has (action.proto).
    """
    kind = message.WhichOneof("kind")
    if kind == "play":
        return _decode_play(message.play, path)
    if kind == "choose_color":
        color = COLORS.decode(message.choose_color.color, join(path, "choose_color.color"))
        return CHOOSE_COLOR[color - 1]
    action = _CONSTANT_ACTIONS.get(kind)
    if action is None:
        raise Malformed(join(path, "kind"), "an action has exactly one kind")
    return action


def _decode_play(play: pb.Play, path: str) -> Play:
    numbers = play.cards
    if len(numbers) == 1 and (known := _PLAYS_OF_ONE.get((numbers[0], play.color, play.uno))) is not None:
        return known
    if len(numbers) > _LONGEST_PLAY:
        raise Malformed(join(path, "play.cards"), f"names {len(numbers)} cards, a deck has {_LONGEST_PLAY}")
    cards = CARDS.decode_all(numbers, join(path, "play.cards"))
    return Play(cards, COLORS.decode_optional(play.color, join(path, "play.color")), play.uno)


def decode_action_id(text: str, path: str = "action_id") -> str:
    """Returns the seat's own id of an action.

    Raises:
        Malformed: unless it is 1 to 36 printable ASCII characters (session.proto).
    """
    if not 1 <= len(text) <= _LONGEST_ACTION_ID or not text.isascii() or not text.isprintable():
        raise Malformed(path, f"must be 1 to {_LONGEST_ACTION_ID} printable ASCII characters")
    return text


def encode_action(action: Action) -> pb.Action:
    """Returns a new message of the action."""
    return pb.Action.FromString(action_bytes(action))


def action_bytes(action: Action) -> bytes:
    """Returns the serialised message of the action."""
    if isinstance(action, Play):
        cards = action.cards
        if len(cards) == 1:
            return _SINGLE_PLAYS[cards[0]][action.color or 0][action.uno]
        return _play_bytes(cards, action.color or 0, action.uno)
    if isinstance(action, Draw):
        return _DRAW
    if isinstance(action, KeepDrawn):
        return _KEEP_DRAWN
    if isinstance(action, KeepOffered):
        return _KEEP_OFFERED
    if isinstance(action, RefuseOffered):
        return _REFUSE_OFFERED
    if isinstance(action, Challenge):
        return _CHALLENGE
    if isinstance(action, Catch):
        return _CATCH
    if isinstance(action, LetPass):
        return _LET_PASS
    if isinstance(action, ChooseColor):
        return _CHOOSE_COLOR(_CHOSEN_COLOR[action.color])
    assert_never(action)


def _play_bytes(cards: tuple[Card, ...], color: int, uno: bool) -> bytes:
    return _PLAY(_PLAY_CARDS(bytes(cards)) + _PLAY_COLOR[color] + _PLAY_UNO[uno])


# By the numbers of card and color (0 none), and the call: most actions that come are one of these.
_PLAYS_OF_ONE: Final[Mapping[tuple[int, int, bool], Play]] = MappingProxyType(
    {
        (card, color or 0, uno): Play((card,), color, uno)
        for card in Card
        for color in (None, *Color)
        for uno in (False, True)
    }
)
# By card, color (0 none) and call: legal lists are made of these.
_SINGLE_PLAYS: Final = (
    (),
    *(tuple(tuple(_play_bytes((card,), color, uno) for uno in (False, True)) for color in range(5)) for card in Card),
)
