"""Journals that bots keep without being asked, and that they hold against the replay of a real match."""

import asyncio
import io
import stat
import sys
from pathlib import Path

import pytest
from unoduo.v1.seat_pb2 import SEAT_A
from unoduo_client import Organiser
from unoduo_client.keeping import default_directory, new_journal

from referee.audit.report import Status
from referee.audit.verify import Evidence, verify
from referee.server.runtime import serve
from referee.store.memory import MemoryStore
from tests.clients.scripted import scripted
from tests.clients.test_program import BASELINE, one_decision, run
from tests.clients.test_real_outages import ONE_ROUND


def test_directory_is_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_directory() == tmp_path / "unoduo" / "journals"
    assert stat.S_IMODE(default_directory().stat().st_mode) == 0o700
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert default_directory() == tmp_path / "home" / ".local" / "state" / "unoduo" / "journals"


def test_directory_of_journals_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    new_journal(tmp_path / "kept", b"\1", SEAT_A)
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o700


def test_new_journal_is_no_file_that_is_there(tmp_path: Path) -> None:
    first = new_journal(tmp_path, b"\1", SEAT_A)
    first.touch()
    assert [first.name, new_journal(tmp_path, b"\1", SEAT_A).name] == ["01-A-1.journal", "01-A-2.journal"]


@pytest.mark.parametrize("kept", [True, False])
async def test_bots_keep_journals_unless_told_not_to(
    kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with serve(MemoryStore()) as running, Organiser(running.address) as organiser:
        match = await organiser.create_match(["Ann", "Bob"], ruleset=ONE_ROUND)
        where = ("--address", running.address, "--match", match.match_id.hex(), *(() if kept else ("--no-journal",)))
        bots = [
            await _start(*BASELINE, *where, "--seat", seat, "--token", token)
            for seat, token in zip("AB", match.seat_tokens, strict=True)
        ]
        assert await asyncio.gather(*(bot.wait() for bot in bots)) == [0, 0]
        replay = await organiser.fetch_replay(match.match_id)
    directory = tmp_path / "unoduo" / "journals"
    assert directory.exists() == kept
    if kept:
        names = [f"{match.match_id.hex()}-{seat}-1.journal" for seat in "AB"]
        journals = tuple(io.BytesIO((directory / name).read_bytes()) for name in names)
        report = verify(io.BytesIO(replay), Evidence(journals=journals))
        assert report.status is Status.OK, report


async def test_bot_plays_on_where_no_journal_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(file))
    async with scripted(one_decision) as address:
        code, out, err = await run(BASELINE, address)
    assert (code, out.count("\n")) == (0, 1)
    assert "no journal is kept: " in err


async def _start(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=asyncio.subprocess.DEVNULL)
