"""`unoduo tournament`: the example, a run of it, and what is told when something is wrong."""

import json
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path
from secrets import token_hex

import pytest

from tests.cli.command import ROOT, Ended, unoduo
from tests.cli.processes import MARK, all_gone, marked


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A tournament that is over in seconds: one round a match, one pair a pairing."""
    assert unoduo("tournament", "init", tmp_path).code == 0
    file = tmp_path / "cup.toml"
    small = file.read_text().replace("pairs = 50 ", "pairs = 1 ").replace("target = 200 ", "target = 1 ")
    file.write_text(small)
    return file


def verified(cup: Path) -> Ended:
    folder = cup.parent / "cup"
    return unoduo("verify", "--master", folder / "master.json", *sorted((folder / "replays").iterdir()))


def test_example_is_written_with_a_seed_for_its_owner_alone(tmp_path: Path) -> None:
    ended = unoduo("tournament", "init", tmp_path / "new" / "folder")
    assert (ended.code, ended.err) == (0, "")
    seed = tmp_path / "new" / "folder" / "cup.seed"
    assert stat.S_IMODE(seed.stat().st_mode) == 0o600
    assert len(bytes.fromhex(seed.read_text())) == 32
    file = seed.with_name("cup.toml")
    text = file.read_text()
    assert "unoduo tournament run" in ended.out
    assert "is there already" in unoduo("tournament", "init", seed.parent).complaint()
    assert file.read_text() == text
    assert unoduo("tournament", "init", tmp_path).code == 0
    assert (tmp_path / "cup.seed").read_text() != seed.read_text()


def test_run_plays_shows_and_keeps_what_verifies(cup: Path) -> None:
    ended = unoduo("tournament", "run", cup)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert re.fullmatch("3 players, round-robin, 3 pairs of matches, [0-9]+ matches at once", lines[0])
    assert "3 of 3 pairs over, 0 s left" in lines
    shown = {line.split()[1]: line.split() for line in lines if line[:1].isdigit() and ".  " in line}
    assert shown.keys() == {"random", "greedy", "careful"}
    checked = verified(cup)
    assert checked.code == 0
    assert checked.out.endswith("6 files: 6 ok\n")
    commitment = lines[1].rpartition(" ")[2]
    assert f"commitment to the master seed: {commitment} " in checked.out

    again = unoduo("tournament", "run", "--json", cup)
    assert again.code == 0
    assert json.loads(again.out) == json.loads((cup.parent / "cup" / "standings.json").read_text())
    assert unoduo("tournament", "run", "--quiet", cup) == Ended(0, "", "")


def test_run_in_process_says_so(cup: Path) -> None:
    ended = unoduo("tournament", "run", "--in-process", cup)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[0] == "3 players, round-robin, 3 pairs of matches, in process"
    assert "lanes in process" in ended.out


def test_interrupted_run_leaves_nothing_and_goes_on(cup: Path) -> None:
    mark = token_hex(8)
    many = cup.read_text().replace("pairs = 1 ", "pairs = 6 ")
    cup.write_text(many.replace("\nentropy", f'\nenvironment = {{ {MARK} = "{mark}" }}\nentropy'))
    runner = subprocess.Popen(
        [sys.executable, "-m", "referee", "tournament", "run", str(cup)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert runner.stdout is not None
    with runner.stdout:
        while not runner.stdout.readline().startswith("2 of "):
            assert runner.poll() is None
        assert marked(mark)
        runner.send_signal(signal.SIGINT)
        assert runner.stdout.read().endswith("interrupted: the same command goes on from here\n")
        assert runner.wait(20) == 130
    assert all_gone(mark, 5)
    assert not (cup.parent / "cup" / "standings.json").exists()
    assert unoduo("tournament", "run", "--quiet", cup) == Ended(0, "", "")
    assert all_gone(mark, 5)
    assert verified(cup).out.endswith("36 files: 36 ok\n")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("pairs = 1 ", "pears = 1 ", "pears: there is no such key"),
        ("pairs = 1 ", "pairs = 0 ", "pairs: must be a whole number from 1 "),
        ("pairs = 1 ", "pairs : 1 ", "cup.toml is no TOML file: "),
        ('"careful", "--address"', '"careless", "--address"', "players[2].command: the bot of careful ended at once "),
        ('seed_file = "cup.seed"', 'seed_file = "no.seed"', "cannot read "),
    ],
)
def test_what_is_wrong_is_told_in_a_line(cup: Path, before: str, after: str, told: str) -> None:
    text = cup.read_text()
    assert text.count(before) == 1
    cup.write_text(text.replace(before, after))
    ended = unoduo("tournament", "run", "--quiet", cup)
    assert ended.code == 2
    assert told in ended.complaint()


def test_seed_that_others_may_read_is_refused(cup: Path) -> None:
    cup.with_name("cup.seed").chmod(0o640)
    ended = unoduo("tournament", "run", cup)
    assert (ended.code, ended.out) == (2, "")
    assert "can be read by others" in ended.complaint()


def test_folder_of_a_running_tournament_is_refused(cup: Path) -> None:
    cup.write_text(cup.read_text().replace("pairs = 1 ", "pairs = 500 "))
    runner = subprocess.Popen(
        [sys.executable, "-m", "referee", "tournament", "run", str(cup)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert runner.stdout is not None
        while not runner.stdout.readline().startswith("0 of "):
            assert runner.poll() is None
        ended = unoduo("tournament", "run", "--quiet", cup)
        assert ended.code == 2
        assert f"is in use by process {runner.pid}" in ended.complaint()
    finally:
        runner.kill()
        runner.communicate()
