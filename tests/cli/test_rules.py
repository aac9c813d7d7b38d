"""`unoduo rules`: looks up chapters, clauses with their cases, and statements; also from a wheel."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli.command import ROOT, unoduo

RULES = ROOT / "proto" / "RULES.md"
CASES = ROOT / "proto" / "vectors" / "rules"


def test_chapters_are_listed() -> None:
    ended = unoduo("rules")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert [line.split()[0] for line in lines] == re.findall(
        r"^## (R\d+)", RULES.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert "R4   Opening (R4.1 to R4.8)" in lines


def test_clause_is_printed_with_source_and_cases() -> None:
    ended = unoduo("rules", "R4.3")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "R4.3 (Opening)",
        "",
        "Skip: the first drafter has the first turn; nobody draws.",
        "",
        "Source: S24.",
        "  S24  On a Skip Player 1 goes first.",
        "Cases (step by step: unoduo rules R4.3 --cases):",
        "  opening/skip-starter: A Skip as starter: Player 1 starts, nobody draws",
        "  opening/skip-starter-in-an-even-round: A Skip as starter in round 2: seat B, now first drafter, starts",
    ]


def test_clause_names_its_options_and_refusals() -> None:
    assert "Options: wd4_alternative\n" in unoduo("rules", "r8.8").out
    assert "Refusals: COLOR_REQUIRED, COLOR_NOT_ALLOWED\n" in unoduo("rules", "R5.4").out


def test_cases_are_printed_step_by_step() -> None:
    lines = unoduo("rules", "R5.2", "--cases").out.splitlines()
    assert "Cases:" in lines
    place = lines.index("  turn/number-matches-across-colors: A number matches the same number of another color")
    assert lines[place + 4] == "      1. A: play Green 1 - refused, CARD_DOES_NOT_MATCH (R5.2)"


def test_chapter_has_all_its_clauses() -> None:
    out = unoduo("rules", "R4").out
    assert out.startswith("R4 Opening\n\nR4.1  After the draft")
    assert [line.split()[0] for line in out.splitlines() if re.match(r"R4\.\d", line)] == [
        f"R4.{n}" for n in range(1, 9)
    ]


def test_statement_leads_to_its_clauses() -> None:
    assert unoduo("rules", "S22").out == (
        "S22  Player 2 goes first.\n"
        "Damage (BG Bulgarian, EN English, ES Spanish, ID Indonesian): ID missing\n"
        "Clauses: R2.2, R4.2, R4.7\n"
    )
    assert json.loads(unoduo("rules", "S22", "--json").out) == {
        "id": "S22",
        "text": "Player 2 goes first.",
        "damage": "ID missing",
        "clauses": ["R2.2", "R4.2", "R4.7"],
    }


def test_json_of_a_clause_has_its_cases() -> None:
    clause = json.loads(unoduo("rules", "R4.3", "--json").out)
    assert [*clause] == ["id", "text", "source", "statements", "options", "refusals", "cases"]
    assert clause["statements"] == [{"id": "S24", "text": "On a Skip Player 1 goes first."}]
    assert clause["cases"][0] == {
        "id": "opening/skip-starter",
        "title": "A Skip as starter: Player 1 starts, nobody draws",
    }
    whole = json.loads(unoduo("rules", "R4.3", "--json", "--cases").out)["cases"][0]
    assert whole == json.loads((CASES / "opening" / "skip-starter.json").read_text(encoding="utf-8"))


def test_quiet_tells_by_the_exit_code_alone() -> None:
    assert unoduo("rules", "R4.3", "--quiet").out == ""


def test_json_of_chapters_names_their_clauses() -> None:
    chapters = [json.loads(line) for line in unoduo("rules", "--json").out.splitlines()]
    assert chapters[14] == {"id": "R15", "title": "Rulesets", "clauses": ["R15.1", "R15.2", "R15.3"]}
    chapter = json.loads(unoduo("rules", "R15", "--json").out)
    assert [clause["id"] for clause in chapter["clauses"]] == chapters[14]["clauses"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("R4.99",), "there is no clause, chapter or statement 'R4.99'"),
        (("R99",), "there is no clause, chapter or statement 'R99'"),
        (("S66",), "there is no clause, chapter or statement 'S66'"),
        (("reverse",), "there is no clause, chapter or statement 'reverse'"),
        (("--cases",), "--cases needs a clause"),
        (("R4", "--cases"), "--cases needs a clause, such as R4.3, not 'R4'"),
        (("R4.3", "R4.4"), "unrecognized arguments: R4.4"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_mistake_is_answered_by_one_line_and_code_two(arguments: tuple[str, ...], words: str) -> None:
    ended = unoduo("rules", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.complaint()


def test_installed_package_brings_its_rules(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60)
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(installed)
    brought = installed / "referee" / "_spec"
    assert (brought / "RULES.md").read_bytes() == RULES.read_bytes()
    cases = {path.relative_to(CASES) for path in CASES.rglob("*.json")}
    assert {path.relative_to(brought / "vectors" / "rules") for path in brought.rglob("*.json")} == cases

    ended = unoduo("rules", "R4.3", "--cases", cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(installed)})
    assert ended.out == unoduo("rules", "R4.3", "--cases").out
    (brought / "RULES.md").unlink()
    without = unoduo("rules", cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(installed)})
    assert (without.code, without.complaint()) == (2, "the rules were not installed with this program")
