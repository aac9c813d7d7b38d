"""`unoduo cases run`: a line a case, and exit code 1 for one that fails."""

import json
from pathlib import Path

from tests.cli.command import ROOT, unoduo

TURN_CASES = ROOT / "proto" / "vectors" / "rules" / "turn"


def _broken_copy(tmp_path: Path) -> Path:
    """Writes a case that expects seat A to decide where seat B does."""
    text = (TURN_CASES / "number-matches-across-colors.json").read_text(encoding="utf-8")
    case = json.loads(text)
    step = next(step for step in case["steps"] if "expect" in step)
    step["expect"] = {"actor": "SEAT_A" if step["expect"]["actor"] == "SEAT_B" else "SEAT_B"}
    folder = tmp_path / "turn"
    folder.mkdir()
    broken = folder / "number-matches-across-colors.json"
    broken.write_text(json.dumps(case), encoding="utf-8")
    return broken


def test_cases_of_a_folder_are_run_a_line_each() -> None:
    ended = unoduo("cases", "run", TURN_CASES)
    count = len(list(TURN_CASES.glob("*.json")))
    *lines, summary = ended.out.splitlines()
    assert (ended.code, ended.err) == (0, "")
    assert summary == f"{count} cases, 0 failed"
    assert len(lines) == count
    assert all(line.startswith("ok    turn/") for line in lines)


def test_failing_case_is_named_with_its_step(tmp_path: Path) -> None:
    ended = unoduo("cases", "run", _broken_copy(tmp_path))
    line, summary = ended.out.splitlines()
    assert ended.code == 1
    assert line.startswith("FAIL  turn/number-matches-across-colors: step ")
    assert summary == "1 case, 1 failed"


def test_json_is_an_object_for_each_case(tmp_path: Path) -> None:
    ended = unoduo("cases", "run", "--json", TURN_CASES / "number-matches-across-colors.json", _broken_copy(tmp_path))
    right, wrong = map(json.loads, ended.out.splitlines())
    assert ended.code == 1
    assert right == {"id": "turn/number-matches-across-colors", "ok": True, "step": 0, "message": ""}
    assert wrong["ok"] is False
    assert wrong["step"] > 0


def test_quiet_leaves_the_exit_code_alone(tmp_path: Path) -> None:
    ended = unoduo("cases", "run", "--quiet", _broken_copy(tmp_path))
    assert (ended.code, ended.out, ended.err) == (1, "", "")
