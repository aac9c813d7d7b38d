"""`unoduo tournament report`: the files of a run made anew, and what is told of a folder that was changed."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from referee.arena.specification import Specification
from referee.cli.tournament_report import report_of_run
from tests.arena.cups import MASTER, cup, run
from tests.cli.command import unoduo

FILES = ("report.html", "standings.csv", "pairings.csv", "standings.json")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Specification:
    """A tournament that is over, with its report."""
    asked = cup(tmp_path_factory.mktemp("played"), "greedy", "random", pairs=2)
    report_of_run(asked, MASTER, asyncio.run(run(asked)))
    return asked


@pytest.fixture
def folder(played: Specification, tmp_path: Path) -> Path:
    """A copy of its output folder, to be changed."""
    return Path(shutil.copytree(played.output, tmp_path / "cup", ignore=shutil.ignore_patterns("referee")))


def _pages(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (folder / "matches").iterdir()}


def test_report_is_that_of_the_run(played: Specification, folder: Path) -> None:
    for name in (*FILES[:3], "journal.jsonl"):
        (folder / name).unlink()
    (folder / "matches" / "pair-0009-first.html").write_text("of an earlier report")
    ended = unoduo("tournament", "report", folder)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[1].split()[:2] == ["1.", "0"]
    assert lines[-1] == f"{folder}: report.html, standings.csv, pairings.csv"
    assert lines[-2].startswith("over: 2 pairs count; lanes ")
    for name in FILES:
        assert (folder / name).read_bytes() == (played.output / name).read_bytes()
    assert _pages(folder) == _pages(played.output)
    assert b'data-status="ok"' in next(iter(_pages(folder).values()))
    assert all(f'href="matches/{name}"' in (folder / "report.html").read_text() for name in _pages(folder))


def test_standings_are_printed_for_programs_or_not_at_all(folder: Path) -> None:
    ended = unoduo("tournament", "report", "--json", folder)
    assert (ended.code, ended.err) == (0, "")
    assert json.loads(ended.out) == json.loads((folder / "standings.json").read_text())
    assert unoduo("tournament", "report", "--quiet", folder).out == ""


def test_stored_standings_that_differ_are_told_and_kept(folder: Path) -> None:
    file = folder / "standings.json"
    changed = file.read_text().replace('"won": 4', '"won": 3')
    file.write_text(changed)
    (folder / "report.html").unlink()
    ended = unoduo("tournament", "report", folder)
    assert ended.code == 1
    told = "players[0].won: 3 is stored, 4 follows from the replays"
    assert ended.complaint() == f"{file} differs from the replays: {told}"
    assert ended.out.splitlines()[-1] == told
    assert file.read_text() == changed
    assert (folder / "report.html").exists()
    file.write_text("[]")
    assert unoduo("tournament", "report", "--quiet", folder).complaint().endswith("more")


def test_missing_match_is_noticed(folder: Path) -> None:
    (folder / "replays" / "pair-0001-second.unoduo").unlink()
    ended = unoduo("tournament", "report", folder)
    assert ended.code == 1
    assert "pairs: 2 is stored, 0 follows from the replays" in ended.out


def test_tournament_under_way_is_told_as_far_as_it_has_come(folder: Path) -> None:
    kept = (folder / "replays" / "pair-0002-first.unoduo").read_bytes()
    for name in ("standings.json", "master.json", "replays/pair-0002-first.unoduo"):
        (folder / name).unlink()
    ended = unoduo("tournament", "report", folder)
    assert (ended.code, ended.err) == (0, "")
    assert "not over, 2 pairs scheduled: 1 pair count" in ended.out
    assert json.loads((folder / "standings.json").read_text())["over"] is False
    # What was told on the way is no evidence against the end.
    (folder / "replays" / "pair-0002-first.unoduo").write_bytes(kept)
    assert unoduo("tournament", "report", "--quiet", folder).code == 0
    assert json.loads((folder / "standings.json").read_text())["over"] is True


def test_replays_that_are_wrong_are_named(folder: Path) -> None:
    report = (folder / "report.html").read_bytes()
    file = folder / "replays" / "pair-0001-first.unoduo"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    ended = unoduo("tournament", "report", folder)
    assert (ended.code, ended.out) == (1, "")
    assert ended.complaint().startswith(f"{file}: WRONG at ")
    assert (folder / "report.html").read_bytes() == report


def test_what_is_no_tournament_is_told_in_a_line(folder: Path, tmp_path: Path) -> None:
    ended = unoduo("tournament", "report", tmp_path / "nowhere")
    assert (ended.code, ended.complaint()) == (2, f"{tmp_path / 'nowhere'} is no folder")
    ended = unoduo("tournament", "report", tmp_path)
    assert ended.code == 2
    assert ended.complaint() == f"{tmp_path / 'tournament.json'}: no such file or directory"
    (folder / "tournament.json").write_text("{}")
    ended = unoduo("tournament", "report", folder)
    assert (ended.code, ended.complaint()) == (1, f"{folder / 'tournament.json'} is damaged")
