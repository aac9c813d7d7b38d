"""A referee of a recorded version: it expects what was said then from a client of today, and answers as it did."""

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import grpc.aio

from tests.versions.between import OPTIONS, Context
from tests.versions.facts import plain
from tests.versions.recording import Call, Recording

PATIENCE_S = 60.0  # hang guard
# Names that a client chooses.
_CHOSEN = ("handle", "action_id")


class Unexpected(Exception):
    """Reports what a client did not say then."""


class OldReferee(grpc.GenericRpcHandler):
    """Answers the calls of a recording in their order; what a client said wrong is in `failures`."""

    def __init__(self, recording: Recording) -> None:
        self.failures: list[str] = []
        self._recording = recording
        self._calls: dict[str, deque[Call]] = defaultdict(deque)
        for call in recording.calls:
            self._calls[call.method].append(call)

    @property
    def left(self) -> int:
        """Returns how many calls were not made."""
        return sum(map(len, self._calls.values()))

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        """Handles every method."""
        method = handler_call_details.method.rpartition("/")[2]

        async def answer(requests: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    async for data in self._answer(method, requests):
                        yield data
            except (Unexpected, TimeoutError, IndexError) as error:
                self.failures.append(f"{method}: {error!r}")
                await context.abort(grpc.StatusCode.UNAUTHENTICATED, "this is not what was said")
            if method == "Play" and self._calls[method]:
                await context.abort(grpc.StatusCode.UNAVAILABLE, "the connection is cut")

        return grpc.stream_stream_rpc_method_handler(answer)

    async def _answer(self, method: str, requests: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        call = self._calls[method].popleft()
        if method == "Play":
            async for data in self._play(call, requests):
                yield data
            return
        said = self._recording.request(method, await anext(requests))
        due = self._recording.request(method, call.of("client"))
        if said != due:
            raise Unexpected(f"it said {said}, not {due}")
        yield call.of("referee")

    async def _play(self, call: Call, requests: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        session = _Session(self._recording)
        listening = asyncio.create_task(session.listen(requests))
        try:
            for side, data in call.messages:
                if side == "client":
                    for item in self._recording.request("Play", data).items:
                        await session.hear(item)
                else:
                    yield session.translate(data)
            if not self._calls["Play"]:
                await listening
                session.check()
        finally:
            listening.cancel()


class _Session:
    """Holds what a client has said under each handle, and how it calls what the recording calls otherwise."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._said: dict[int, deque[Any]] = defaultdict(deque)
        self._handles = {0: 0}
        self._action_ids: dict[tuple[int, int, str], str] = {}
        self._news = asyncio.Condition()

    async def listen(self, requests: AsyncIterator[bytes]) -> None:
        """Takes what the client says until it has nothing more to say."""
        async for data in requests:
            async with self._news:
                for item in self._recording.request("Play", data).items:
                    self._said[item.handle].append(item)
                self._news.notify_all()

    async def hear(self, due: Any) -> None:
        """Waits until the client says this, as the version of the recording understands it."""
        async with self._news:
            if due.HasField("join"):
                await self._news.wait_for(lambda: self._newcomer(due) is not None)
                self._handles[due.handle] = self._newcomer(due) or 0
            said = self._said[self._handles[due.handle]]
            await self._news.wait_for(lambda: said)
            item = said.popleft()
        if _meaning(item) != _meaning(due):
            raise Unexpected(f"it said {item}, not {due}")
        if due.HasField("action"):
            action = due.action
            self._action_ids[due.handle, action.decision_id, action.action_id] = item.action.action_id

    def check(self) -> None:
        """Checks that the client has said nothing else."""
        if any(self._said.values()):
            raise Unexpected(f"it said also {[*self._said.values()]}")

    def translate(self, data: bytes) -> bytes:
        """Returns what was told then with the names that the client has chosen now."""
        response = self._recording.response("Play", data)
        for item in response.items:
            if item.HasField("action_result"):
                result = item.action_result
                result.action_id = self._action_ids[item.handle, result.decision_id, result.action_id]
            item.handle = self._handles[item.handle]
        encoded: bytes = response.SerializeToString()
        return encoded

    def _newcomer(self, due: Any) -> int | None:
        """Returns the handle that joins the same seat and is not known yet."""
        joining = (said[0] for said in self._said.values() if said and said[0].HasField("join"))
        seats = {item.join.seat: item.handle for item in joining}
        return seats.get(due.join.seat)


def _meaning(item: Any) -> tuple[str | None, dict[str, Any], list[Any]]:
    """Returns what an item says but for the names that a client chooses; what is opaque must be the same."""
    kind = item.WhichOneof("kind")
    fields = plain(item)
    fields.pop("handle", None)
    fields.get(kind, {}).pop("action_id", None)
    return kind, fields, [item.join.match_id, item.join.seat_token, item.join.head, item.ready.h0]


@asynccontextmanager
async def old_referee(recording: Recording) -> AsyncIterator[str]:
    """Serves as the recorded referee and yields the address; what a client did otherwise fails the test."""
    referee = OldReferee(recording)
    server = grpc.aio.server(options=OPTIONS)
    server.add_generic_rpc_handlers([referee])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)
        assert referee.failures == [], referee.failures
    assert referee.left == 0
