"""An answer that reached the socket in time never loses to the timer."""

import asyncio
import socket
import threading
import time
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

import grpc
import pytest
from unoduo.v1 import match_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.match import actor as actor_module
from referee.match import clock as clock_module
from referee.match.actor import MatchActor
from referee.match.deadline import Deadline
from tests.faults.sizes import size
from tests.server.wire import PATIENCE_S, PLAY, Item, Referee, action_item, h0, join_item, play_seats, referee

LIMIT_MS = 120
TRIALS = size(suite=20, torture=1_000)
# The loop is busy from shortly before the deadline to shortly after it; the answer is sent meanwhile.
BUSY_BEFORE_MS = 40
BUSY_AFTER_MS = 4
# More than any frame that a client sends beside an answer, fewer than an answer with the longest id.
_ANSWER_BYTES = 60
_LONGEST_ID = 36


class HastyDeadline(Deadline):
    """Rules as soon as its timer fires, whatever lies in the socket."""

    def _arm(self) -> None:
        delay_s = (self._due_ms() + 1 - self._clock.now_ms()) / 1000
        asyncio.get_running_loop().call_later(delay_s, self._rule, self._spans)


class _Wire:
    """Carries bytes between one client and the referee with threads of its own, and knows when an answer has passed."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._referee = socket.create_connection((host, int(port)))
        self._passed = threading.Semaphore(0)
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def await_answer(self, timeout_s: float) -> bool:
        """Returns whether the next answer is in the socket of the referee within that time."""
        return self._passed.acquire(timeout=timeout_s)

    def close(self) -> None:
        self._listener.close()
        # Closing alone would not wake the threads that read.
        with suppress(OSError):
            self._referee.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        client, _ = self._listener.accept()
        threading.Thread(target=self._carry, args=(self._referee, client), daemon=True).start()
        self._carry(client, self._referee, counts=True)

    def _carry(self, source: socket.socket, sink: socket.socket, counts: bool = False) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
                if counts and len(data) >= _ANSWER_BYTES:
                    self._passed.release()
        except OSError:
            pass
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)
        source.close()


class _Bot(threading.Thread):
    """Plays seat A from a thread of its own; each answer waits until it is let go."""

    def __init__(self, address: str, match: pb.CreateMatchResponse) -> None:
        super().__init__(daemon=True)
        self.asked_for = 0
        self.verdicts: dict[int, str] = {}
        self.has_ended = False
        self.go = threading.Semaphore(0)
        self._address = address
        self._match = match
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()

    def run(self) -> None:
        with grpc.insecure_channel(self._address, options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
            call: Any = channel.stream_stream(PLAY)
            self._send(join_item(1, self._match, 1))
            # The connection is closed when there are enough verdicts.
            with suppress(grpc.RpcError):
                for data in call(iter(self._requests.get, None)):
                    for item in session_pb2.PlayResponse.FromString(data).items:
                        self._hear(item)
                        self.has_ended |= item.HasField("ended")
            self._requests.put(None)

    def _hear(self, item: session_pb2.ResponseItem) -> None:
        if item.HasField("joined"):
            self._send(Item(handle=item.handle, ready=session_pb2.Ready(h0=h0(item.joined.header))))
        elif item.HasField("action_result"):
            self.verdicts[item.action_result.decision_id] = str(item.action_result.WhichOneof("verdict"))
        elif item.observation.HasField("decision"):
            decision = item.observation.decision
            self.asked_for = decision.decision_id
            self.go.acquire()
            action_id = str(decision.decision_id).zfill(_LONGEST_ID)
            self._send(action_item(item.handle, decision.decision_id, decision.legal[-1], action_id))

    def _send(self, *items: Item) -> None:
        self._requests.put(session_pb2.PlayRequest(items=items).SerializeToString())


async def _answer_at_once(host: Referee, match: pb.CreateMatchResponse) -> None:
    session = host.session()
    handle = await session.join(match, 2)
    await session.ready(handle, match)
    await play_seats(session, {handle: match}, lambda decision: decision.legal[-1])


async def _play_on_a_busy_loop(bot: _Bot, wire: _Wire, actor: MatchActor) -> list[str]:
    """Returns the verdicts on those answers that were in the socket in time."""
    in_time: list[int] = []
    answered = 0
    while not bot.has_ended and len(in_time) < TRIALS:
        left_ms = actor._deadline._since_ms + LIMIT_MS - _now_ms()
        if answered < bot.asked_for and 0 < left_ms <= BUSY_BEFORE_MS:
            due_ms = _now_ms() + left_ms
            answered = bot.asked_for
            while wire.await_answer(0):
                # What passed before was a question of the connection itself, or an answer that was late.
                pass
            bot.go.release()
            if wire.await_answer(left_ms / 1000) and _now_ms() < due_ms:
                in_time.append(answered)
            time.sleep(max(0, due_ms + BUSY_AFTER_MS - _now_ms()) / 1000)  # noqa: ASYNC251 - the loop is to be busy
        elif answered < bot.asked_for and left_ms <= 0:
            # The loop came too late for this one: it is no trial.
            answered = bot.asked_for
            bot.go.release()
        await asyncio.sleep(0.001)
    return [bot.verdicts[decision_id] for decision_id in in_time if decision_id in bot.verdicts]


async def _verdicts_of_answers_in_time(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    # Lag is forgiven, which would hide the race.
    monkeypatch.setattr(clock_module, "_LAG_FLOOR_MS", 10**6)
    verdicts: list[str] = []
    number = 0
    async with referee() as host, asyncio.timeout(PATIENCE_S + TRIALS):
        while len(verdicts) < TRIALS:
            number += 1
            control = match_pb2.TimeControl(limit_ms=LIMIT_MS)
            match = await host.create(time_control=control, seed=number.to_bytes(32, "big"))
            actor = host.running.registry.actor(match.number)
            assert actor is not None
            rival = asyncio.create_task(_answer_at_once(host, match))
            wire = _Wire(host.running.address)
            bot = _Bot(wire.address, match)
            bot.start()
            verdicts += await _play_on_a_busy_loop(bot, wire, actor)
            rival.cancel()
            wire.close()
            bot.go.release()
            await asyncio.to_thread(bot.join, PATIENCE_S)
            assert not bot.is_alive()
    return verdicts


async def test_answer_in_the_socket_loses_to_a_timer_that_rules_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # The race is there: with a deadline that waits no passes of the loop the same answers are ruled to be late.
    monkeypatch.setattr(actor_module, "Deadline", HastyDeadline)
    verdicts = await _verdicts_of_answers_in_time(monkeypatch)
    assert verdicts.count("stale") > len(verdicts) / 2


async def test_answer_in_the_socket_never_loses_to_the_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = await _verdicts_of_answers_in_time(monkeypatch)
    assert set(verdicts) == {"accepted"}


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
