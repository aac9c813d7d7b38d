"""Nothing of a bot outlives its box, and what it may use is limited."""

import asyncio
import resource
import signal
import sys
from dataclasses import replace
from pathlib import Path
from secrets import token_hex

import pytest

from referee.arena.box import CANNOT_START, ENDED_BY_KEEPER, TOO_MANY
from referee.arena.boxes import BoxOrder, last_words, running_box
from referee.arena.descriptors import take_all_descriptors
from referee.arena.specification import BotLimits
from tests.arena.processes import marked, python, text_of, until, until_blocking

# A child that turns away from its parent as far as it can: twice forked, in a session of its own, deaf to SIGTERM.
_DAEMON = """
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.execl(sys.executable, sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1])
    os._exit(0)
"""


def order(tmp_path: Path, *command: str, **limits: int) -> BoxOrder:
    environment = {"PATH": "/usr/bin:/bin", "COLOR": "red"}
    return BoxOrder(command, environment, tmp_path, tmp_path / "log", BotLimits(**limits))


async def exit_code(wanted: BoxOrder) -> int:
    async with running_box(wanted) as box, asyncio.timeout(20):
        return await box.exit_code()


async def test_bot_runs_in_its_folder_with_its_environment_alone(tmp_path: Path) -> None:
    code = "import os; print(os.getcwd(), sorted(os.environ.items()))"
    assert await exit_code(order(tmp_path, *python(code))) == 0
    assert str(tmp_path) in text_of(tmp_path / "log")
    assert "('COLOR', 'red')" in text_of(tmp_path / "log")
    assert "HOME" not in text_of(tmp_path / "log")


@pytest.mark.parametrize(
    ("code", "expected"),
    [("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9)", 128 + signal.SIGKILL)],
)
async def test_exit_code_is_that_of_the_bot(tmp_path: Path, code: str, expected: int) -> None:
    assert await exit_code(order(tmp_path, *python(code))) == expected


async def test_bot_that_cannot_be_started_is_told(tmp_path: Path) -> None:
    assert await exit_code(order(tmp_path, "/no/such/bot")) == CANNOT_START
    assert "cannot be started" in last_words(tmp_path / "log")


async def test_log_has_both_outputs_up_to_its_limit_over_all_starts(tmp_path: Path) -> None:
    code = "import sys; print('out', flush=True); print('err', file=sys.stderr); print('x' * 100_000)"
    for _ in range(2):
        assert await exit_code(order(tmp_path, *python(code), log_kib=1)) == 0
    log = text_of(tmp_path / "log")
    assert log.startswith("out\nerr\nxxx")
    assert len(log) == 1024


async def test_bot_that_writes_for_ever_is_not_held_up(tmp_path: Path) -> None:
    code = "for _ in range(300): print('x' * 100_000)"
    assert await exit_code(order(tmp_path, *python(code), log_kib=1)) == 0


@pytest.mark.parametrize("then", ["", "time.sleep(600)"])
async def test_children_that_turn_away_end_with_the_box(tmp_path: Path, then: str) -> None:
    mark = token_hex(8)
    async with running_box(order(tmp_path, *python(_DAEMON + then), mark)) as box:
        await until(lambda: any("sleep(600)" in process.cmdline()[2] for process in marked(mark)))
        if not then:
            async with asyncio.timeout(20):
                assert await box.exit_code() == 0
            assert marked(mark) == []
    assert marked(mark) == []


async def test_bot_may_leave_in_order(tmp_path: Path) -> None:
    code = """
import signal, time
def leave(*_):
    print("goodbye", flush=True)
    raise SystemExit(3)
signal.signal(signal.SIGTERM, leave)
print("here", flush=True)
time.sleep(600)
"""
    async with running_box(order(tmp_path, *python(code))) as box:
        await until(lambda: "here" in text_of(tmp_path / "log"))
    assert last_words(tmp_path / "log") == "goodbye"
    assert await box.exit_code() == ENDED_BY_KEEPER


async def test_memory_of_a_bot_is_limited(tmp_path: Path) -> None:
    assert await exit_code(order(tmp_path, *python("bytearray(100 << 20)"), memory_mib=64)) == 1
    assert last_words(tmp_path / "log") == "MemoryError"


async def test_bot_is_ended_before_others_where_memory_is_short(tmp_path: Path) -> None:
    await exit_code(order(tmp_path, "cat", "/proc/self/oom_score_adj"))
    assert text_of(tmp_path / "log") == "1000\n"


async def test_bot_has_no_more_open_files_than_is_usual(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    take_all_descriptors()
    try:
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
        await exit_code(order(tmp_path, "sh", "-c", "ulimit -Sn; ulimit -Hn"))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert text_of(tmp_path / "log") == "1024\n1024\n"


async def test_bot_with_too_many_processes_is_ended(tmp_path: Path) -> None:
    mark = token_hex(8)
    code = "import os, time\nfor _ in range(20): os.fork() or time.sleep(600)\ntime.sleep(600)"
    assert await exit_code(order(tmp_path, *python(code), mark, processes=10)) == TOO_MANY
    assert marked(mark) == []
    assert last_words(tmp_path / "log") == "[ended: more than 10 processes]"


async def test_box_ends_when_its_runner_is_killed(tmp_path: Path) -> None:
    mark = token_hex(8)
    wanted = replace(order(tmp_path, *python(_DAEMON + "time.sleep(600)"), mark))
    code = f"""
import asyncio
from pathlib import Path, PosixPath
from referee.arena.boxes import BoxOrder, running_box
from referee.arena.specification import BotLimits
async def run():
    async with running_box({wanted!r}):
        await asyncio.sleep(600)
asyncio.run(run())
"""
    runner = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    try:
        await until(lambda: len(marked(mark)) >= 2)
    finally:
        runner.kill()
        await runner.wait()
    until_blocking(lambda: marked(mark) == [], "the end of all that the bot had started")


async def test_cancellation_waits_for_the_end_of_the_box(tmp_path: Path) -> None:
    mark = token_hex(8)
    code = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('here', flush=True); time.sleep(600)"
    )
    leaving = asyncio.Event()

    async def run() -> None:
        async with running_box(order(tmp_path, *python(code), mark)):
            await until(lambda: "here" in text_of(tmp_path / "log"))
            leaving.set()

    task = asyncio.create_task(run())
    await leaving.wait()
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert marked(mark) == []
