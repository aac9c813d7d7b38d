"""A pair of a tournament by hand: one deal, seats exchanged, secret until both are over, and proven at the end."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.deal.master import master_commitment, pair_seed
from tests.cli.command import Ended, unoduo
from tests.cli.serving import Served, served

MASTER = bytes(range(32))
ENTROPIES = [b"of Ann", b"of Bob"]


@pytest.fixture(scope="module")
def referee() -> Iterator[Served]:
    with served() as server:
        yield server


def _call(referee: Served, *arguments: str | Path) -> Ended:
    return unoduo(*arguments, "--address", referee.address)


def _played(referee: Served, deal: str, players: tuple[str, str], folder: Path) -> dict[str, Any]:
    """Plays a match of the deal with a process and a journal for each seat."""
    ended = _call(referee, "match", "new", *players, "--deal", deal, "--target", "1", "--json")
    assert ended.code == 0, ended.err
    created: dict[str, Any] = json.loads(ended.out)
    bots = []
    for seat, token in created["seat_tokens"].items():
        where = ("--address", created["address"], "--match", created["match_id"], "--seat", seat)
        journal = ("--journal", str(folder / f"{created['number']}-{seat}.journal"))
        command = [sys.executable, "-m", "unoduo_client", "greedy", *where, *journal]
        bots.append(
            subprocess.Popen(command, env={**os.environ, "UNODUO_SEAT_TOKEN": token}, stdout=subprocess.DEVNULL)
        )
    try:
        assert [bot.wait(timeout=60) for bot in bots] == [0, 0]
    finally:
        for bot in bots:
            bot.kill()
            bot.wait()
    return created


def test_pair_is_secret_until_its_deal_is_closed_and_then_proven(referee: Served, tmp_path: Path) -> None:
    seed = tmp_path / "seed"
    seed.touch(mode=0o600)
    seed.write_text(pair_seed(MASTER, 1, 0, ENTROPIES).hex())
    deal = _call(referee, "deal", "new", "--seed-file", seed).out.strip()
    halves = []
    for players in (("Ann", "Bob"), ("Bob", "Ann")):
        halves.append(_played(referee, deal, players, tmp_path))
        for half in halves:
            early = _call(referee, "match", "replay", str(half["number"]), tmp_path / "early")
            assert "(REPLAY_NOT_AVAILABLE)" in early.complaint()
    assert _call(referee, "deal", "close", deal).code == 0

    files = [tmp_path / f"{half['number']}.unoduo" for half in halves]
    for half, file in zip(halves, files, strict=True):
        assert _call(referee, "match", "replay", str(half["number"]), file).code == 0
    master = tmp_path / "master.json"
    pair = {"pair": 1, "attempt": 0, "matches": [half["match_id"] for half in halves]}
    fields = {"format": "unoduo-master-1", "master": MASTER.hex(), "entropies": [text.hex() for text in ENTROPIES]}
    master.write_text(json.dumps({**fields, "pairs": [pair]}))
    told = unoduo("verify", "--master", master, "--journal", tmp_path, *files, "--json")
    assert told.code == 0, told.out
    reports = [json.loads(line) for line in told.out.splitlines()]
    assert {report["master_commitment"] for report in reports} == {master_commitment(MASTER).hex()}
    assert not any("journal" in text or "enlisted" in text for report in reports for text in report["not_proven"])
    first, second = (_first_events(file) for file in files)
    assert first == second


def _first_events(file: Path) -> Any:
    """Returns what happened before a bot had chosen anything: the cut and the first card offered."""
    _, entry, *_ = unoduo("replay", "export", "--json", file).out.splitlines()
    events = json.loads(entry)["entry"]["events"]
    assert {"cut", "draft_offered"} <= {kind for event in events for kind in event["event"]}
    return events
