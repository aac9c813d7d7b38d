"""A network between clients and referee that does the harm that a test asks for: it cuts, delays and drops bytes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum

_CHUNK_BYTES = 16 * 1024


class Direction(Enum):
    """Tells where bytes go."""

    TO_REFEREE = 1
    TO_CLIENT = 2


@dataclass(frozen=True, slots=True)
class Cut:
    """Ends a connection both ways once exactly so many bytes went this way, 0 and up."""

    direction: Direction
    after_bytes: int


@dataclass(frozen=True, slots=True)
class Harm:
    """Holds what is done to one connection, by default nothing: where it is cut, by how much each chunk is late."""

    cut: Cut | None = None
    delay_s: float = 0.0


NO_HARM = Harm()


class Connection:
    """Is one connection through the proxy; `passed` counts the bytes that went each way."""

    def __init__(self, harm: Harm, client: asyncio.StreamWriter, referee: asyncio.StreamWriter) -> None:
        self.harm = harm
        self.passed = {Direction.TO_REFEREE: 0, Direction.TO_CLIENT: 0}
        self.is_cut = False
        self.is_dropping = False
        self._writers = {Direction.TO_REFEREE: referee, Direction.TO_CLIENT: client}

    def cut(self) -> None:
        """Ends it at once, both ways."""
        self.is_cut = True
        for writer in self._writers.values():
            writer.transport.abort()

    def drop(self) -> None:
        """Swallows all bytes of both directions from now on; neither end is told."""
        self.is_dropping = True

    async def carry(self, reader: asyncio.StreamReader, direction: Direction) -> None:
        """Carries bytes one way until their sender ends them or the connection is cut."""
        writer = self._writers[direction]
        try:
            while data := await reader.read(_CHUNK_BYTES):
                if self.harm.delay_s:
                    await asyncio.sleep(self.harm.delay_s)
                if not self.is_dropping and not self.is_cut:
                    await self._pass(data, direction, writer)
            if not self.is_dropping and not self.is_cut:
                writer.write_eof()
        except ConnectionError:
            self.cut()

    async def _pass(self, data: bytes, direction: Direction, writer: asyncio.StreamWriter) -> None:
        cut = self.harm.cut
        is_last = False
        if cut is not None and cut.direction is direction:
            left = cut.after_bytes - self.passed[direction]
            data, is_last = data[:left], left <= len(data)
        self.passed[direction] += len(data)
        writer.write(data)
        await writer.drain()
        if is_last:
            self.cut()


class Proxy:
    """Listens on `address`; what is done to a new connection is what `harm` says when it is made."""

    def __init__(self, host: str, port: int, harm: Callable[[], Harm]) -> None:
        self.connections: list[Connection] = []
        self.address = ""
        self._host = host
        self._port = port
        self._harm = harm
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def cuts(self) -> int:
        """Returns how many connections were cut."""
        return sum(connection.is_cut for connection in self.connections)

    def cut(self) -> None:
        """Cuts all connections that there are."""
        for connection in self.connections:
            connection.cut()

    def drop(self) -> None:
        """Swallows all that the connections that there are still carry."""
        for connection in self.connections:
            connection.drop()

    def accept(self, client_reader: asyncio.StreamReader, client_writer: asyncio.StreamWriter) -> None:
        """Takes a client."""
        task = asyncio.create_task(self._serve(client_reader, client_writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Ends all connections."""
        self.cut()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _serve(self, client_reader: asyncio.StreamReader, client_writer: asyncio.StreamWriter) -> None:
        try:
            referee_reader, referee_writer = await asyncio.open_connection(self._host, self._port)
        except OSError:
            client_writer.transport.abort()
            return
        connection = Connection(self._harm(), client_writer, referee_writer)
        self.connections.append(connection)
        await asyncio.gather(
            connection.carry(client_reader, Direction.TO_REFEREE),
            connection.carry(referee_reader, Direction.TO_CLIENT),
        )
        for writer in (client_writer, referee_writer):
            writer.transport.abort()


@asynccontextmanager
async def proxy(address: str, harm: Callable[[], Harm] = lambda: NO_HARM) -> AsyncIterator[Proxy]:
    """Stands before the server at `host:port` until the block ends."""
    host, _, port = address.rpartition(":")
    between = Proxy(host.strip("[]"), int(port), harm)
    server = await asyncio.start_server(between.accept, "127.0.0.1", 0)
    between.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield between
    finally:
        server.close()
        await between.close()
        await server.wait_closed()
