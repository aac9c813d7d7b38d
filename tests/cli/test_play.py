"""`unoduo play`: a whole match of two processes, verified; whatever stops it, no process is left behind."""

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from referee.cli.bot_process import running_bot
from tests.cli.command import ROOT, unoduo
from tests.cli.processes import MARK, all_gone, marked

SEED = "5e" * 32


def test_match_is_played_verified_and_told_where_to_find(tmp_path: Path) -> None:
    ended = unoduo("play", cwd=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    first, *rounds, match, verdict, replay, look = ended.out.splitlines()
    assert first.startswith("greedy (A) against random (B), referee on 127.0.0.1:")
    assert rounds[0] == "round 1, points A 0, B 0, 0 actions"
    assert match.startswith("match 1, greedy (A) against random (B): ")
    assert verdict == "verify: ok"
    file = tmp_path / replay.removeprefix("replay: ")
    assert file.parent == tmp_path / "replays"
    assert look.endswith(f" replay show {replay.removeprefix('replay: ')}")
    assert unoduo("verify", file).out.startswith(f"{file}: ok\n")


def test_given_seed_and_bot_seed_play_the_same_match_again(tmp_path: Path) -> None:
    stories = []
    for name in ("one", "two"):
        file = tmp_path / name
        options = ("--target", "30", "--seed", SEED, "--bot-seed", "7", "--replay", file, "--quiet")
        ended = unoduo("play", "random", "greedy", *options)
        assert (ended.code, ended.out, ended.err) == (0, "", "")
        stories.append(unoduo("replay", "show", file).out.splitlines()[1:])
    assert stories[0] == stories[1]
    assert stories[0][0] == "random (A) against greedy (B)"
    assert stories[0][1] == "rules duo with target 30; 10000 ms a decision; deal given"


def test_variant_is_that_of_the_replay(tmp_path: Path) -> None:
    file = tmp_path / "match.unoduo"
    ended = unoduo("play", "--variant", "official-leaning", "--limit-ms", "5000", "--replay", file)
    assert ended.code == 0
    assert "rules official-leaning, to 200 points; 5000 ms a decision; deal fresh" in unoduo("replay", "show", file).out


@contextmanager
def _playing(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Starts a match that does not end by itself; yields its process and the mark of all processes that it starts."""
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", "play", "--target", "1000000"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), MARK: mark},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process, mark
    finally:
        process.kill()
        process.communicate()
        for left in marked(mark):
            left.kill()


def _wait_for_first_round(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("round 1,"):
            return
    pytest.fail("the match did not begin")


def _bots(mark: str) -> list[psutil.Process]:
    return [process for process in marked(mark) if "unoduo_client" in process.cmdline()]


def test_bot_that_is_killed_is_named(tmp_path: Path) -> None:
    with _playing(tmp_path) as (process, mark):
        _wait_for_first_round(process)
        bots = _bots(mark)
        assert len(bots) == 2
        victim = next(bot for bot in bots if bot.cmdline()[-1] == "B")
        victim.kill()
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 1
        assert errors == "unoduo: bot B (random) died with signal SIGKILL\n"
        assert all_gone(mark, within_s=0)


async def test_last_words_of_a_bot_are_the_last_line_of_its_errors() -> None:
    async with running_bot("A", "dancer", ("dancer",), "no token") as bot:
        assert await bot.exit_code() == 2
    assert "invalid choice: 'dancer'" in bot.last_words()


_SIGNALS = pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)], ids=["int", "term", "hup"]
)


@_SIGNALS
@pytest.mark.parametrize("moment", [0.05, 0.3, 0.5, 0.7, 1.0])
def test_signal_leaves_no_process_behind(moment: float, number: signal.Signals, code: int, tmp_path: Path) -> None:
    _interrupt(moment, number, code, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(300)
@_SIGNALS
def test_signal_at_any_moment_leaves_no_process_behind(number: signal.Signals, code: int, tmp_path: Path) -> None:
    dice = random.Random(number)
    for _ in range(40):
        _interrupt(dice.uniform(0.0, 1.5), number, code, tmp_path)


def _interrupt(moment: float, number: signal.Signals, code: int, folder: Path) -> None:
    with _playing(folder) as (process, mark):
        time.sleep(moment)
        process.send_signal(number)
        _, errors = process.communicate(timeout=10)
        if "KeyboardInterrupt" in errors and ", in main\n" not in errors:
            # Python, or the module that holds `main`, had not come up yet.
            assert process.returncode in (1, -number)
        else:
            # Before the program has its handlers the signal ends the process as it ends any other.
            assert process.returncode in (code, -number)
            assert errors == ""
        assert all_gone(mark, within_s=0)
    assert list(folder.glob("replays/*")) == []


def test_signal_in_the_middle_of_a_match_is_answered_in_time(tmp_path: Path) -> None:
    with _playing(tmp_path) as (process, mark):
        _wait_for_first_round(process)
        bots = _bots(mark)
        assert len(bots) == 2
        # The keyboard of a terminal must reach the referee alone, which then ends its bots.
        assert all(os.getpgid(bot.pid) == bot.pid for bot in bots)
        before = time.monotonic()
        # As a terminal does it, to the whole group, and by an impatient user.
        for _ in range(10):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.01)
        _, errors = process.communicate(timeout=10)
        # At the very end of the interpreter its handlers are gone already.
        assert process.returncode in (130, -signal.SIGINT)
        assert time.monotonic() - before < 5
        assert errors == ""
        assert all_gone(mark, within_s=0)
        assert list((tmp_path / "replays").iterdir()) == []


def test_bots_end_by_themselves_when_the_referee_is_killed(tmp_path: Path) -> None:
    with _playing(tmp_path) as (process, mark):
        _wait_for_first_round(process)
        process.kill()
        process.communicate()
        assert all_gone(mark, within_s=10)


def test_replay_that_is_no_regular_file_is_refused_before_the_match(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ended = unoduo("play", "--replay", pipe)
    assert (ended.code, ended.out) == (2, "")
    assert ended.complaint() == f"cannot write {pipe}: it is no regular file"
    assert pipe.is_fifo()
