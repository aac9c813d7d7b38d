"""A tournament whose runner is cut goes on, and its table is that of an unbroken run."""

import asyncio
import json
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from secrets import token_hex
from time import monotonic

import pytest

from referee.arena.specification import Specification
from referee.arena.tournament import Standing
from referee.audit.replay import replay
from referee.audit.report import Status
from referee.audit.verify import verify
from tests.arena.cups import cup, journal, kept_standings, replays, run
from tests.arena.processes import PATIENCE_S, until
from tests.cli.command import ROOT
from tests.cli.processes import all_gone
from tests.faults.sizes import size

_PAIRS = 12


def asked_in(folder: Path, mark: str = "") -> Specification:
    return cup(folder, "random", "greedy", pairs=_PAIRS, mark=mark)


async def test_cut_matches_are_played_again_in_the_place_of_the_cut_ones(tmp_path: Path) -> None:
    mark = token_hex(8)
    unbroken = await run(asked_in(tmp_path / "unbroken"))
    asked = asked_in(tmp_path / "broken", mark)
    steps: list[Standing] = []
    runner = asyncio.create_task(run(asked, steps))
    await until(lambda: steps and steps[-1].over >= 2)
    runner.cancel()
    with suppress(asyncio.CancelledError):
        await runner
    assert all_gone(mark, 5)
    assert steps[-1].over < _PAIRS
    assert await run(asked) == unbroken | {"digest": kept_standings(asked)["digest"]}
    headers = []
    for file in replays(asked):
        with file.open("rb") as stream:
            headers.append(replay(stream).header)
    assert any(header.replaces_number for header in headers)
    assert len({header.match_number for header in headers}) == 2 * _PAIRS


async def test_match_that_was_cut_before_its_seal_counts(tmp_path: Path) -> None:
    code = (
        "import asyncio, os; from pathlib import Path; from referee.store.sqlite import SqliteStore; "
        "from tests.arena.cups import cup, run; SqliteStore.seal_match = lambda *_: os.kill(os.getpid(), 9); "
        f"asyncio.run(run(cup(Path({str(tmp_path)!r}), 'random', 'greedy', pairs=1, concurrency=1)))"
    )
    runner = await asyncio.create_subprocess_exec(sys.executable, "-c", code, cwd=ROOT)
    assert await asyncio.wait_for(runner.wait(), PATIENCE_S) == -signal.SIGKILL
    asked = cup(tmp_path, "random", "greedy", pairs=1, concurrency=1)
    assert (await run(asked))["over"]
    headers = []
    for file in replays(asked):
        with file.open("rb") as stream:
            headers.append(replay(stream).header)
    assert sorted((header.match_number, header.replaces_number) for header in headers) == [(1, 0), (2, 0)]


@pytest.mark.slow
@pytest.mark.timeout(size(600, 6_000))
def test_killed_runners_lose_and_double_nothing(tmp_path: Path) -> None:
    began_at = monotonic()
    _runner(tmp_path / "unbroken").wait(PATIENCE_S * 10)
    unbroken, takes_s = _results(asked_in(tmp_path / "unbroken")), monotonic() - began_at
    moments = Random(6)
    kills, place = size(10, 100), 0
    while kills:
        place += 1
        folder, mark, is_over = tmp_path / str(place), token_hex(8), False
        while not is_over:
            is_first, began_at = not folder.exists(), monotonic()
            runner = _runner(folder, mark)
            try:
                assert runner.wait(moments.uniform(0, takes_s) if kills else PATIENCE_S * 10) == 0
                is_over = True
                # On a machine that has become faster all others would end before they are killed.
                takes_s = min(takes_s, monotonic() - began_at) if is_first else takes_s
            except subprocess.TimeoutExpired:
                runner.send_signal(signal.SIGKILL)
                runner.wait()
                kills -= 1
            assert all_gone(mark, 5)
            _check_files(asked_in(folder, mark))
        assert _results(asked_in(folder, mark)) == unbroken


def _runner(folder: Path, mark: str = "") -> "subprocess.Popen[bytes]":
    folder.mkdir(exist_ok=True)
    code = (
        "import asyncio; from pathlib import Path; from tests.arena.cups import run; "
        f"from tests.arena.test_resume import asked_in; asyncio.run(run(asked_in(Path({str(folder)!r}), {mark!r})))"
    )
    return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)


def _results(asked: Specification) -> dict[str, object]:
    return {key: value for key, value in kept_standings(asked).items() if key != "digest"}


def _check_files(asked: Specification) -> None:
    """Checks that all that is there is whole, and that no match is there twice."""
    if not asked.output.exists():
        return
    for file in asked.output.glob("*.json"):
        json.loads(file.read_bytes())
    booked = journal(asked)
    assert len({(match.pair, match.attempt, match.half) for match in booked}) == len(booked)
    assert len({match.match_id for match in booked}) == len(booked)
    files = [file for file in replays(asked) if not file.name.startswith(".")] if booked else []
    for file in files:
        with file.open("rb") as stream:
            assert verify(stream).status is Status.OK
    assert len(files) >= len(booked)
