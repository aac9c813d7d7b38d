"""A referee that signs: headers name its key, results and index carry signatures, and nothing else changes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path

import grpc
import pytest
from unoduo.v1 import log_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.audit.signatures import SigningKey, is_signed
from referee.log.file_format import SealPart, read_parts
from referee.log.heads import header_head
from referee.log.seal import checkpoint_bytes, result_bytes
from referee.server.runtime import serve
from referee.store.sqlite import SqliteStore
from tests.server.wire import Referee


@asynccontextmanager
async def signing(directory: Path, signer: SigningKey | None) -> AsyncIterator[Referee]:
    async with (
        serve(SqliteStore(directory), signer=signer) as running,
        grpc.aio.insecure_channel(running.address) as channel,
    ):
        yield Referee(running, channel)


async def seal_of(host: Referee, match_id: bytes) -> log_pb2.Seal:
    parts = read_parts(BytesIO(await host.replay(match_id)))
    (seal,) = (part.data for part in parts if isinstance(part, SealPart))
    return log_pb2.Seal.FromString(seal)


async def test_result_is_signed_and_told_with_its_signature_ever_after(tmp_path: Path) -> None:
    key = SigningKey.generate()
    async with signing(tmp_path, key) as host:
        match = await host.create()
        assert log_pb2.Header.FromString(match.header).key_id == key.key_id
        session = host.session()
        handle = await session.join(match, 1)
        await host.stub.VoidMatch(pb.VoidMatchRequest(match_id=match.match_id))
        ended = await session.until("ended", handle)
        result = result_bytes(
            match.number, header_head(match.header), ended.head, ended.outcome.SerializeToString(deterministic=True)
        )
        assert is_signed(key.public, ended.signature, result)
        assert (await seal_of(host, match.match_id)).signature == ended.signature
        again = host.session()
        assert await again.until("ended", await again.join(match, 2)) == ended
    async with signing(tmp_path, None) as host:
        later = host.session()
        assert await later.until("ended", await later.join(match, 1)) == ended


async def test_index_is_signed_as_of_the_last_record_of_a_page(tmp_path: Path) -> None:
    key = SigningKey.generate()
    async with signing(tmp_path, key) as host:
        for _ in range(3):
            await host.create()
        for after, size, place in ((0, 0, 3), (0, 2, 2), (1, 1, 2), (9, 0, 3)):
            page = await host.stub.GetIndex(pb.GetIndexRequest(after=after, page_size=size))
            assert is_signed(key.public, page.signature, checkpoint_bytes(place, page.head))
            assert not is_signed(key.public, page.signature, checkpoint_bytes(place + 1, page.head))


@pytest.mark.parametrize("later", [None, SigningKey.generate()])
async def test_match_made_under_another_key_is_sealed_without_a_signature(
    tmp_path: Path, later: SigningKey | None
) -> None:
    async with signing(tmp_path, SigningKey.generate()) as host:
        match = await host.create()
    async with signing(tmp_path, later) as host:
        await host.stub.VoidMatch(pb.VoidMatchRequest(match_id=match.match_id))
        assert (await seal_of(host, match.match_id)).signature == b""


async def test_without_a_key_nothing_is_signed(tmp_path: Path) -> None:
    async with signing(tmp_path, None) as host:
        match = await host.create()
        assert log_pb2.Header.FromString(match.header).key_id == b""
        await host.stub.VoidMatch(pb.VoidMatchRequest(match_id=match.match_id))
        assert (await seal_of(host, match.match_id)).signature == b""
        assert (await host.stub.GetIndex(pb.GetIndexRequest())).signature == b""
