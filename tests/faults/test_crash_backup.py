"""A referee that is started from a backup goes on with none of the matches in it that had no end: they had gone on."""

import asyncio
import shutil
import signal
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import grpc.aio
from unoduo.v1 import match_pb2, session_pb2
from unoduo.v1.outcome_pb2 import TERMINATION_VOID_REFEREE
from unoduo.v1.referee_service_pb2_grpc import RefereeServiceStub
from unoduo_client.organiser import Organiser

from referee.audit.report import Status
from referee.audit.verify import verify
from referee.log.file_format import EntryPart, read_parts
from tests.faults.crash_points import Plan, Point
from tests.faults.journal import MatchJournal
from tests.faults.journal_store import compare_index, unfinished
from tests.faults.kill_course import course
from tests.faults.kill_players import PlayedSeat, Whereabouts
from tests.faults.launcher import launched, serving

PATIENCE_S = 100
MATCHES = 6


async def test_matches_of_a_backup_end_void_and_new_ones_are_played(tmp_path: Path) -> None:
    store, backup = tmp_path / "store", tmp_path / "backup"
    async with asyncio.timeout(PATIENCE_S):
        journals = await _play_on_behind_a_backup(store, backup)
        void = [match_id for match_id in await unfinished(backup) if match_id in journals]
        assert len(void) > MATCHES // 2
        for file in store.glob("referee.db*"):
            file.unlink()
        shutil.copy(backup / "referee.db", store)

        # One that dies while it voids them leaves the rest to the next.
        async with launched(store, Plan(Point.READING_SECRETS, 3)) as process:
            assert not await process.serving()
            assert await process.ended() == -signal.SIGKILL
        whereabouts = Whereabouts()
        async with serving(store) as process:
            forked = sum([await _forked_seats(process.address, journals[match_id]) for match_id in void])
            assert forked >= len(void)
            whereabouts.moved(process.address)
            async with course(whereabouts, 2) as later:
                await later.see_the_end()
                assert later.findings == []
            process.terminate()
            assert await process.ended() == 0
        assert await compare_index(store) == []


async def _play_on_behind_a_backup(store: Path, backup: Path) -> dict[bytes, MatchJournal]:
    """Plays, copies the store, plays on; returns the journals, as they are then, of the matches open at the copy."""
    whereabouts = Whereabouts()
    async with course(whereabouts, MATCHES) as played:
        await _play(store, whereabouts, lambda: played.actions > 600)
        shutil.copytree(store, backup)
        journals = {journal.match_id: journal for journal in played.open.values()}
        # Only what begins or ends moves the index, by which a backup is told.
        over, actions = len(played.replays), played.actions
        await _play(store, whereabouts, lambda: len(played.replays) > over and played.actions > actions + 600)
        assert played.findings == []
        return journals


async def _play(store: Path, whereabouts: Whereabouts, is_enough: Callable[[], bool]) -> None:
    """Lets one process live until that is enough."""
    async with serving(store) as process:
        whereabouts.moved(process.address)
        while await process.lives_for(0.01) and not is_enough():
            pass
        whereabouts.gone()
        process.terminate()
        assert await process.ended() == 0


async def _forked_seats(address: str, journal: MatchJournal) -> int:
    """Checks that a match has ended void; returns how many of its seats know more than is left, and are told so."""
    async with Organiser(address) as organiser:
        summary = await organiser.get_match(journal.match_id)
        assert summary.lifecycle == match_pb2.LIFECYCLE_ENDED
        assert summary.outcome.termination == TERMINATION_VOID_REFEREE
        replay = await organiser.fetch_replay(journal.match_id)
    assert verify(BytesIO(replay)).status is Status.OK
    heads = {part.head for part in read_parts(BytesIO(replay)) if isinstance(part, EntryPart)}
    forked = 0
    for seat in journal.seats:
        answer = await _join_again(address, PlayedSeat(journal.created, seat, Random()))
        if seat.head in heads:
            assert answer.HasField("joined"), answer
        else:
            assert answer.problem.reason == "FORKED", answer
            forked += 1
    return forked


async def _join_again(address: str, seat: PlayedSeat) -> session_pb2.ResponseItem:
    """Returns what a seat is answered that joins behind the last event that it knows."""
    item = seat.join()
    item.handle = 1
    async with grpc.aio.insecure_channel(address) as channel:
        stub: Any = RefereeServiceStub(channel)
        call = stub.Play()
        await call.write(session_pb2.PlayRequest(items=[item]))
        response: session_pb2.PlayResponse = await call.read()
        call.cancel()
        return response.items[0]
