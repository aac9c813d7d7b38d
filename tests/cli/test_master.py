"""`unoduo verify --master`: the deals of a tournament against what it publishes at its end."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import unoduo
from tests.log.vectors import cases, unhex

CASES = {case["name"]: case for case in cases("log/masters.json")}
NOT_PROVEN = "that the seed of this shared deal was fixed before the players enlisted: only a master file tells"


def _files(folder: Path, name: str) -> tuple[Path, Path]:
    """Returns the replay of the first vector and the master file of another."""
    replay, master = folder / "match.unoduo", folder / "master.json"
    replay.write_bytes(unhex(CASES["seed_of_its_pair"]["file"]))
    master.write_text(CASES[name]["master"])
    return replay, master


@pytest.mark.parametrize(
    ("name", "code"),
    [("seed_of_its_pair", 0), ("seed_of_another_attempt", 1), ("shared_deal_that_is_not_listed", 3)],
)
def test_replay_is_held_against_a_master_file(tmp_path: Path, name: str, code: int) -> None:
    replay, master = _files(tmp_path, name)
    ended = unoduo("verify", replay, "--master", master, "--json")
    report: dict[str, Any] = json.loads(ended.out)
    assert ended.code == code
    assert report["master_commitment"] == CASES[name]["commitment"]
    assert NOT_PROVEN not in report["not_proven"]
    told = unoduo("verify", replay, "--master", master)
    assert told.code == code
    assert f"  commitment to the master seed: {CASES[name]['commitment']} (as published before?)\n" in told.out
    assert ("(MASTER)" in told.out) == (code == 1)


def test_report_without_a_master_file_says_what_only_that_proves(tmp_path: Path) -> None:
    replay, _ = _files(tmp_path, "seed_of_its_pair")
    report = json.loads(unoduo("verify", replay, "--json").out)
    assert (report["status"], report["master_commitment"]) == ("ok", None)
    assert NOT_PROVEN in report["not_proven"]


def test_file_that_is_no_master_file_is_one_line(tmp_path: Path) -> None:
    replay, master = _files(tmp_path, "attempt_left_out")
    ended = unoduo("verify", replay, "--master", master)
    assert (ended.code, ended.complaint()) == (
        2,
        f"{master} is no master file: pair 2 has attempt 2, must be 1",
    )
    ended = unoduo("verify", replay, "--master", tmp_path / "none")
    assert (ended.code, ended.complaint()) == (2, f"cannot read {tmp_path / 'none'}: no such file or directory")


def test_master_file_without_a_replay_is_refused(tmp_path: Path) -> None:
    _, master = _files(tmp_path, "seed_of_its_pair")
    ended = unoduo("verify", "--index", master, "--master", master)
    assert (ended.code, ended.complaint()) == (2, "--master goes with replays, whose deals it gives")
