"""The proxy does the harm that it is told, and no other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from tests.faults.proxy import NO_HARM, Cut, Direction, Harm, Proxy, proxy

PATIENCE_S = 10
DATA = Random(1).randbytes(100_000)


class _Server:
    """A server that keeps what it is sent, and answers with the same unless it has to say something of its own."""

    def __init__(self, says: bytes | None = None) -> None:
        self.received = bytearray()
        self.ended = asyncio.Event()
        self._says = says

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(self._says or b"")
            while data := await reader.read(1_000):
                self.received += data
                writer.write(data if self._says is None else b"")
                await writer.drain()
        except ConnectionError:
            pass
        writer.close()
        self.ended.set()


@asynccontextmanager
async def _between(*harms: Harm, says: bytes | None = None) -> AsyncIterator[tuple[_Server, Proxy]]:
    """Yields a server and a proxy before it whose first connections suffer these harms."""
    behind, left = _Server(says), iter(harms)
    server = await asyncio.start_server(behind, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with asyncio.timeout(PATIENCE_S), proxy(f"127.0.0.1:{port}", lambda: next(left, NO_HARM)) as between:
        yield behind, between
    server.close()
    await server.wait_closed()


async def _connect(between: Proxy) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = between.address.split(":")
    return await asyncio.open_connection(host, int(port))


async def _read_all(reader: asyncio.StreamReader) -> bytes:
    data = b""
    try:
        while part := await reader.read(10_000):
            data += part
    except ConnectionError:
        pass
    return data


async def _exchange(between: Proxy) -> bytes:
    """Sends the data, and returns all that comes back until the end, whatever the end is."""
    reader, writer = await _connect(between)
    reading = asyncio.create_task(_read_all(reader))
    try:
        writer.write(DATA)
        await writer.drain()
        writer.write_eof()
    except ConnectionError:
        pass
    data = await reading
    writer.close()
    return data


async def test_harmless_connection_carries_every_byte_and_the_end() -> None:
    async with _between() as (behind, between):
        assert await _exchange(between) == DATA == behind.received
        await behind.ended.wait()
        assert between.cuts == 0
        assert between.connections[0].passed == dict.fromkeys(Direction, len(DATA))


@pytest.mark.parametrize("after", [0, 1, 137, 16 * 1024, 16 * 1024 + 1, 99_999])
async def test_connection_is_cut_behind_the_very_byte(after: int) -> None:
    async with _between(Harm(cut=Cut(Direction.TO_REFEREE, after)), says=b"") as (behind, between):
        assert await _exchange(between) == b""
        await behind.ended.wait()
        assert behind.received == DATA[:after]
        assert between.cuts == 1
    async with _between(Harm(cut=Cut(Direction.TO_CLIENT, after)), says=DATA) as (_, between):
        reader, writer = await _connect(between)
        assert await _read_all(reader) == DATA[:after]
        assert between.cuts == 1
        writer.close()


async def test_next_connection_after_a_cut_suffers_its_own_harm() -> None:
    async with _between(Harm(cut=Cut(Direction.TO_CLIENT, 5)), says=DATA) as (_, between):
        for expected in (DATA[:5], DATA):
            reader, writer = await _connect(between)
            writer.write_eof()
            assert await _read_all(reader) == expected
            writer.close()


async def test_all_connections_can_be_cut_at_once() -> None:
    async with _between() as (_, between):
        pairs = [await _connect(between) for _ in range(3)]
        for reader, writer in pairs:
            writer.write(b"x")
            assert await reader.read(1) == b"x"
        between.cut()
        for reader, writer in pairs:
            assert await _read_all(reader) == b""
            writer.close()


async def test_delayed_bytes_come_late_and_whole() -> None:
    async with _between(Harm(delay_s=0.05)) as (_, between):
        reader, writer = await _connect(between)
        start = asyncio.get_running_loop().time()
        writer.write(b"abc")
        assert await reader.readexactly(3) == b"abc"
        # Late on the way there and on the way back.
        assert asyncio.get_running_loop().time() - start >= 0.1
        writer.close()


async def test_dropped_bytes_are_gone_and_nobody_is_told() -> None:
    async with _between() as (behind, between):
        reader, writer = await _connect(between)
        writer.write(b"abc")
        assert await reader.readexactly(3) == b"abc"
        between.drop()
        writer.write(b"def")
        await writer.drain()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.1)
        assert behind.received == b"abc"
        assert not behind.ended.is_set()
        assert between.cuts == 0
        writer.close()


async def test_client_of_a_server_that_is_not_there_is_turned_away() -> None:
    async with _between() as (_, between):
        pass
    async with proxy(between.address) as orphan:
        reader, writer = await _connect(orphan)
        assert await _read_all(reader) == b""
        writer.close()
