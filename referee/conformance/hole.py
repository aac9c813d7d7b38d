"""A network between client and front that can swallow all bytes, so that neither end is told."""

from __future__ import annotations

import asyncio
from contextlib import suppress

_CHUNK_BYTES = 16 * 1024


class Hole:
    """Carries connections to a port of this machine, and from `swallow` on nothing of those that there are then."""

    def __init__(self) -> None:
        self.port = 0
        self._target = 0
        self._generation = 0
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, target: int) -> None:
        """Begins to listen before that port."""
        self._target = target
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def swallow(self) -> None:
        """Loses what the present connections carry from now on; new ones are carried."""
        self._generation += 1

    async def close(self) -> None:
        """Ends all connections."""
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
            try:
                await asyncio.gather(self._carry(reader, far_writer), self._carry(far_reader, writer))
            finally:
                far_writer.transport.abort()
        writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        generation = self._generation
        while data := await reader.read(_CHUNK_BYTES):
            if generation == self._generation:
                writer.write(data)
                await writer.drain()
        if generation == self._generation and writer.can_write_eof():
            writer.write_eof()
