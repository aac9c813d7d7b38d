import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from referee.cases import iter_cases, load, run
from tests.cases.documents import SCHEMA, VECTORS

FILES = list(iter_cases([VECTORS]))
RULES = (VECTORS.parents[1] / "RULES.md").read_text()


def name(path: Path) -> str:
    return path.relative_to(VECTORS).with_suffix("").as_posix()


@pytest.mark.parametrize("path", FILES, ids=name)
def test_case_runs_as_it_says(path: Path) -> None:
    result = run(load(path))
    assert result.ok, f"step {result.step}: {result.message}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_case_fits_the_schema(path: Path) -> None:
    Draft202012Validator(SCHEMA).validate(json.loads(path.read_text()))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_case_is_named_after_its_file_and_shows_clauses_of_the_rules(path: Path) -> None:
    case = load(path)
    assert case.id == name(path)
    assert [clause for clause in case.clauses if f"**{clause}**" not in RULES] == []


def test_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_cases_named_in_the_rules_exist() -> None:
    chapters = "|".join(sorted({path.parent.name for path in FILES}))
    named = set(re.findall(rf"`((?:{chapters})/[a-z0-9-]+)`", RULES))
    assert len(named) > 100
    assert named <= set(map(name, FILES))
