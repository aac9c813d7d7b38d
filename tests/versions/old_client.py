"""A client of a recorded version: it says to a referee of today what it said then, and expects to be told the same."""

import asyncio
from collections import defaultdict
from typing import Any

import grpc.aio
from unoduo_client.channel import credentials

from tests.versions.facts import Names, Plain, facts_of, plain
from tests.versions.recording import SERVICE, Call, Recording

PATIENCE_S = 60.0  # hang guard


class OldClient:
    """Makes the calls of a recording; `responses` are those of calls without streams, as that version reads them."""

    def __init__(self, recording: Recording, channel: grpc.aio.Channel) -> None:
        self.responses: list[tuple[str, Any]] = []
        self._recording = recording
        self._channel = channel
        self._names = Names()

    async def run(self) -> None:
        """Makes all calls in their order. Raises AssertionError where the referee tells something else."""
        for call in self._recording.calls:
            if call.method == "Play":
                await self._play(call)
            else:
                await self._ask(call)

    async def _ask(self, call: Call) -> None:
        request = self._recording.request(call.method, call.of("client"))
        self._names.translate(request)
        stub: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(f"/{SERVICE}/{call.method}")
        answer = await stub(request.SerializeToString(), metadata=self._metadata(call), timeout=PATIENCE_S)
        told = self._recording.response(call.method, answer)
        due = self._recording.response(call.method, call.of("referee"))
        assert plain(told) == plain(due), (told, due)
        self._names.learn(due, told)
        self.responses.append((call.method, told))

    async def _play(self, call: Call) -> None:
        session = _Session(self._recording, self._names)
        play: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(f"/{SERVICE}/Play")
        stream = play(metadata=self._metadata(call))
        listening = asyncio.create_task(session.listen(stream))
        try:
            async with asyncio.timeout(PATIENCE_S):
                for side, data in call.messages:
                    if side == "referee":
                        await session.hear(data)
                        continue
                    request = self._recording.request("Play", data)
                    self._names.translate(request)
                    await stream.write(request.SerializeToString())
            session.check()
        finally:
            stream.cancel()
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    def _metadata(self, call: Call) -> tuple[tuple[str, str], ...]:
        return credentials(self._names.of(call.token) if call.token else None)


class _Session:
    """Holds what was told in a session now, beside what was told then, for each handle."""

    def __init__(self, recording: Recording, names: Names) -> None:
        self._recording = recording
        self._names = names
        self._due: dict[int, list[tuple[str, Plain]]] = defaultdict(list)
        self._told: dict[int, list[tuple[str, Plain]]] = defaultdict(list)
        # What is opaque, by what it is told with: the same item of a kind, the head at an event.
        self._opaque: dict[tuple[int, str, int], Any] = {}
        self._news = asyncio.Condition()

    async def listen(self, stream: Any) -> None:
        """Takes what the referee says until the call is cancelled."""
        async for data in stream:
            async with self._news:
                for item in self._recording.response("Play", data).items:
                    self._told[item.handle] += facts_of(self._recording, item)
                    self._opaque[_key(item)] = item
                self._news.notify_all()

    async def hear(self, data: bytes) -> None:
        """Waits until all is told that was told in a message then."""
        for item in self._recording.response("Play", data).items:
            self._due[item.handle] += facts_of(self._recording, item)
            async with self._news:
                while not self._is_told(item):
                    await self._news.wait()
            due, told = self._due[item.handle], self._told[item.handle]
            assert told[: len(due)] == due, (told, due)
            self._names.learn(item, self._opaque[_key(item)])

    def _is_told(self, item: Any) -> bool:
        """Returns whether all is told up to an item."""
        return len(self._told[item.handle]) >= len(self._due[item.handle]) and _key(item) in self._opaque

    def check(self) -> None:
        """Checks that nothing else was told."""
        assert self._told == self._due, (self._told, self._due)


def _key(item: Any) -> tuple[int, str, int]:
    kind = item.WhichOneof("kind") or ""
    return item.handle, kind, item.observation.sequence
