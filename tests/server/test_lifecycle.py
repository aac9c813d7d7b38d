"""Matches that the organiser declares void, the index, and a referee that goes down and comes again."""

from itertools import accumulate
from pathlib import Path
from typing import Any

import grpc
import pytest
from unoduo.v1 import match_pb2, outcome_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import session_pb2 as session_messages

from referee.log.heads import index_head
from referee.server.runtime import serve
from referee.store.sqlite import SqliteStore
from tests.server.wire import Item, Referee, action_item, info_of, referee


async def _refused(call: Any) -> tuple[grpc.StatusCode, str, str]:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    info = info_of(error.value)
    return error.value.code(), info.reason, info.metadata.get("field", "")


async def test_void_match_is_told_to_its_seats_and_stays_void() -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session()
        handle = await session.join(match, 1)
        request = pb.VoidMatchRequest(match_id=match.match_id, reason="rain " * 40)
        voided = await host.stub.VoidMatch(request)
        assert voided.match.lifecycle == match_pb2.LIFECYCLE_ENDED
        assert voided.match.outcome.termination == outcome_pb2.TERMINATION_VOID_ORGANISER
        assert voided.match.replay_available
        ended = await session.until("ended", handle)
        assert ended.outcome == voided.match.outcome
        refusal = (grpc.StatusCode.FAILED_PRECONDITION, "MATCH_ENDED", "")
        assert await _refused(host.stub.VoidMatch(request)) == refusal
        request.reason += "x"
        refusal = (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", "reason")
        assert await _refused(host.stub.VoidMatch(request)) == refusal
        again = await host.create(replaces_number=match.number)
        assert again.number == match.number + 1


async def test_index_is_a_chain_that_is_read_in_pages() -> None:
    async with referee() as host:
        for _ in range(2):
            match = await host.create()
            await host.stub.VoidMatch(pb.VoidMatchRequest(match_id=match.match_id))
        whole = await host.stub.GetIndex(pb.GetIndexRequest())
        assert (len(whole.records), whole.total, whole.signature) == (4, 4, b"")
        heads = list(accumulate(whole.records, index_head, initial=bytes(32)))
        assert whole.head == heads[-1]
        page = await host.stub.GetIndex(pb.GetIndexRequest(after=1, page_size=2))
        assert (list(page.records), page.head, page.total) == (list(whole.records[1:3]), heads[3], 4)
        behind = await host.stub.GetIndex(pb.GetIndexRequest(after=9))
        assert (list(behind.records), behind.head, behind.total) == ([], heads[-1], 4)
        refusal = (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", "page_size")
        assert await _refused(host.stub.GetIndex(pb.GetIndexRequest(page_size=1_001))) == refusal


async def test_match_goes_on_at_the_next_referee(tmp_path: Path) -> None:
    async with serve(SqliteStore(tmp_path)) as running, grpc.aio.insecure_channel(running.address) as channel:
        host = Referee(running, channel)
        match = await host.create(seed=bytes(32))
        sessions = {seat: host.session() for seat in (1, 2)}
        handles = {seat: await sessions[seat].join(match, seat) for seat in (1, 2)}
        for seat in (1, 2):
            await sessions[seat].ready(handles[seat], match)
        told = {seat: await sessions[seat].until("observation", handles[seat]) for seat in (1, 2)}
        (asked,) = (seat for seat in (1, 2) if told[seat].HasField("decision"))
    async with serve(SqliteStore(tmp_path)) as running, grpc.aio.insecure_channel(running.address) as channel:
        host = Referee(running, channel)
        session, seen = host.session(), told[asked]
        handle = await session.join(match, asked)
        shown = await session.until("observation", handle)
        assert (shown.sequence, shown.head, shown.view) == (seen.sequence, seen.head, seen.view)
        assert not shown.HasField("decision")
        await session.send(action_item(handle, seen.decision.decision_id, seen.decision.legal[0]))
        assert (await session.until("problem", handle)).reason == "MATCH_FROZEN"
        other = host.session()
        rival = await other.join(match, 3 - asked)
        resumed = await session.until("observation", handle)
        assert [event.event.WhichOneof("kind") for event in resumed.events] == ["resumed"]
        assert resumed.decision.decision_id == seen.decision.decision_id
        await other.send(Item(handle=rival, resign=session_messages.Resign()))
        assert (await session.until("ended", handle)).outcome.termination == outcome_pb2.TERMINATION_RESIGNATION
