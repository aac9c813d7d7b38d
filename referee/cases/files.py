"""Case files: finding them and reading them."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn

from unoduo.v1 import action_pb2, ruleset_pb2

from referee.cases.errors import BadCase, NoCases, ShapeError
from referee.cases.expectations import read_expectations
from referee.cases.model import (
    Case,
    DeckOrder,
    Expected,
    FullDeal,
    LeadsTo,
    MalformedField,
    Position,
    Rejected,
    Start,
    Step,
)
from referee.cases.shape import Fields, card, cards, color, items, message, nullable, pair, seat, text
from referee.codec.errors import Malformed
from referee.codec.settings import decode_ruleset
from referee.rules.errors import Reason
from referee.rules.ruleset import DUO, Ruleset

_SCHEMA_SUFFIX = ".schema.json"


def iter_cases(paths: Iterable[Path]) -> Iterator[Path]:
    """Returns the case files at these paths: files as they are, of folders all `.json` files below them, sorted.

    Raises:
        NoCases: at once, for a path that is missing or a folder that has none.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            below = sorted(file for file in path.rglob("*.json") if not file.name.endswith(_SCHEMA_SUFFIX))
            if not below:
                raise NoCases(path, "there are no case files (*.json) in this folder")
            found += below
        elif path.is_file():
            found.append(path)
        else:
            raise NoCases(path, "there is no such file or folder")
    return iter(found)


def load(path: Path) -> Case:
    """Returns the case that a file holds.

    Raises:
        BadCase: if it cannot be read, is no JSON, or has anything that the format does not know, unknown fields
            included (proto/vectors/rules/case.schema.json).
    """
    try:
        return _case(path, _json(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise BadCase(path, "", error.strerror or "cannot be read") from None
    except ShapeError as error:
        raise BadCase(path, error.where, error.message) from None
    except json.JSONDecodeError as error:
        raise BadCase(path, f"line {error.lineno}", f"is no JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise BadCase(path, "", f"is no JSON: {error}") from None


def _json(text: str) -> object:
    content: object = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    # Escapes can name half a character, which no text of a message can hold.
    json.dumps(content, ensure_ascii=False).encode("utf-8")
    return content


def _object(fields: list[tuple[str, object]]) -> dict[str, object]:
    once: dict[str, object] = {}
    for name, value in fields:
        if name in once:
            raise ShapeError(name, "stands twice in one object")
        once[name] = value
    return once


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _case(path: Path, content: object) -> Case:
    fields = Fields(content, "")
    id = fields.required("id", text)
    title = fields.required("title", text)
    clauses = fields.required("clauses", items(text, 1))
    # Positions and decks are smaller than real ones.
    read_ruleset = _ruleset if "deal" in fields.names() else _ruleset_of_any_hand_size
    ruleset = fields.optional("ruleset", read_ruleset, DUO)
    start: Start = fields.one_of({"position": _position, "deck": _deck, "deal": _deal})
    steps = fields.required("steps", items(_step, 1))
    fields.finish()
    return Case(path, id, title, clauses, ruleset, start, steps)


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


def _step(value: object, where: str) -> Step:
    fields = Fields(value, where)
    submitted_by = fields.required("seat", seat)
    action = fields.required("action", message(action_pb2.Action))
    leads_to = fields.one_of({"expect": _expected, "rejected": _rejected, "malformed": _malformed})
    fields.finish()
    return Step(submitted_by, action, leads_to)


def _expected(value: object, where: str) -> LeadsTo:
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
