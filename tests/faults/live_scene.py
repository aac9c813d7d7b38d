"""A scene on a real referee, each seat on a connection of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
from unoduo.v1 import match_pb2, ruleset_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.adjudication.terms import ExpiryPolicy, FaultPolicy, TimeControl
from referee.codec.actions import action_bytes, decode_action
from referee.codec.entries import Entry, decode_entry
from referee.match.actor import MatchActor
from referee.rules.actions import Action
from referee.rules.seats import SEATS, Seat
from referee.rules.state import Phase
from referee.server.limits import Limits
from referee.store.memory import MemoryStore
from tests.faults.positions import RULESET, Way
from tests.faults.scene import Moment, Question, Scene, name_of, rulings_of
from tests.server.wire import PATIENCE_S, PLAY, Item, Referee, h0, join_item, reason_of, referee

LIMITS = replace(Limits(), write_patience_s=1.0)
_HANDLE = 1
_EXPIRY = {
    ExpiryPolicy.DEFAULT_ACTION: match_pb2.EXPIRY_POLICY_DEFAULT_ACTION,
    ExpiryPolicy.FORFEIT: match_pb2.EXPIRY_POLICY_FORFEIT,
}


class Line:
    """Is one session that reads all the time, unless it is told not to; `status` is what ended it, with the reason."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        call: Any = channel.stream_stream(PLAY)
        self.call = call()
        self.items: list[session_pb2.ResponseItem] = []
        self.status: tuple[grpc.StatusCode, str] | None = None
        self.reads = asyncio.Event()
        self.reads.set()
        self._reading = asyncio.create_task(self._read())

    @property
    def sequence(self) -> int:
        """Returns the sequence number up to which it was told of the match."""
        told = [item.observation.sequence for item in self.items if item.HasField("observation")]
        return max(told, default=0)

    async def send(self, *items: Item) -> None:
        await self.call.write(session_pb2.PlayRequest(items=items).SerializeToString())

    async def cancel(self) -> None:
        """Ends it as a client that goes away does."""
        self.call.cancel()
        self.reads.set()
        await asyncio.wait({self._reading})

    async def _read(self) -> None:
        try:
            while (data := await self.call.read()) is not grpc.aio.EOF:
                self.items.extend(session_pb2.PlayResponse.FromString(data).items)
                await self.reads.wait()
            self.status = (await self.call.code(), "")
        except grpc.aio.AioRpcError as error:
            has_reason = "grpc-status-details-bin" in dict(error.trailing_metadata())
            self.status = (error.code(), reason_of(error) if has_reason else "")
        except asyncio.CancelledError:
            self.status = (grpc.StatusCode.CANCELLED, "")


