from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from referee.cases import CaseResult, run
from tests.cases.documents import VECTORS, Document, loaded, published


def changed(content: Document, place: tuple[str | int, ...], value: Any) -> Document:
    """Returns a copy of a case in which another value stands at a place."""
    copy = deepcopy(content)
    parent: Any = copy
    for part in place[:-1]:
        parent = parent[part]
    parent[place[-1]] = value
    return copy


def places(value: Any, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Returns the places of all numbers in a JSON value."""
    if isinstance(value, dict):
        return [below for name, item in value.items() for below in places(item, (*place, name))]
    return [place] if isinstance(value, int) else []


TABLES = [
    (name, place)
    for name in ("deck-extra-wilds", "deck-double-zero", "deck-classic", "points-of-each-face")
    for place in places(published(f"cards/{name}"))
]


def test_all_numbers_of_the_tables_are_looked_at() -> None:
    assert len(TABLES) == 4 * 54 + 3 * 2


@pytest.mark.parametrize(("name", "place"), TABLES, ids=lambda value: str(value[-1]))
def test_wrong_number_in_a_table_of_cards_fails(tmp_path: Path, name: str, place: tuple[str | int, ...]) -> None:
    content = published(f"cards/{name}")
    result = run(loaded(tmp_path, changed(content, place, 3)))
    right: Any = content
    for part in place:
        right = right[part]
    assert result.ok is (right == 3)
    assert result.ok or result.message == f"{place[-1]}: expected 3, found {right}"


DUO = published("rulesets/variants")["rulesets"][0]["complete"]


def ruleset_case(check: Document) -> Document:
    right = {"ruleset": {}, "complete": DUO}
    return {"id": "test/case", "title": "A case", "clauses": ["R15.1"], "rulesets": [right, check]}


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ({"variant": "duo", "complete": DUO}, ""),
        ({"variant": "duo", "complete": {**DUO, "target": 201}}, "expected {"),
        ({"variant": "mine", "complete": DUO}, "expected {"),
        ({"variant": "mine", "invalidField": "variant"}, ""),
        ({"ruleset": {"target": 1}, "complete": {**DUO, "target": 1}}, ""),
        ({"ruleset": {"target": 1}, "complete": DUO}, "expected {"),
        ({"ruleset": {"target": 1}, "invalidField": "target"}, "expected target refused, found {"),
        ({"ruleset": {"target": 1_000_001}, "invalidField": "target"}, ""),
        (
            {"ruleset": {"target": 1_000_001}, "invalidField": "turn_cap"},
            "expected turn_cap refused, found target refused",
        ),
        ({"ruleset": {"target": 1_000_001}, "complete": DUO}, "expected {"),
    ],
)
def test_ruleset_must_come_to_what_it_says(tmp_path: Path, check: Document, message: str) -> None:
    result = run(loaded(tmp_path, ruleset_case(check)))
    assert (result.ok, result.step) == (not message, 2 if message else 0)
    assert result.message.startswith(message)


def test_right_tables_pass(tmp_path: Path) -> None:
    for path in VECTORS.glob("cards/deck-*.json"):
        content = published(f"cards/{path.stem}")
        assert run(loaded(tmp_path, content)) == CaseResult(content["id"], True)
