"""The cases that play nothing: what a deck holds, what cards are worth, which rulesets there are."""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from google.protobuf.json_format import MessageToDict
from unoduo.v1 import ruleset_pb2

from referee.cases.errors import ShapeError
from referee.cases.model import CardPoints, DeckContents, MalformedField, RulesetCheck, Rulesets
from referee.cases.shape import Fields, card, count, items, member, message, text
from referee.codec.enums import CARDS, DECKS
from referee.codec.errors import Malformed
from referee.codec.settings import decode_ruleset, encode_ruleset
from referee.rules.cards import Card, deck_cards
from referee.rules.ruleset import VARIANTS, Ruleset
from referee.rules.scoring import hand_points

_COMPLETE = frozenset(field.json_name for field in ruleset_pb2.Ruleset.DESCRIPTOR.fields)


def read_deck_contents(value: object, where: str) -> DeckContents:
    """Returns what a deck is to consist of."""
    fields = Fields(value, where)
    contents = DeckContents(
        fields.required("deck", member(DECKS)),
        fields.required("size", count),
        fields.required("points", count),
        fields.required("copies", _number_a_face),
    )
    fields.finish()
    return contents


def read_card_points(value: object, where: str) -> CardPoints:
    """Returns what each face is to be worth."""
    return CardPoints(_number_a_face(value, where))


def read_rulesets(value: object, where: str) -> Rulesets:
    """Returns rulesets, each with what it is to come to."""
    return Rulesets(items(_check, 1)(value, where))


def deck_difference(contents: DeckContents) -> str | None:
    """Returns in words how a deck differs from what it is to consist of, None if it does not."""
    deck = deck_cards(contents.deck)
    copies = Counter(deck)
    for name, expected, found in (
        ("size", contents.size, len(deck)),
        ("points", contents.points, hand_points(deck)),
        *((CARDS.name(face), expected, copies[face]) for face, expected in contents.copies.items()),
    ):
        if expected != found:
            return f"{name}: expected {expected}, found {found}"
    return None


def points_difference(expected: CardPoints) -> str | None:
    """Returns in words which face is not worth what it is to be, None if all are."""
    for face, points in expected.points.items():
        if face.points != points:
            return f"{CARDS.name(face)}: expected {points}, found {face.points}"
    return None


def ruleset_difference(check: RulesetCheck) -> str | None:
    """Returns in words what a ruleset comes to instead of what it is to come to, None if it does."""
    try:
        found: Ruleset | MalformedField = _complete(check.ruleset)
    except Malformed as error:
        found = MalformedField(error.field)
    return None if found == check.leads_to else f"expected {_told(check.leads_to)}, found {_told(found)}"


def _complete(ruleset: str | ruleset_pb2.Ruleset) -> Ruleset:
    if not isinstance(ruleset, str):
        return decode_ruleset(ruleset, "")
    if ruleset not in VARIANTS:
        raise Malformed("variant", f"there is no variant {ruleset}")
    return VARIANTS[ruleset]


def _told(found: Ruleset | MalformedField) -> str:
    if isinstance(found, MalformedField):
        return f"{found.field} refused"
    return str(MessageToDict(encode_ruleset(found)))


def _number_a_face(value: object, where: str) -> Mapping[Card, int]:
    fields = Fields(value, where)
    names = fields.names()
    numbers = MappingProxyType({card(name, fields.place(name)): fields.required(name, count) for name in names})
    missing = [CARDS.name(face) for face in Card if face not in numbers]
    if missing:
        raise ShapeError(fields.place(missing[0]), "is missing")
    return numbers


def _check(value: object, where: str) -> RulesetCheck:
    fields = Fields(value, where)
    ruleset: str | ruleset_pb2.Ruleset = fields.one_of({"ruleset": _submitted, "variant": text})
    leads_to: Ruleset | MalformedField = fields.one_of({"complete": _all_options, "invalidField": _field})
    fields.finish()
    return RulesetCheck(ruleset, leads_to)


def _submitted(value: object, where: str) -> str | ruleset_pb2.Ruleset:
    return message(ruleset_pb2.Ruleset)(value, where)


def _all_options(value: object, where: str) -> Ruleset | MalformedField:
    submitted = message(ruleset_pb2.Ruleset)(value, where)
    if not isinstance(value, dict) or value.keys() != _COMPLETE:
        raise ShapeError(where, "must give every option by its JSON name")
    try:
        return decode_ruleset(submitted, where)
    except Malformed as error:
        raise ShapeError(error.field, error.message) from None


def _field(value: object, where: str) -> Ruleset | MalformedField:
    return MalformedField(text(value, where))
