"""`unoduo deal`: matches share a deal, and stay secret until it is closed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.deal.keys import shared_deal_id
from tests.cli.command import Ended, unoduo
from tests.cli.serving import Served, served

SEED = bytes(range(32))
DEAL = shared_deal_id(SEED).hex()


@pytest.fixture(scope="module")
def referee() -> Iterator[Served]:
    with served() as server:
        yield server


def _seed_file(folder: Path, text: str = SEED.hex() + "\n") -> Path:
    file = folder / "seed"
    file.write_text(text)
    file.chmod(0o600)
    return file


def _call(referee: Served, *arguments: str | Path) -> Ended:
    return unoduo(*arguments, "--address", referee.address)


def test_matches_of_a_deal_are_secret_until_it_is_closed(referee: Served, tmp_path: Path) -> None:
    made = _call(referee, "deal", "new", "--seed-file", _seed_file(tmp_path))
    assert (made.code, made.out) == (0, f"{DEAL}\n")
    numbers = []
    for _ in range(2):
        created = _call(referee, "match", "new", "--deal", DEAL, "--json")
        assert created.code == 0, created.err
        numbers.append(str(json.loads(created.out)["number"]))
        assert _call(referee, "match", "void", numbers[-1]).code == 0
    files = [tmp_path / f"{number}.unoduo" for number in numbers]
    for number, file in zip(numbers, files, strict=True):
        assert "(REPLAY_NOT_AVAILABLE)" in _call(referee, "match", "replay", number, file).complaint()
    closed = _call(referee, "deal", "close", DEAL, "--json")
    assert (closed.code, json.loads(closed.out)) == (0, {"deal_id": DEAL})
    for number, file in zip(numbers, files, strict=True):
        assert _call(referee, "match", "replay", number, file).code == 0
    assert unoduo("verify", *files).code == 0
    for refused in (
        _call(referee, "match", "new", "--deal", DEAL),
        _call(referee, "deal", "new", "--seed-file", _seed_file(tmp_path)),
    ):
        assert (refused.code, "(DEAL_CLOSED in " in refused.complaint()) == (2, True)


def test_deal_without_a_seed_is_another_each_time(referee: Served) -> None:
    made = [json.loads(_call(referee, "deal", "new", "--json").out)["deal_id"] for _ in range(2)]
    assert len({*made, DEAL}) == 3
    assert _call(referee, "deal", "close", made[0], "--quiet").out == ""


def test_deal_and_seed_of_a_match_exclude_each_other(referee: Served) -> None:
    ended = _call(referee, "match", "new", "--deal", DEAL, "--seed", SEED.hex())
    assert (ended.code, ended.complaint()) == (
        2,
        "--deal and --seed exclude each other: a shared deal has a seed of its own",
    )


def test_unknown_deal_is_one_line(referee: Served) -> None:
    for command in (("deal", "close", "0" * 32), ("match", "new", "--deal", "0" * 32)):
        ended = _call(referee, *command)
        assert (ended.code, "(DEAL_UNKNOWN in deal_id)" in ended.complaint()) == (2, True)


@pytest.mark.parametrize("text", ["", "00", "0" * 31, "g" * 32])
def test_id_that_is_none_is_refused(text: str) -> None:
    assert "the id of a deal has 32 hex digits" in unoduo("deal", "close", text).err


def test_file_without_a_seed_of_ones_own_is_refused(tmp_path: Path) -> None:
    ended = unoduo("deal", "new", "--seed-file", _seed_file(tmp_path, "1234"))
    assert ended.complaint() == f"{tmp_path / 'seed'} does not hold a seed of 64 hex digits"
    _seed_file(tmp_path).chmod(0o644)
    ended = unoduo("deal", "new", "--seed-file", tmp_path / "seed")
    assert "can be read by others" in ended.complaint()
