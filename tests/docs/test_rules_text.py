"""RULES.md against itself and the engine: nothing cited is missing, no id is used twice, no reason is left out."""

import json
import re
from pathlib import Path

from referee.cases.rulebook import read_rulebook
from referee.rules.errors import CLAUSE, Reason

_ROOT = Path(__file__).parents[2]
_TEXT = (_ROOT / "proto/RULES.md").read_text(encoding="utf-8")
_BOOK = read_rulebook(_TEXT)


def test_clause_ids_are_unique_and_ascend() -> None:
    ids = [tuple(map(int, clause.id.removeprefix("R").split("."))) for clause in _BOOK.clauses()]

    assert len(ids) > 100
    assert ids == sorted(set(ids))


def test_clauses_stand_in_their_chapter() -> None:
    text_order = re.findall(r"^(?:## (R\d+) |\*\*(R\d+\.\d+)\*\* )", _TEXT, re.MULTILINE)
    chapter = ""
    for heading, clause in text_order:
        chapter = heading or chapter
        assert not clause or clause.startswith(f"{chapter}."), clause


def test_every_clause_mentioned_exists() -> None:
    assert set(re.findall(r"R\d+\.\d+", _TEXT)) == {clause.id for clause in _BOOK.clauses()}


def test_table_of_refusals_equals_the_reasons_of_the_engine() -> None:
    table = {reason: clause.id for clause in _BOOK.clauses() for reason in clause.refusals}

    assert len(table) == len(Reason)
    assert table == {reason.value: clause for reason, clause in CLAUSE.items()}


def test_example_of_the_readme_is_the_case_itself() -> None:
    readme = (_ROOT / "proto/vectors/README.md").read_text(encoding="utf-8")
    example = re.search(r"^```json\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)

    assert example is not None
    shown = json.loads(example[1])
    case = _ROOT / "proto/vectors/rules" / f"{shown['id']}.json"
    assert shown == json.loads(case.read_text(encoding="utf-8"))
