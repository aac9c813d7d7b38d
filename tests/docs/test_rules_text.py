"""RULES.md against its cases, its sources and the engine's reasons: nothing cited is missing, nothing there uncited."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from referee.rules.errors import CLAUSE, Reason

_ROOT = Path(__file__).parents[2]
_TEXT = (_ROOT / "proto/RULES.md").read_text(encoding="utf-8")
_CASES = _ROOT / "proto/vectors/rules"

_CLAUSE_ID = r"R\d+\.\d+"
_CLAUSE = re.compile(rf"^\*\*({_CLAUSE_ID})\*\* (.*?)(?=^\*\*R\d|^## |^---$)", re.MULTILINE | re.DOTALL)
_SOURCE = re.compile(r"^\*Source: (.*?)\*$", re.MULTILINE | re.DOTALL)
_CITED_CASES = re.compile(r"^\*Cases: (.*?)\*$", re.MULTILINE | re.DOTALL)
_REASON_ROW = re.compile(rf"^\| `([A-Z_]+)` \| [^|]+ \| ({_CLAUSE_ID}) \|$", re.MULTILINE)
_STATEMENT_ROW = re.compile(r"^\| (S\d+) \| .* \| ([^|]+) \|$", re.MULTILINE)


def test_clause_ids_are_unique() -> None:
    ids = [clause for clause, _ in _clauses()]

    assert len(ids) > 100
    assert len(ids) == len(set(ids))


def test_every_clause_mentioned_exists() -> None:
    assert set(re.findall(_CLAUSE_ID, _TEXT)) == {clause for clause, _ in _clauses()}


def test_every_clause_has_a_source() -> None:
    assert [clause for clause, body in _clauses() if not _SOURCE.search(body)] == []


def test_clauses_and_cases_name_each_other() -> None:
    in_text = {
        (clause, case)
        for clause, body in _clauses()
        for cited in _CITED_CASES.findall(body)
        for case in re.findall(r"`([^`]+)`", cited)
    }
    in_files = {
        (clause, case["id"])
        for case in (json.loads(path.read_text(encoding="utf-8")) for path in _CASES.glob("*/*.json"))
        for clause in case["clauses"]
    }

    assert in_files
    assert in_text == in_files


def test_statements_of_the_source_and_clauses_name_each_other() -> None:
    in_appendix = {
        (statement, clause) for statement, cell in _STATEMENT_ROW.findall(_TEXT) for clause in _spelled_out(cell)
    }
    # What follows "interpretation" explains; the statements that a clause rests on stand before it.
    in_clauses = {
        (statement, clause)
        for clause, body in _clauses()
        for source in _SOURCE.findall(body)
        for statement in re.findall(r"S\d+", re.split("[Ii]nterpretation", source)[0])
    }

    assert {statement for statement, _ in in_appendix} == {f"S{number}" for number in range(1, 66)}
    assert in_clauses == in_appendix


def test_table_of_refusals_equals_the_reasons_of_the_engine() -> None:
    table = _REASON_ROW.findall(_TEXT)

    assert len(table) == len(Reason)
    assert dict(table) == {reason.value: clause for reason, clause in CLAUSE.items()}


def test_example_of_the_readme_is_the_case_itself() -> None:
    readme = (_ROOT / "proto/vectors/README.md").read_text(encoding="utf-8")
    example = re.search(r"^```json\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)

    assert example is not None
    shown = json.loads(example[1])
    assert shown == json.loads((_CASES / f"{shown['id']}.json").read_text(encoding="utf-8"))


def _clauses() -> Iterator[tuple[str, str]]:
    for match in _CLAUSE.finditer(_TEXT):
        yield match[1], match[2]


def _spelled_out(cell: str) -> Iterator[str]:
    """Yields the clauses of a cell such as ``R1.1, R7.11 - R7.13``."""
    for part in cell.split(","):
        first, _, last = part.strip().partition(" - ")
        chapter, number = first.removeprefix("R").split(".")
        until = last.rpartition(".")[2] or number
        for clause in range(int(number), int(until) + 1):
            yield f"R{chapter}.{clause}"
