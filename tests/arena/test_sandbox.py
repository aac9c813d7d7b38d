"""What a boxed bot can reach; skipped where bubblewrap is missing or may not work."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from referee.arena.boxes import BoxOrder, running_box
from referee.arena.sandbox import Bubblewrap, works
from referee.arena.specification import BotLimits
from tests.arena.cups import cup, row, run
from tests.arena.processes import text_of


@pytest.fixture
async def program() -> str:
    found = shutil.which("bwrap")
    if found is None or not await works(found):
        pytest.skip("bubblewrap does not work here")
    return found


async def test_program_that_is_no_sandbox_does_not_work() -> None:
    assert not await works("false")


async def test_tournament_of_boxed_bots_is_marked_so(tmp_path: Path, program: str) -> None:
    standings = await run(cup(tmp_path, "greedy", "random", pairs=2))
    assert standings["lanes"] == "boxed"
    assert row(standings, "0 greedy")["faults"]["total"] == row(standings, "1 random")["faults"]["total"] == 0


async def test_sandbox_can_be_left_out(tmp_path: Path, program: str) -> None:
    assert (await run(cup(tmp_path, "greedy", "random", pairs=1, sandbox=False)))["lanes"] == "on honour"


async def test_boxed_bot_reaches_its_folder_and_the_referee_alone(tmp_path: Path, program: str) -> None:
    hidden, own, seed = tmp_path / "cup", tmp_path / "cup" / "own", tmp_path / "cup.seed"
    own.mkdir(parents=True)
    seed.write_text("secret")
    for file in (hidden / "replay", tmp_path / "bot.txt"):
        file.write_text("text\n")

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        writer.close()

    referee = await asyncio.start_server(answer, "127.0.0.1", 0)
    other = await asyncio.start_server(answer, "127.0.0.1", 0)
    port, other_port = (server.sockets[0].getsockname()[1] for server in (referee, other))
    # Each line tells what was reached.
    script = f"""
cat {seed} {hidden}/replay {tmp_path}/bot.txt
touch {tmp_path}/new && echo wrote outside
touch {own}/new && echo wrote inside
exec 3<>/dev/tcp/127.0.0.1/{port} && echo hello >&3 && cat <&3
(exec 4<>/dev/tcp/127.0.0.1/{other_port}) && echo reached another port
kill -0 {os.getpid()} && echo saw the runner
exit 7
"""
    order = BoxOrder(("bash", "-c", script), {"PATH": "/usr/bin:/bin"}, own, tmp_path / "log", BotLimits())
    async with (
        referee,
        other,
        Bubblewrap(program, port, tmp_path, hidden, seed).around(order) as boxed,
        running_box(boxed) as box,
        asyncio.timeout(20),
    ):
        assert await box.exit_code() == 7
    told = [line for line in text_of(tmp_path / "log").splitlines() if ": " not in line]
    assert told == ["text", "wrote inside", "hello"]
    assert (own / "new").exists()


async def test_boxed_bot_sees_the_packages_of_this_python_wherever_they_are(
    tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / name for name in ("packages", "shown", "hidden", "own")]
    for folder in folders:
        folder.mkdir()
    packages, shown, hidden, own = folders
    (packages / "bot.py").write_text("text\n")
    monkeypatch.syspath_prepend(packages)
    order = BoxOrder(("cat", str(packages / "bot.py")), {"PATH": "/usr/bin:/bin"}, own, tmp_path / "log", BotLimits())
    async with (
        Bubblewrap(program, 1, shown, hidden, tmp_path / "seed").around(order) as boxed,
        running_box(boxed) as box,
        asyncio.timeout(20),
    ):
        assert await box.exit_code() == 0
    assert text_of(tmp_path / "log") == "text\n"
