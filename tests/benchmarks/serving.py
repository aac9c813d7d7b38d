"""A server in a process of its own, for the load of a benchmark: `python -m tests.benchmarks.serving KIND`.

Kinds: `memory` and `sqlite` are the referee over that store; `bare SIZE` is a grpc.aio server that does nothing but
push SIZE bytes to both streams of a pair for each message that it gets from one of them: the transport alone.
It prints its port and serves until its standard input ends. It answers each line there with a line: `commits` with how
often the store has committed, `profile` by beginning to sample itself, `profiled` with what was found since.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc

from referee.server.limits import Limits
from referee.server.runtime import serve
from referee.store.base import Done, Store
from referee.store.memory import MemoryStore
from referee.store.sqlite import SqliteStore
from tests.benchmarks.sampling import Sampler

BARE_METHOD = "/bare.Bare/Pair"
YOUR_TURN = b"\x01"
NOT_YOUR_TURN = b"\x00"

_Context = grpc.aio.ServicerContext[bytes, bytes]


class _Stream:
    """Is one stream of a pair; a stream takes one write at a time."""

    def __init__(self, context: _Context) -> None:
        self._context = context
        self._lock = asyncio.Lock()

    async def push(self, message: bytes) -> None:
        async with self._lock:
            await self._context.write(message)


class _Bare:
    """Pairs streams in the order in which they come."""

    def __init__(self, size: int) -> None:
        self._padding = bytes(size - 1)
        self._first: tuple[_Stream, asyncio.Future[_Stream]] | None = None

    async def pair(self, requests: AsyncIterator[bytes], context: _Context) -> None:
        own = _Stream(context)
        if self._first is None:
            partner: asyncio.Future[_Stream] = asyncio.get_running_loop().create_future()
            self._first = own, partner
            other = await partner
            await own.push(YOUR_TURN + self._padding)
        else:
            other, partner = self._first
            self._first = None
            partner.set_result(own)
        async for _ in requests:
            await own.push(NOT_YOUR_TURN + self._padding)
            await other.push(YOUR_TURN + self._padding)


class _CountedStore(SqliteStore):
    """Counts its commits: what is appended in one pass of the loop is committed together."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.commits = 0
        self._in_group = False

    def append(self, number: int, index: int, head: bytes, data: bytes, done: Done) -> None:
        if not self._in_group:
            self._in_group = True
            self.commits += 1
            asyncio.get_running_loop().call_soon(self._end_group)
        super().append(number, index, head, data, done)

    def _end_group(self) -> None:
        self._in_group = False


async def _serve_bare(size: int) -> None:
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(_Bare(size).pair)
    service, name = BARE_METHOD.strip("/").split("/")
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {name: method}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    await _answer_until_input_ends(port, lambda: 0)
    await server.stop(0)


async def _serve_referee(store: Store, commits: Callable[[], int] = lambda: 0) -> None:
    async with serve(store, limits=Limits(drain_grace_ms=0)) as running:
        await _answer_until_input_ends(running.port, commits)


async def _answer_until_input_ends(port: int, commits: Callable[[], int]) -> None:
    sampler = Sampler()
    print(port, flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        if line == "commits\n":
            print(commits(), flush=True)
        elif line == "profile\n":
            sampler.start()
            print("ok", flush=True)
        else:
            print(sampler.stop().to_json(), flush=True)


def main() -> None:
    """Serves what the arguments name."""
    kind = sys.argv[1]
    if kind == "bare":
        asyncio.run(_serve_bare(int(sys.argv[2])))
    elif kind == "memory":
        asyncio.run(_serve_referee(MemoryStore()))
    else:
        with tempfile.TemporaryDirectory() as folder:
            store = _CountedStore(Path(folder) / "store")
            asyncio.run(_serve_referee(store, lambda: store.commits))


if __name__ == "__main__":
    main()
