import io
import resource
import stat
from pathlib import Path

import pytest
from unoduo.v1 import journal_pb2, match_pb2, seat_pb2, session_pb2
from unoduo_client import ClientError, EntropyMissing, JournalError, ProblemError, connect, play_seat
from unoduo_client.conversation import Conversation
from unoduo_client.journal import JournalWriter

from referee.log.journal import read_records
from tests.clients import scripted as referee
from tests.clients.scripted import MATCH_ID, Peer, scripted


def records(path: Path) -> list[journal_pb2.JournalRecord]:
    """Returns what a journal holds, as an auditor reads it."""
    return [journal_pb2.JournalRecord.FromString(data) for data in read_records(io.BytesIO(path.read_bytes()))]


def test_journal_is_for_its_owner_alone(tmp_path: Path) -> None:
    with JournalWriter(tmp_path / "a.journal") as journal:
        assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600


def test_record_that_is_not_written_whole_is_an_error(tmp_path: Path) -> None:
    item = session_pb2.ResponseItem(joined=session_pb2.Joined(header=bytes(100)))
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    with JournalWriter(tmp_path / "a.journal") as journal:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50, usual[1]))
        try:
            with pytest.raises(OSError, match="too large"):
                journal.record(item)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert journal.path.stat().st_size == 50


async def test_journal_holds_what_the_seat_saw_and_said(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, referee.decision()))
        await peer.send(referee.rejected(await peer.expect("action"), 1))
        await peer.send(referee.accepted(await peer.expect("action")), referee.ended(handle))
        await peer.wait_for_the_end()

    path = tmp_path / "a.journal"
    async with scripted(script) as address, connect(address) as session:
        seat = await session.join(MATCH_ID, seat_pb2.SEAT_A, journal=path)
        ended = await play_seat(seat, lambda observation: observation.decision.legal[1])
    kept = records(path)
    kinds = [record.WhichOneof("kind") for record in kept]
    answers = ["action", "action_result"]
    assert kinds == ["joined", "ready", "ready_accepted", "observation", *answers, *answers, "ended"]
    assert kept[0].joined.header == referee.header(seat.header.deal_mode)
    assert kept[1].ready.h0 == seat.h0
    assert kept[3].observation == referee.decision()
    assert [kept[number].action.action_id for number in (4, 6)] == ["1", "2"]
    assert kept[5].action_result.rejected.clause == "R13.3"
    assert kept[8].ended == ended


async def test_journal_holds_that_the_seat_resigned_once_however_often_it_is_said(tmp_path: Path) -> None:
    async def cut(peer: Peer) -> None:
        await peer.play()
        await peer.expect("resign")

    async def end(peer: Peer) -> None:
        await peer.greet()
        handle = await peer.seat()
        await peer.expect("resign")
        await peer.send(referee.ended(handle))
        await peer.wait_for_the_end()

    path = tmp_path / "a.journal"
    async with scripted(referee.in_turn(cut, end)) as address, connect(address) as session:
        seat = await session.join(MATCH_ID, seat_pb2.SEAT_A, journal=path)
        await seat.ready()
        await seat.resign()
    kinds = [record.WhichOneof("kind") for record in records(path)]
    assert kinds == ["joined", "ready", "ready_accepted", "resign", "ended"]


async def test_join_refuses_to_overwrite_a_journal(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.wait_for_the_end()

    path = tmp_path / "a.journal"
    path.write_bytes(b"evidence")
    async with scripted(script) as address, connect(address) as session:
        with pytest.raises(FileExistsError):
            await session.join(MATCH_ID, seat_pb2.SEAT_A, journal=path)
    assert path.read_bytes() == b"evidence"


async def test_journal_of_a_refused_join_is_whole(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.send(referee.problem((await peer.expect("join")).handle))
        await peer.wait_for_the_end()

    refused, unsent = tmp_path / "refused.journal", tmp_path / "unsent.journal"
    async with scripted(script) as address, connect(address) as session:
        with pytest.raises(ProblemError):
            await session.join(MATCH_ID, seat_pb2.SEAT_A, journal=refused)
        with pytest.raises(ClientError, match="larger than"):
            await session.join(MATCH_ID, seat_pb2.SEAT_A, token="x" * 65536, journal=unsent)
    assert records(refused) == records(unsent) == []


async def test_journal_ends_where_the_seat_refuses_the_deal(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        first, second = await peer.seat(match_pb2.DEAL_MODE_FRESH), await peer.seat()
        await peer.expect("ready")
        await peer.send(referee.ready_accepted(first), referee.observed(first, referee.deal_sealed(b"", b"")))
        assert (await peer.expect("ready")).handle == second
        await peer.send(referee.observed(first, referee.decision()), referee.ready_accepted(second))
        await peer.wait_for_the_end()

    path = tmp_path / "a.journal"
    async with scripted(script) as address, connect(address) as session:
        seat = await session.join(MATCH_ID, seat_pb2.SEAT_A, journal=path)
        other_seat = await session.join(MATCH_ID, seat_pb2.SEAT_B)
        with pytest.raises(EntropyMissing):
            await play_seat(seat, lambda observation: observation.decision.legal[0])
        await other_seat.ready()
    kinds = [record.WhichOneof("kind") for record in records(path)]
    assert kinds == ["joined", "ready", "ready_accepted", "observation"]


async def test_a_journal_that_cannot_be_written_ends_the_conversation(tmp_path: Path) -> None:
    class FullDisk(JournalWriter):
        def record(self, item: object) -> None:
            raise OSError("no space left on device")

    conversation = Conversation(session_pb2.Join(), FullDisk(tmp_path / "a.journal"))
    conversation.deliver(referee.observed(1, referee.decision()))
    with pytest.raises(JournalError, match="no space left"):
        await anext(aiter(conversation.observations()))
    with pytest.raises(JournalError):
        await conversation.ask(session_pb2.RequestItem(ready=session_pb2.Ready()))
