"""An answer that lies in the socket before its deadline counts, however busy the loop of the referee is."""

import asyncio
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import grpc
from unoduo.v1 import match_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import session_pb2 as messages

from tests.server.wire import PLAY, Item, action_item, h0, join_item, referee

LIMIT_MS = 300
EARLY_MS = 10
TRIALS = 6


class _PunctualBot(threading.Thread):
    """Plays both seats from a thread of its own, and sends each answer shortly before its deadline.

    `due_ms` tells when the open decision is due on the clock of the machine, which the referee and the bot share.
    """

    def __init__(self, address: str, match: pb.CreateMatchResponse, due_ms: Callable[[], int]) -> None:
        super().__init__(daemon=True)
        self.address = address
        self.match = match
        self.due_ms = due_ms
        self.verdicts: list[str] = []
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()

    def run(self) -> None:
        with grpc.insecure_channel(self.address) as channel:
            call: Any = channel.stream_stream(PLAY)
            self._send(join_item(1, self.match, 1), join_item(2, self.match, 2))
            for data in call(iter(self._requests.get, None)):
                for item in messages.PlayResponse.FromString(data).items:
                    self._answer(item)
                if len(self.verdicts) >= TRIALS:
                    self._requests.put(None)
                    call = None
                    return

    def _answer(self, item: messages.ResponseItem) -> None:
        if item.HasField("joined"):
            self._send(Item(handle=item.handle, ready=messages.Ready(h0=h0(item.joined.header))))
        elif item.HasField("action_result"):
            self.verdicts.append(str(item.action_result.WhichOneof("verdict")))
        elif item.observation.HasField("decision"):
            decision = item.observation.decision
            time.sleep(max(0, self.due_ms() - EARLY_MS - time.monotonic_ns() // 1_000_000) / 1000)
            number = str(decision.decision_id)
            self._send(action_item(item.handle, decision.decision_id, decision.legal[0], number))

    def _send(self, *items: Item) -> None:
        self._requests.put(messages.PlayRequest(items=items).SerializeToString())


async def test_answer_in_the_socket_before_its_deadline_is_in_time_on_a_busy_loop() -> None:
    async with referee() as host:
        match = await host.create(time_control=match_pb2.TimeControl(limit_ms=LIMIT_MS), seed=bytes(32))
        actor = host.running.registry.actor(match.number)
        assert actor is not None
        deadline = actor._deadline
        bot = _PunctualBot(host.running.address, match, lambda: deadline._since_ms + LIMIT_MS)
        bot.start()
        async with asyncio.timeout(60):
            while bot.is_alive():
                time.sleep(0.03)  # noqa: ASYNC251 - the loop is to be busy
                await asyncio.sleep(0)
        assert bot.verdicts == ["accepted"] * TRIALS
