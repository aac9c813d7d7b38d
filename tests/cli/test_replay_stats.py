"""`unoduo replay stats`: a table a file, and one of the players over all."""

import json
from pathlib import Path

from tests.cli.command import unoduo


def test_figures_of_one_file_are_one_table(replay_file: Path) -> None:
    ended = unoduo("replay", "stats", replay_file)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(f"{replay_file}:\n  match 1, Anna (A) against Bert (B): ")
    assert "all 1 matches" not in ended.out


def test_figures_of_several_files_end_with_the_players(replay_file: Path) -> None:
    ended = unoduo("replay", "stats", replay_file, replay_file)
    totals = ended.out.partition("all 2 matches:\n")[2].splitlines()
    assert totals[0].split() == ["Anna", "Bert"]
    assert totals[1].split() == ["matches", "2", "2"]


def test_json_is_an_object_a_file_and_one_of_the_players(replay_file: Path) -> None:
    ended = unoduo("replay", "stats", "--json", replay_file, replay_file)
    first, second, totals = map(json.loads, ended.out.splitlines())
    assert first == second
    assert first["file"] == str(replay_file)
    assert totals["players"]["Anna"]["actions"] == 2 * first["seats"]["A"]["actions"] > 0


def test_damaged_part_is_named(replay_file: Path) -> None:
    replay_file.write_bytes(replay_file.read_bytes()[:-700])
    ended = unoduo("replay", "stats", "--quiet", replay_file)
    assert (ended.code, ended.out) == (1, "")
    assert ended.complaint().startswith(f"{replay_file}: entry ")
