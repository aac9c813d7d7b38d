"""`unoduo match`: an organiser creates matches, looks at them and fetches their replays."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Ended, unoduo
from tests.cli.serving import Served, served

SEED = "11" * 32


@pytest.fixture(scope="module")
def referee() -> Iterator[Served]:
    with served() as server:
        yield server


def _match(referee: Served, *arguments: str | Path) -> Ended:
    return unoduo("match", *arguments, "--address", referee.address)


def _new(referee: Served, *arguments: str) -> dict[str, Any]:
    ended = _match(referee, "new", *arguments, "--json")
    assert ended.code == 0, ended.err
    created: dict[str, Any] = json.loads(ended.out)
    return created


def _play(created: dict[str, Any]) -> None:
    """Plays the match with a process for each seat."""
    bots = []
    for seat, token in created["seat_tokens"].items():
        where = ("--address", created["address"], "--match", created["match_id"], "--seat", seat)
        command = [sys.executable, "-m", "unoduo_client", "greedy", *where]
        environment = {**os.environ, "UNODUO_SEAT_TOKEN": token}
        bots.append(subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL))
    try:
        assert [bot.wait(timeout=60) for bot in bots] == [0, 0]
    finally:
        for bot in bots:
            bot.kill()
            bot.wait()


def test_new_match_is_printed_with_what_its_bots_need(referee: Served) -> None:
    ended = _match(referee, "new", "Ann", "Bob", "--target", "1")
    lines = ended.out.splitlines()
    assert (ended.code, ended.err) == (0, "")
    assert lines[0].startswith("match ")
    for seat in "AB":
        command = next(line for line in lines if line.endswith(f"--seat {seat}"))
        assert command.startswith("  UNODUO_SEAT_TOKEN=")
        assert f"--address {referee.address} " in command


def test_finished_match_is_shown_and_its_replay_verified(referee: Served, tmp_path: Path) -> None:
    created = _new(referee, "Ann", "Bob", "--target", "1", "--seed", SEED)
    _play(created)
    shown = json.loads(_match(referee, "show", str(created["number"]), "--json").out)
    assert shown["players"] == ["Ann", "Bob"]
    assert (shown["lifecycle"], shown["replay_available"]) == ("ENDED", True)
    assert shown["outcome"]["termination"] == "TARGET"
    by_id = _match(referee, "show", created["match_id"])
    assert by_id.out.startswith(f"{created['number']:>6}  {created['match_id']}  Ann against Bob: ")
    file = tmp_path / "match.unoduo"
    fetched = _match(referee, "replay", str(created["number"]), file)
    assert (fetched.code, fetched.out) == (0, f"{file}\n")
    assert unoduo("verify", file).out.startswith(f"{file}: ok\n")
    assert list(tmp_path.iterdir()) == [file]


def test_list_has_every_match_by_number(referee: Served) -> None:
    created = [_new(referee)["number"] for _ in range(3)]
    ended = _match(referee, "list", "--json")
    numbers = [json.loads(line)["number"] for line in ended.out.splitlines()]
    assert numbers == sorted(numbers)
    assert set(created) <= set(numbers)
    assert len(_match(referee, "list").out.splitlines()) == len(numbers)


def test_tokens_are_shown_once_only(referee: Served) -> None:
    created = _new(referee)
    later = _match(referee, "list", "--json").out + _match(referee, "show", created["match_id"], "--json").out
    for token in (*created["seat_tokens"].values(), created["spectator_token"]):
        assert token not in later


def test_replay_of_a_running_match_is_refused(referee: Served, tmp_path: Path) -> None:
    created = _new(referee)
    ended = _match(referee, "replay", str(created["number"]), tmp_path / "match.unoduo")
    assert ended.code == 2
    assert "(REPLAY_NOT_AVAILABLE)" in ended.complaint()
    assert list(tmp_path.iterdir()) == []


def test_replay_that_cannot_be_written_is_one_line(referee: Served, tmp_path: Path) -> None:
    created = _new(referee)
    ended = _match(referee, "replay", created["match_id"], tmp_path / "no" / "match.unoduo")
    assert ended.code == 2
    assert ended.complaint().startswith(f"cannot write {tmp_path / 'no' / 'match.unoduo'}: no such file")


@pytest.mark.parametrize(
    ("match", "words"),
    [
        ("0", "the referee has no match 0"),
        ("999", "the referee has no match 999"),
        ("9" * 10, "the referee has no match 9999999999"),
        ("0" * 32, f"match {'0' * 32}: it does not exist or is not for this token (NOT_YOURS)"),
        ("g" * 32, "is neither the number"),
        ("9" * 5000, "is neither the number"),
    ],
    ids=lambda text: str(text)[:40],
)
def test_unknown_match_is_one_line(referee: Served, match: str, words: str) -> None:
    ended = _match(referee, "show", match)
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.complaint()


@pytest.mark.parametrize(
    ("names", "words"), [(("Ann", ""), "players"), (("x" * 65, "Bob"), "players"), (("a\nb", "Bob"), "players")]
)
def test_name_that_the_referee_refuses_is_one_line(referee: Served, names: tuple[str, str], words: str) -> None:
    ended = _match(referee, "new", *names)
    assert ended.code == 2
    assert words in ended.complaint()


def test_name_that_is_no_text_is_one_line(referee: Served) -> None:
    ended = _match(referee, "new", os.fsdecode(b"\xff"), "Bob")
    assert ended.code == 2
    assert "is no text in the encoding of this system" in ended.complaint()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_name_that_the_output_cannot_encode_is_escaped(referee: Served, encoding: str) -> None:
    created = _match(referee, "new", "\U0001f600 \u20ac", "Bob", "--json")
    environment = {"PYTHONIOENCODING": encoding}
    match_id = json.loads(created.out)["match_id"]
    shown = unoduo("match", "show", match_id, "--address", referee.address, env=environment)
    assert (shown.code, shown.err) == (0, "")
    assert "\\U0001f600 \\u20ac" in shown.out
    listed = unoduo("match", "show", match_id, "--json", "--address", referee.address, env=environment)
    assert "\U0001f600 \u20ac" in json.loads(listed.out)["players"]
