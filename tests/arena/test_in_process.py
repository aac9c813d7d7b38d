"""Runs in process: the same matches, without sockets and clocks."""

import asyncio
import subprocess
import sys
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import psutil
import pytest
from unoduo.v1 import log_pb2

from referee.arena.failures import ArenaError, SpecificationError
from referee.arena.specification import Specification
from referee.audit.master import Master
from referee.audit.report import Status
from referee.audit.verify import Evidence, verify
from referee.log.file_format import EntryPart, read_parts
from tests.arena.cups import BASELINES, cup, replays, row, run
from tests.arena.processes import until, until_blocking
from tests.cli.command import ROOT

_FAILING = """
def raising(seed):
    def decide(observation):
        raise RuntimeError("lost")
    return decide

def leaving(seed):
    def decide(observation):
        raise SystemExit
    return decide

def unmade(seed):
    raise RuntimeError("no bot")

def ending(seed):
    import os
    return lambda observation: os._exit(3)

def speechless(seed):
    return lambda observation: None

def hanging(seed):
    import pathlib, time
    def decide(observation):
        pathlib.Path(__file__).with_name("asked").touch()
        time.sleep(600)
    return decide

def stubborn(seed):
    from unoduo_client import Action
    def decide(observation):
        # A play of nothing, which no phase knows.
        action = Action()
        action.challenge.SetInParent()
        return action
    return decide
"""


def with_functions(asked: Specification, *functions: str) -> Specification:
    players = zip(asked.players, functions, strict=True)
    return replace(asked, players=tuple(replace(player, function=function) for player, function in players))


async def test_table_and_matches_are_those_of_a_run_over_grpc(tmp_path: Path) -> None:
    over_grpc = cup(tmp_path / "grpc", *BASELINES, pairs=2)
    in_process = cup(tmp_path / "functions", *BASELINES, pairs=2)
    standings = await run(over_grpc)
    same = await run(in_process, in_process=True)
    assert same == standings | {"lanes": "in process"}
    assert [file.name for file in replays(in_process)] == [file.name for file in replays(over_grpc)]
    for one, other in zip(replays(in_process), replays(over_grpc), strict=True):
        assert _entries(one) == _entries(other)


async def test_every_replay_is_proven(tmp_path: Path) -> None:
    asked = cup(tmp_path, "random", "greedy", pairs=3, common_deals=True)
    await run(asked, in_process=True)
    master = Master((asked.output / "master.json").read_bytes())
    for file in replays(asked):
        with file.open("rb") as stream:
            assert verify(stream, Evidence(master=master)).status is Status.OK


@pytest.mark.parametrize(
    ("function", "absence_ms", "fault"),
    [
        ("raising", 10_000, "disconnects"),
        ("raising", 0, "timeouts"),
        ("leaving", 10_000, "disconnects"),
        ("unmade", 10_000, "disconnects"),
        ("speechless", 10_000, "disconnects"),
        ("stubborn", 10_000, "illegal_actions"),
    ],
)
async def test_function_that_fails_loses(tmp_path: Path, function: str, absence_ms: int, fault: str) -> None:
    (tmp_path / f"failing_{function}.py").write_text(_FAILING)
    asked = cup(tmp_path, "greedy", "random", pairs=1, faults={"forfeit_after_absence_ms": absence_ms})
    standings = await run(with_functions(asked, "greedy", f"failing_{function}:{function}"), in_process=True)
    faults = row(standings, "1 random")["faults"]
    assert (faults["total"], faults[fault]) == (2, 2)
    assert row(standings, "0 greedy")["won"] == 2
    for file in replays(asked):
        with file.open("rb") as stream:
            assert verify(stream).status is Status.OK


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("", "is missing"),
        ("clever", "must be careful, greedy, random or module:function, not 'clever'"),
        ("no_such_module:bot", "no_such_module:bot cannot be had: ModuleNotFoundError"),
        ("tests.arena.cups:bot", "tests.arena.cups:bot cannot be had: AttributeError"),
    ],
)
async def test_function_that_is_not_there_is_told_before_anything_is_played(
    tmp_path: Path, function: str, told: str
) -> None:
    asked = with_functions(cup(tmp_path, "greedy", "random"), "greedy", function)
    with pytest.raises(SpecificationError, match=told) as refusal:
        await run(asked, in_process=True)
    assert refusal.value.key == "players[1].function"
    assert not asked.output.exists()


async def test_function_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "failing_hanging.py").write_text(_FAILING)
    asked = with_functions(cup(tmp_path, "greedy", "random"), "greedy", "failing_hanging:hanging")
    runner = asyncio.create_task(run(asked, in_process=True))
    await until((tmp_path / "asked").exists)
    workers = active_children()
    runner.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(runner, 20)
    assert workers
    await until(lambda: not any(worker.is_alive() for worker in workers))


async def test_function_that_ends_its_process_is_told(tmp_path: Path) -> None:
    (tmp_path / "failing_ending.py").write_text(_FAILING)
    asked = with_functions(cup(tmp_path, "greedy", "random", pairs=1), "greedy", "failing_ending:ending")
    with pytest.raises(ArenaError, match="was to play pair 1 has ended"):
        await run(asked, in_process=True)


def test_processes_end_when_their_runner_is_killed(tmp_path: Path) -> None:
    code = (
        "import asyncio; from pathlib import Path; from tests.arena.cups import cup, run\n"
        f"if __name__ == '__main__': asyncio.run(run(cup(Path({str(tmp_path)!r}), 'random', 'careful', pairs=500,"
        " rules={'target': 200}), in_process=True))"
    )
    script = tmp_path / "runner.py"
    script.write_text(code)
    runner = subprocess.Popen([sys.executable, str(script)], cwd=ROOT, env={"PYTHONPATH": str(ROOT)})
    try:
        until_blocking(lambda: (tmp_path / "cup" / "journal.jsonl").exists(), "the first pair")
        children = psutil.Process(runner.pid).children()
        assert children
    finally:
        runner.kill()
        runner.wait()
    until_blocking(lambda: not any(map(_lives, children)), "the end of all processes")


def _lives(process: psutil.Process) -> bool:
    """Returns whether a process runs; nobody may have taken leave of one that has ended."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _entries(file: Path) -> list[str]:
    """Returns what happened in a match, without what was measured or drawn."""
    told = []
    with file.open("rb") as stream:
        for part in read_parts(stream):
            if isinstance(part, EntryPart):
                told += [str(event) for event in log_pb2.Entry.FromString(part.data).events]
    return told