class LiveScene(Scene):
    """Plays on a referee of its own."""

    def __init__(
        self,
        host_stack: AsyncExitStack,
        host: Referee,
        store: MemoryStore,
        match: pb.CreateMatchResponse,
        culprit: Seat,
        control: TimeControl,
        policy: FaultPolicy,
    ) -> None:
        super().__init__(store, culprit, control, policy)
        self.host = host
        self._host_stack = host_stack
        self.match = match
        self._lines: dict[Seat, list[Line]] = {seat: [] for seat in SEATS}

    def line(self, seat: Seat) -> Line:
        """Returns the session that joined the seat last."""
        return self._lines[seat][-1]

    async def join(self, seat: Seat) -> str:
        older = self._lines[seat][-1:]
        self._lines[seat].append(line := Line(self.host.channel))
        await line.send(join_item(_HANDLE, self.match, seat + 1))
        await until(lambda: any(item.HasField("joined") for item in line.items))
        if not older or older[0].status is not None:
            return ""
        before = older[0]
        await until(lambda: any(item.HasField("detached") for item in before.items))
        return next(name_of(item) for item in before.items if item.HasField("detached"))

    async def ready(self, seat: Seat) -> None:
        line = self.line(seat)
        await line.send(Item(handle=_HANDLE, ready=session_pb2.Ready(h0=h0(self.match.header))))
        await until(lambda: any(item.HasField("ready_accepted") for item in line.items))

    async def vanish(self, seat: Seat) -> None:
        left = self.host.running.open_sessions - 1
        await self.line(seat).cancel()
        await until(lambda: self.host.running.open_sessions == left)

    async def resign(self, seat: Seat) -> None:
        line = self.line(seat)
        await line.send(Item(handle=_HANDLE, resign=session_pb2.Resign()))

    async def submit(self, seat: Seat, decision_id: int, action_id: str, action: Action) -> None:
        await self._submit(seat, decision_id, action_id, action, 1)

    async def send(self, seat: Seat, decision_id: int, action_id: str, action: Action, copies: int = 1) -> list[str]:
        line = self.line(seat)
        known = len(line.items)
        await self._submit(seat, decision_id, action_id, action, copies)
        return await self._answers(line, known, copies)

    async def send_raw(self, seat: Seat, items: Iterable[Item]) -> list[str]:
        """Sends items, in messages that are not too large, and returns the answers that come if it is not ended."""
        line, all_items = self.line(seat), list(items)
        known = len(line.items)
        for start in range(0, len(all_items), 60):
            await line.send(*all_items[start : start + 60])
        return await self._answers(line, known, len(all_items))

    async def pass_ms(self, ms: int) -> None:
        await asyncio.sleep(ms / 1000)

    async def ruled(self, entries_before: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while len(await self.entries()) == entries_before:  # noqa: ASYNC110 - the store tells nobody
                await asyncio.sleep(0.01)

    async def void(self) -> None:
        await self.host.stub.VoidMatch(pb.VoidMatchRequest(match_id=self.match.match_id, reason="called off"))

    async def restart(self) -> None:
        await self._host_stack.aclose()
        self.host = await self._host_stack.enter_async_context(referee(self.store, limits=LIMITS))

    def actor(self) -> MatchActor:
        actor = self.host.running.registry.actor(self.match.number)
        assert actor is not None
        return actor

    async def question(self) -> Question:
        sequence = (await self.entries())[-1].last_sequence
        await until(lambda: any(line.sequence >= sequence for line in map(self.line, SEATS) if line.status is None))
        # The seat that is asked is told of the last entry together with its question.
        found: list[tuple[int, Seat, Any]] = []

        def look() -> bool:
            found.extend(
                (item.observation.sequence, seat, item.observation.decision)
                for seat in SEATS
                for line in self._lines[seat]
                for item in line.items
                if item.observation.HasField("decision") and item.observation.sequence >= sequence
            )
            return bool(found)

        await until(look)
        _, seat, decision = found[-1]
        return Question(decision.decision_id, seat, tuple(map(decode_action, decision.legal)), decision.tries_left)

    async def entries(self) -> list[Entry]:
        return [decode_entry(row.data) for row in await self.store.read_entries(self.match.number, 0, 10**6)]

    async def finish(self) -> bytes:
        if not any(name == "MatchEnded" for name, _ in rulings_of(await self.entries())):
            for seat in SEATS:
                await self.join(seat)
                await self.ready(seat)
            # The match goes on; it need not go on for long.
            question = await self.question()
            assert await self.act(question.seat, question.legal[0]) == ["ACCEPTED"]
            before = len(await self.entries())
            await self.resign(self.rival)
            await self.ruled(before)
        async with asyncio.timeout(PATIENCE_S):
            while await self.store.read_seal(self.match.number) is None:  # noqa: ASYNC110 - the store tells nobody
                await asyncio.sleep(0.01)
        return await self.host.replay(self.match.match_id)

    def told(self, seat: Seat) -> list[str]:
        names = [name_of(item) for line in self._lines[seat] for item in line.items]
        return [name for name in names if name not in ("", "ACCEPTED")]

    async def close(self) -> None:
        """Ends all sessions and the referee."""
        for lines in self._lines.values():
            for line in lines:
                await line.cancel()
        await self._host_stack.aclose()

    async def _submit(self, seat: Seat, decision_id: int, action_id: str, action: Action, copies: int) -> None:
        message = session_pb2.SubmittedAction(decision_id=decision_id, action_id=action_id)
        message.action.MergeFromString(action_bytes(action))
        await self.line(seat).send(*[Item(handle=_HANDLE, action=message)] * copies)

    async def _answers(self, line: Line, known: int, count: int) -> list[str]:
        def names() -> list[str]:
            return [name for item in line.items[known:] if (name := name_of(item))]

        await until(lambda: len(names()) >= count or line.status is not None)
        return names()


async def until(condition: Callable[[], bool]) -> None:
    """Waits for something that must come true."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - what is awaited is not one thing
            await asyncio.sleep(0.002)


class _KeptStore(MemoryStore):
    """Is there again when the referee is."""

    async def close(self) -> None:
        self.give_up()


@asynccontextmanager
async def live_scene(
    ways: Mapping[tuple[Phase, Seat], Way], moment: Moment, culprit: Seat, control: TimeControl, policy: FaultPolicy
) -> AsyncIterator[LiveScene]:
    """Yields a scene at its moment; before the start nobody has joined yet."""
    asked = culprit if moment.is_asked else culprit.other
    way = ways[moment.phase, asked] if moment.phase is not None else Way(bytes(32), ())
    store, stack = _KeptStore(), AsyncExitStack()
    host = await stack.enter_async_context(referee(store, limits=LIMITS))
    match = await host.stub.CreateMatch(_order(way.seed, control, policy))
    scene = LiveScene(stack, host, store, match, culprit, control, policy)
    try:
        if moment.phase is not None:
            await _play(scene, way)
            assert (await scene.question()).seat is asked
        yield scene
    finally:
        await scene.close()


def _order(seed: bytes, control: TimeControl, policy: FaultPolicy) -> pb.CreateMatchRequest:
    return pb.CreateMatchRequest(
        players=[match_pb2.Player(name="Ada"), match_pb2.Player(name="Bob")],
        ruleset=ruleset_pb2.Ruleset(target=RULESET.target, hand_size=RULESET.hand_size),
        time_control=match_pb2.TimeControl(
            limit_ms=control.limit_ms,
            margin_ms=control.margin_ms,
            startup_grace_ms=control.startup_grace_ms,
            reconnect_grace_ms=control.reconnect_grace_ms,
        ),
        fault_policy=match_pb2.FaultPolicy(
            on_expiry=_EXPIRY[policy.on_expiry],
            max_strikes=policy.max_strikes,
            rejection_limit=policy.rejection_limit,
            forfeit_after_absence_ms=policy.forfeit_after_absence_ms,
        ),
        seed=seed,
    )


async def _play(scene: LiveScene, way: Way) -> None:
    for seat in SEATS:
        await scene.join(seat)
    for seat in SEATS:
        await scene.ready(seat)
    await until(lambda: any(line.sequence > 0 for line in map(scene.line, SEATS)))
    for action in way.actions:
        question = await scene.question()
        assert await scene.act(question.seat, action) == ["ACCEPTED"]
