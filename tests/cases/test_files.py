import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.cases import BadCase, NoCases, iter_cases, load
from tests.cases.documents import SCHEMA, VECTORS, Document, document, loaded, step

VALID = document(step("A", {"draw": {}}, expect={"phase": "PHASE_DRAWN"}))


def objects(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yields the places of all objects in a JSON document."""
    if isinstance(value, dict):
        yield place
        for name, item in value.items():
            yield from objects(item, (*place, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from objects(item, (*place, index))


def at(value: Any, place: tuple[str | int, ...]) -> Any:
    for part in place:
        value = value[part]
    return value


def one_of_each_object() -> Iterator[tuple[str, Document, tuple[str | int, ...]]]:
    """Yields, from the published cases, a document for each kind of object that occurs in them."""
    seen = set()
    for path in iter_cases([VECTORS]):
        content = json.loads(path.read_text())
        for place in objects(content):
            kind = ".".join(str(part) for part in place if isinstance(part, str))
            if kind not in seen:
                seen.add(kind)
                yield kind, content, place


EACH_OBJECT = [pytest.param(content, place, id=kind or "case") for kind, content, place in one_of_each_object()]


@pytest.mark.parametrize(("content", "place"), EACH_OBJECT)
def test_unknown_field_of_any_object_is_refused(
    tmp_path: Path, content: Document, place: tuple[str | int, ...]
) -> None:
    changed = deepcopy(content)
    at(changed, place)["novel"] = {}
    with pytest.raises(BadCase, match=r"novel|must have one of|JSON names"):
        loaded(tmp_path, changed)
    assert not Draft202012Validator(SCHEMA).is_valid(changed)


def test_objects_of_every_kind_are_covered() -> None:
    assert len(EACH_OBJECT) > 60


TABLE: Document = {name: VALID[name] for name in ("id", "title", "clauses")}
POINTS = json.loads((VECTORS / "cards" / "points-of-each-face.json").read_text())["cardPoints"]

BAD: list[tuple[Document, str]] = [
    ({**VALID, "id": ""}, "id"),
    ({**VALID, "title": 5}, "title"),
    ({**VALID, "clauses": []}, "clauses"),
    ({**VALID, "clauses": "R1.1"}, "clauses"),
    ({**VALID, "steps": []}, "steps"),
    ({**VALID, "steps": [5]}, "steps[0]"),
    ({**VALID, "ruleset": {"target": 1_000_001}}, "ruleset.target"),
    ({**VALID, "ruleset": {"deck": "DECK_OF_MINE"}}, "ruleset"),
    ({**VALID, "ruleset": {"deck": 9}}, "ruleset.deck"),
    (document(*VALID["steps"], deal={"cutWinner": "SEAT_C"}), "deal.cutWinner"),
    ({**document(*VALID["steps"], deal={"cutWinner": "SEAT_A"}), "ruleset": {"handSize": 27}}, "ruleset.hand_size"),
    (document(*VALID["steps"], deck=["CARD_RED_10"]), "deck[0]"),
    (document(*VALID["steps"], deck=[1]), "deck[0]"),
    ({**VALID, "position": {**VALID["position"], "handA": []}}, "position.handA"),
    ({**VALID, "position": {**VALID["position"], "discardPile": []}}, "position.discardPile"),
    ({**VALID, "position": {**VALID["position"], "discardPile": ["CARD_WILD"]}}, "position.activeColor"),
    ({**VALID, "position": {**VALID["position"], "activeColor": "COLOR_BLUE"}}, "position.activeColor"),
    ({**VALID, "position": {**VALID["position"], "totals": [1]}}, "position.totals"),
    ({**VALID, "position": {**VALID["position"], "totals": [-1, 0]}}, "position.totals[0]"),
    ({**VALID, "position": {**VALID["position"], "totals": [2**31, 0]}}, "position.totals[0]"),
    ({**VALID, "begin": {"round": 1}}, "begin"),
    ({**VALID, "shuffles": []}, "shuffles"),
    ({**VALID, "shuffles": {"recycles": [[5]]}}, "shuffles.recycles[0][0]"),
    ({**VALID, "shuffles": {"laterDecks": [[]]}}, "shuffles.laterDecks[0]"),
    ({**VALID, "shuffles": {"cut": ["CARD_RED_1"]}}, "shuffles.cut"),
    ({**VALID, "shuffles": {"cut": ["CARD_RED_1"] * 3}}, "shuffles.cut"),
    (document(*VALID["steps"], deal={"cutWinner": "SEAT_A"}, shuffles={"recycles": []}), "shuffles"),
    ({**VALID, "cardPoints": {}}, "cardPoints.CARD_RED_0"),
    ({**TABLE, "cardPoints": {**POINTS, "CARD_RED_0": -1}}, "cardPoints.CARD_RED_0"),
    ({**TABLE, "cardPoints": POINTS, "steps": VALID["steps"]}, "steps"),
    ({**TABLE, "deckContents": {"deck": "DECK_CLASSIC_108", "size": 1, "points": 1}}, "deckContents.copies"),
    ({**TABLE, "rulesets": []}, "rulesets"),
    ({**TABLE, "rulesets": [{"ruleset": {}}]}, "rulesets[0]"),
    ({**TABLE, "rulesets": [{"invalidField": "target"}]}, "rulesets[0]"),
    ({**TABLE, "rulesets": [{"variant": "duo", "ruleset": {}, "invalidField": "target"}]}, "rulesets[0]"),
    ({**TABLE, "rulesets": [{"variant": "duo", "complete": {"target": 200}}]}, "rulesets[0].complete"),
    (
        document(step("A", {"draw": {}}, expect={"observedA": [{"event": {}}]})),
        "steps[0].expect.observedA[0].event.kind",
    ),
    (document(step("A", {"draw": {}}, expect={})), "steps[0].expect"),
    (document(step("C", {"draw": {}}, expect={"round": 1})), "steps[0].seat"),
    (document(step("A", {"jump": {}}, expect={"round": 1})), "steps[0].action"),
    (document(step("A", {"draw": {}, "catch": {}}, expect={"round": 1})), "steps[0].action"),
    (document({"seat": "SEAT_A", "action": None, "expect": {"round": 1}}), "steps[0].action"),
    (document(step("A", {"draw": {}}, expect={"round": True})), "steps[0].expect.round"),
    (document(step("A", {"draw": {}}, expect={"phase": "PHASE_UNSPECIFIED"})), "steps[0].expect.phase"),
    (document(step("A", {"draw": {}}, expect={"phase": None})), "steps[0].expect.phase"),
    (document(step("A", {"draw": {}}, expect={"challenge": {"guilty": 1}})), "steps[0].expect.challenge.guilty"),
    (document(step("A", {"draw": {}}, expect={"includes": []})), "steps[0].expect.includes"),
    (document(step("A", {"draw": {}}, expect={"without": ["dealSealed"]})), "steps[0].expect.without[0]"),
    (document(step("A", {"draw": {}}, expect={"without": [["cut"]]})), "steps[0].expect.without[0]"),
    (document(step("A", {"draw": {}}, expect={"events": [{"event": {}}]})), "steps[0].expect.events[0].event.kind"),
    (
        document(step("A", {"draw": {}}, expect={"events": [{"event": {"resigned": {"seat": "SEAT_A"}}}]})),
        "steps[0].expect.events[0].event",
    ),
    (document(step("A", {"draw": {}}, expect={"legal": [{}]})), "steps[0].expect.legal[0].kind"),
    (document(step("A", {"draw": {}}, expect={"viewA": {}})), "steps[0].expect.viewA"),
    (document(step("A", {"draw": {}}, rejected={"reason": "BAD_LUCK", "clause": "R1.1"})), "steps[0].rejected.reason"),
    (document(step("A", {"draw": {}}, rejected={"reason": "WRONG_PHASE"})), "steps[0].rejected.clause"),
    (document(step("A", {"draw": {}}, malformed={})), "steps[0].malformed.field"),
    (document(step("A", {"draw": {}})), "steps[0]"),
    (document(step("A", {"draw": {}}, malformed={"field": "kind"}, expect={"round": 1})), "steps[0]"),
]


@pytest.mark.parametrize(("content", "where"), BAD)
def test_bad_case_is_refused_at_its_place(tmp_path: Path, content: Document, where: str) -> None:
    with pytest.raises(BadCase) as error:
        loaded(tmp_path, content)
    assert error.value.where == where
    assert str(error.value).startswith(f"{tmp_path / 'case.json'}: {where}: ")


def test_largest_count_is_taken(tmp_path: Path) -> None:
    loaded(tmp_path, {**VALID, "position": {**VALID["position"], "totals": [2**31 - 1, 0]}})


@pytest.mark.parametrize("missing", ["id", "title", "clauses", "steps"])
def test_missing_field_is_named(tmp_path: Path, missing: str) -> None:
    with pytest.raises(BadCase, match="is missing") as error:
        loaded(tmp_path, {name: value for name, value in VALID.items() if name != missing})
    assert error.value.where == missing


@pytest.mark.parametrize("starts", [{}, {"deck": ["CARD_RED_1"], "deal": {"cutWinner": "SEAT_A"}}])
def test_case_has_one_start(tmp_path: Path, starts: Document) -> None:
    content = {name: value for name, value in VALID.items() if name != "position"}
    with pytest.raises(BadCase, match="must have one of position, deck, deal"):
        loaded(tmp_path, {**content, **starts})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: is no JSON"),
        ("{\n,", "line 2: is no JSON"),
        ("[]", "must be an object"),
        ('{"id": "a", "id": "b"}', "id: stands twice"),
        ('{"id": NaN}', "NaN is not JSON"),
        ("[" * 100_000, "is no JSON"),
        ('{"id": "\udcff"}', "is no JSON"),
        (r'{"id": "\ud800"}', "is no JSON"),
    ],
)
def test_file_that_is_no_case_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadCase, match=message) as error:
        load(path)
    assert error.value.path == path


def test_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadCase, match="No such file"):
        load(tmp_path / "none.json")


def test_cases_of_a_folder_are_found_below_it_in_order(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("b/x.json", "a.json", "case.schema.json", "notes.md"):
        (tmp_path / name).write_text("{}")
    single = tmp_path / "b" / "x.json"
    assert list(iter_cases([tmp_path])) == [tmp_path / "a.json", single]
    assert list(iter_cases([single, tmp_path / "notes.md"])) == [single, tmp_path / "notes.md"]


def test_missing_path_and_empty_folder_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(NoCases, match=r"none: there is no such file or folder"):
        iter_cases([tmp_path / "none"])
    with pytest.raises(NoCases, match="there are no case files"):
        iter_cases([VECTORS, tmp_path])
