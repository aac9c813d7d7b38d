"""The output folder: nothing in it is half-written, and nothing counts before its replays are there."""

import os
from pathlib import Path

import pytest

from referee.arena import folder
from referee.arena.failures import ArenaError
from referee.arena.files import is_part, write_all_whole, write_whole
from referee.arena.folder import OutputFolder
from referee.arena.played import PlayedMatch
from referee.arena.sandbox import BOXED, IN_PROCESS, ON_HONOUR
from referee.contest.pairing import Half
from referee.rules.outcome import Outcome, Termination
from referee.rules.seats import Seat

_OUTCOME = Outcome(Seat.A, Termination.TARGET, (0, 250), 3, ())
_PAIR = [PlayedMatch(1, 0, half, bytes([half] * 16), _OUTCOME, b"replay %d" % half) for half in Half]


class Stopped(Exception):
    """Stands for the end of the machine."""


def stop(*_: object) -> None:
    raise Stopped


@pytest.fixture
def output(tmp_path: Path) -> OutputFolder:
    made = OutputFolder(tmp_path / "cup")
    made.prepare({"pairs": 1}, "digest")
    return made


def contents(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir() if not is_part(file)}


@pytest.mark.parametrize("name", ["fsync", "replace"])
def test_file_is_the_old_one_until_the_new_one_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    write_whole(tmp_path / "table", b"old")
    with monkeypatch.context() as patched:
        patched.setattr(os, name, stop)
        with pytest.raises(Stopped):
            write_all_whole({tmp_path / "table": b"new and longer", tmp_path / "other": b"other"})
    assert contents(tmp_path) == {"table": b"old"}
    write_whole(tmp_path / "table", b"new and longer")
    assert [*tmp_path.iterdir()] == [tmp_path / "table"]
    assert contents(tmp_path) == {"table": b"new and longer"}


def test_matches_count_when_their_replays_are_there(output: OutputFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(folder, "write_all_whole", stop)
        with pytest.raises(Stopped):
            output.keep([_PAIR])
    assert [*output.journal.read()] == []
    output.keep([_PAIR])
    assert contents(output.replays) == {"pair-0001-first.unoduo": b"replay 1", "pair-0001-second.unoduo": b"replay 2"}
    booked = [*output.journal.read()]
    assert [(match.pair, match.attempt, match.half, match.match_id) for match in booked] == [
        (match.pair, match.attempt, match.half, match.match_id) for match in _PAIR
    ]
    assert {match.outcome for match in booked} == {_OUTCOME}


def test_settings_that_were_not_whole_are_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = OutputFolder(tmp_path / "cup")
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", stop)
        with pytest.raises(Stopped):
            output.prepare({}, "digest")
    output.prepare({}, "digest")
    output.prepare({}, "digest")
    with pytest.raises(ArenaError, match="other settings"):
        output.prepare({}, "another digest")


@pytest.mark.parametrize("marks", [(BOXED, ON_HONOUR, BOXED), (ON_HONOUR, IN_PROCESS, BOXED)])
def test_lanes_are_those_of_the_worst_runner(output: OutputFolder, marks: tuple[str, ...]) -> None:
    for mark in marks:
        output.mark_lanes(mark)
    assert output.lanes_mark() == marks[1]


@pytest.mark.parametrize("told", [None, b"", b"boxe", b"\xff"])
def test_lanes_that_are_not_known_are_on_honour(output: OutputFolder, told: bytes | None) -> None:
    output.mark_lanes(BOXED)
    assert output.lanes_mark() == BOXED
    (file,) = output.path.glob("lanes.txt")
    file.unlink()
    if told is not None:
        file.write_bytes(told)
        assert output.lanes_mark() == ON_HONOUR
        output.mark_lanes(BOXED)
    assert output.lanes_mark() == ON_HONOUR


def test_lanes_of_an_earlier_runner_are_gone(output: OutputFolder) -> None:
    (output.lanes / "left").mkdir(parents=True)
    with output.place_for_lanes():
        assert [*output.lanes.iterdir()] == []
        assert os.stat(output.lanes).st_mode & 0o077 == 0
        (output.lanes / "home").mkdir()
    assert not output.lanes.exists()
