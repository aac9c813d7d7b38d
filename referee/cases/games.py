"""Reads the cases that play: a start, what is given in place of chance, and steps."""

from unoduo.v1 import action_pb2, ruleset_pb2

from referee.cases.errors import ShapeError
from referee.cases.expectations import read_expectations
from referee.cases.model import (
    DeckOrder,
    Expected,
    FullDeal,
    Game,
    LeadsTo,
    MalformedField,
    Position,
    Rejected,
    Start,
    Step,
)
from referee.cases.shape import Fields, card, cards, color, items, message, nullable, pair, seat, text
from referee.cases.shuffles import Shuffles
from referee.codec.errors import Malformed
from referee.codec.settings import decode_ruleset
from referee.rules.cards import Card
from referee.rules.errors import Reason
from referee.rules.ruleset import DUO, Ruleset


def read_game(fields: Fields) -> Game:
    """Returns the start of a case, what is given in place of chance, and the steps.

    Raises:
        ShapeError: for a field of another shape, or a start that cannot be what is asked of it.
    """
    # Positions and decks are smaller than real ones.
    is_deal = "deal" in fields.names()
    ruleset = fields.optional("ruleset", _ruleset if is_deal else _ruleset_of_any_hand_size, DUO)
    start: Start = fields.one_of({"position": _position, "deck": _deck, "deal": _deal})
    shuffles = fields.optional("shuffles", nullable(_shuffles), None)
    if shuffles is not None and is_deal:
        raise ShapeError("shuffles", "cannot be given for any deal")
    begin = fields.optional("begin", nullable(_expected), None)
    if begin is not None and isinstance(start, Position):
        raise ShapeError("begin", "is long past in a position")
    no_steps: tuple[Step, ...] = ()
    steps = fields.optional("steps", items(_step, 1), no_steps)
    if not steps and begin is None:
        raise ShapeError("steps", "is missing")
    return Game(ruleset, start, shuffles, begin, steps)


def _ruleset(value: object, where: str, *, any_hand_size: bool = False) -> Ruleset:
    submitted = message(ruleset_pb2.Ruleset)(value, where)
    try:
        return decode_ruleset(submitted, where, any_hand_size=any_hand_size)
    except Malformed as error:
        raise ShapeError(error.field, error.message) from None


def _ruleset_of_any_hand_size(value: object, where: str) -> Ruleset:
    return _ruleset(value, where, any_hand_size=True)


def _position(value: object, where: str) -> Start:
    fields = Fields(value, where)
    position = Position(
        hands=(fields.required("handA", items(card, 1)), fields.required("handB", items(card, 1))),
        discard=fields.required("discardPile", items(card, 1)),
        draw=fields.required("drawPile", cards),
        color=fields.optional("activeColor", nullable(color), None),
        turn=fields.required("turn", seat),
        free_color=fields.optional("freeColor", nullable(color), None),
        totals=fields.optional("totals", pair, (0, 0)),
    )
    fields.finish()
    _check_color_in_force(position, fields.place("activeColor"))
    return position


def _check_color_in_force(position: Position, where: str) -> None:
    top_color = position.discard[-1].color
    if position.color is None and top_color is None:
        raise ShapeError(where, "is missing and the top card is a wild")
    if position.color is not None and top_color not in (None, position.color):
        raise ShapeError(where, "is not the color of the top card")


def _deck(value: object, where: str) -> Start:
    return DeckOrder(items(card, 1)(value, where))


def _deal(value: object, where: str) -> Start:
    fields = Fields(value, where)
    winner = fields.required("cutWinner", seat)
    fields.finish()
    return FullDeal(winner)


def _shuffles(value: object, where: str) -> Shuffles:
    fields = Fields(value, where)
    shuffles = Shuffles(
        cut=fields.optional("cut", nullable(_whole_pairs), None),
        later_decks=fields.optional("laterDecks", nullable(items(items(card, 1), 1)), None),
        opening_block=fields.optional("openingBlock", nullable(cards), None),
        recycles=fields.optional("recycles", items(cards), ()),
    )
    fields.finish()
    return shuffles


def _whole_pairs(value: object, where: str) -> tuple[Card, ...]:
    order = items(card, 2)(value, where)
    if len(order) % 2:
        raise ShapeError(where, "must be whole pairs")
    return order


def _step(value: object, where: str) -> Step:
    fields = Fields(value, where)
    submitted_by = fields.required("seat", seat)
    action = fields.required("action", message(action_pb2.Action))
    leads_to = fields.one_of({"expect": _expected, "rejected": _rejected, "malformed": _malformed})
    fields.finish()
    return Step(submitted_by, action, leads_to)


def _expected(value: object, where: str) -> Expected:
    return Expected(read_expectations(value, where))


def _rejected(value: object, where: str) -> LeadsTo:
    fields = Fields(value, where)
    reason = fields.required("reason", _reason)
    clause = fields.required("clause", text)
    fields.finish()
    return Rejected(reason, clause)


def _reason(value: object, where: str) -> Reason:
    try:
        return Reason(text(value, where))
    except ValueError:
        raise ShapeError(where, f"{value!r} is no reason of refusal") from None


def _malformed(value: object, where: str) -> LeadsTo:
    fields = Fields(value, where)
    field = fields.required("field", text)
    fields.finish()
    return MalformedField(field)
