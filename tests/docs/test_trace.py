"""From the source to the clauses to the cases and back: no thread is torn, and tearing any one is told."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.cases.rulebook import Rulebook, read_rulebook
from tests.docs.markdown import ROOT
from tests.docs.trace import Document, faults, read_cases

TEXT = (ROOT / "proto" / "RULES.md").read_text(encoding="utf-8")
BOOK = read_rulebook(TEXT)
FOLDER = ROOT / "proto" / "vectors" / "rules"
CASES = read_cases(FOLDER)
DEFAULTS: Document = CASES["rulesets/variants"]["rulesets"][0]["complete"]
NAMES = list(CASES)


def found(cases: dict[str, Document], book: Rulebook = BOOK) -> list[str]:
    return faults(book, cases, DEFAULTS)


def test_no_thread_is_torn() -> None:
    assert len(CASES) > 250
    assert found(CASES) == []


@pytest.mark.parametrize("name", NAMES)
def test_case_that_is_deleted_is_missed(name: str) -> None:
    torn = found({path: case for path, case in CASES.items() if path != name})
    assert any(name in fault for fault in torn)


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_files_that_are_swapped_are_told(number: int) -> None:
    name, other = NAMES[number], NAMES[number - 1]
    torn = found({**CASES, name: CASES[other], other: CASES[name]})
    assert f"{name} calls itself {other}" in torn
    assert f"{other} calls itself {name}" in torn


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_case_that_is_replaced_by_another_is_told(number: int) -> None:
    name, other = NAMES[number], NAMES[number - 1]
    torn = found({**CASES, name: {**CASES[other], "id": name}})
    assert any(fault.startswith("several cases are the same") for fault in torn)


@pytest.mark.parametrize("name", NAMES)
def test_case_that_is_added_is_told(name: str) -> None:
    added = {**CASES[name], "id": "turn/added", "title": "Added"}
    torn = found({**CASES, "turn/added": added})
    assert any(fault.endswith("case turn/added do not name each other") for fault in torn)


@pytest.mark.parametrize("name", NAMES)
def test_clause_that_a_case_leaves_out_is_told(name: str) -> None:
    clauses = CASES[name]["clauses"]
    torn = found({**CASES, name: {**CASES[name], "clauses": clauses[1:]}})
    assert f"{clauses[0]} and case {name} do not name each other" in torn


def _without(fields: str, is_meant: Callable[[Document], bool]) -> dict[str, Document]:
    """Returns the cases without what they say about some events."""

    def cleaned(expect: Document) -> Document:
        return {
            field: [event for event in said if not is_meant(event)] if field in fields.split() else said
            for field, said in expect.items()
        }

    return {
        name: {
            **case,
            "begin": cleaned(case.get("begin", {})),
            "steps": [{**step, "expect": cleaned(step.get("expect", {}))} for step in case.get("steps", [])],
        }
        for name, case in CASES.items()
    }


def test_visibility_that_no_case_shows_is_told() -> None:
    def of_draft(event: Document) -> bool:
        return "draftDone" in event["event"]

    spectators = "draft_done: no case says what spectators see of it"
    seats = "draft_done: no case says what each seat sees of it"
    private = "draft_done: its private part must be shown, always and to its seat"
    assert spectators in found(_without("observedBySpectators", of_draft))
    assert seats in found(_without("observedA observedB", lambda event: of_draft(event) and "privateCards" in event))
    assert seats in found(
        _without("observedA observedB", lambda event: of_draft(event) and "privateCards" not in event)
    )
    assert private in found(_without("events includes", of_draft))


def test_reason_that_no_case_expects_is_told() -> None:
    cases = {
        name: {**case, "steps": [step for step in case.get("steps", []) if "ONE_CARD_ONLY" not in str(step)]}
        for name, case in CASES.items()
    }
    assert "no case of R6.2 expects ONE_CARD_ONLY" in found(cases)


@pytest.mark.parametrize(
    ("option", "fault"),
    [
        ("wd4GuiltyNext", "no case of R8.11 has WD4_GUILTY_NEXT_PLAYER"),
        ("dumpFinalReverse", "no case of R7.11 has DUMP_FINAL_REVERSE_INERT"),
        ("piles", "no case of R3.7 has PILES_SHUFFLE"),
        ("target", "R12.1: target has one value only"),
    ],
)
def test_option_that_no_case_sets_is_told(option: str, fault: str) -> None:
    cases = {
        name: {**case, "ruleset": {key: value for key, value in case.get("ruleset", {}).items() if key != option}}
        for name, case in CASES.items()
    }
    assert fault in found(cases)


def test_deck_that_no_case_has_is_told() -> None:
    cases = {name: case for name, case in CASES.items() if name != "cards/deck-classic"}
    assert "no case of their clauses has DECK_CLASSIC_108" in found(cases)


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ("| S22 |", "| S66 |", "the appendix has not S1 to S65"),
        ("R2.2, R4.2, R4.7 |", "R2.2, R4.2 |", "S22 and R4.7 do not name each other"),
        ("*Source: S22, S26.*", "*Source: S22.*", "S26 and R4.2 do not name each other"),
        ("*Source: S22, S26.*", "", "R4.2 has no source"),
        (
            "`opening/number-starter`",
            "`opening/skip-starter`",
            "R4.2 and case opening/number-starter do not name each other",
        ),
        ("| `target` | 200 | 1 to 1,000,000 | R12.1 |", "", "no clause has the option target"),
    ],
)
def test_change_of_the_text_that_tears_a_thread_is_told(before: str, after: str, fault: str) -> None:
    assert before in TEXT
    torn = found(CASES, read_rulebook(TEXT.replace(before, after, 1)))
    assert any(told.startswith(fault) for told in torn)


def test_file_deleted_from_a_folder_is_missed(tmp_path: Path) -> None:
    copy = tmp_path / "rules"
    shutil.copytree(FOLDER, copy)
    assert found(read_cases(copy)) == []
    (copy / "uno" / "needless-call.json").unlink()
    assert "R9.5 and case uno/needless-call do not name each other" in found(read_cases(copy))


def test_schema_is_no_case() -> None:
    assert json.loads((FOLDER / "case.schema.json").read_text(encoding="utf-8"))["title"]
    assert "case.schema" not in CASES
