"""The journal of a tournament: what is not as it was written is told, and never counted."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.arena.failures import ArenaError
from referee.arena.journal import Journal

MATCH = {
    "pair": 1,
    "attempt": 0,
    "half": 1,
    "match_id": "00ff",
    "winner": "A",
    "termination": "TARGET",
    "totals": [0, 7],
    "rounds": 1,
    "faulted": [],
}


def written(folder: Path, *lines: str) -> Journal:
    file = folder / "journal.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines))
    return Journal(file)


def test_line_as_it_was_written_is_read(tmp_path: Path) -> None:
    (match,) = written(tmp_path, json.dumps([MATCH])).read()
    assert (match.pair, match.match_id, match.outcome.totals) == (1, b"\x00\xff", (0, 7))


@pytest.mark.parametrize(
    "change",
    [
        {"pair": 1.0},
        {"pair": [1]},
        {"pair": True},
        {"attempt": "0"},
        {"half": 3},
        {"match_id": "zz"},
        {"winner": "C"},
        {"termination": "LUCK"},
        {"totals": [1]},
        {"totals": "12"},
        {"totals": [1e400, 0]},
        {"rounds": None},
        {"faulted": ["C"]},
    ],
)
def test_line_with_a_wrong_value_is_told(tmp_path: Path, change: dict[str, Any]) -> None:
    journal = written(tmp_path, json.dumps([MATCH]), json.dumps([MATCH | change]))
    with pytest.raises(ArenaError, match=r"line 2 of .* is damaged"):
        list(journal.read())


@pytest.mark.parametrize("line", ["5", "null", "[5]", "[[]]", "[{}]", "[", "[" * 100_000, "\0"])
def test_line_in_another_form_is_told(tmp_path: Path, line: str) -> None:
    with pytest.raises(ArenaError, match=r"line 1 of .* is damaged"):
        list(written(tmp_path, line).read())
