"""Clients that nothing discourages: they come back to wherever the referee is, and play on where they were."""

import asyncio
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

import grpc.aio
from unoduo.v1 import log_pb2, match_pb2, observation_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1.referee_service_pb2_grpc import RefereeServiceStub
from unoduo_client.deal import header_head
from unoduo_client.outbox import Outbox

from tests.faults.journal import SeatJournal

Item = session_pb2.RequestItem
_BEFORE_TRYING_AGAIN_S = 0.02
_BEFORE_SAYING_AGAIN_MS = 200
_ENTROPY_BYTES = 32


class Whereabouts:
    """Tells the clients where the referee is, once it is anywhere."""

    def __init__(self) -> None:
        self._address: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def moved(self, address: str) -> None:
        """Learns where the referee is now."""
        if self._address.done():
            self._address = asyncio.get_running_loop().create_future()
        self._address.set_result(address)

    def gone(self) -> None:
        """Learns that it is nowhere now."""
        if self._address.done():
            self._address = asyncio.get_running_loop().create_future()

    async def address(self) -> str:
        """Returns where it is, as soon as it is anywhere."""
        return await asyncio.shield(self._address)


class PlayedSeat:
    """Is one seat as its client plays it: what it was told, and the action that waits for an answer."""

    def __init__(self, created: pb.CreateMatchResponse, journal: SeatJournal, random: Random) -> None:
        self.journal = journal
        self._created = created
        self._random = random
        fresh = log_pb2.Header.FromString(created.header).deal_mode == match_pb2.DEAL_MODE_FRESH
        self._entropy = random.randbytes(_ENTROPY_BYTES) if fresh else b""
        self._asked: observation_pb2.Decision | None = None
        self._waiting: session_pb2.SubmittedAction | None = None
        self._actions = count(1)

    def join(self) -> Item:
        """Returns the item that takes the seat where the journal ends."""
        journal = self.journal
        join = session_pb2.Join(
            match_id=self._created.match_id,
            seat=journal.seat,
            seat_token=self._created.seat_tokens[journal.seat - 1],
            after_sequence=journal.sequence,
            head=journal.head,
        )
        return Item(join=join)

    def hear(self, item: session_pb2.ResponseItem) -> Item | None:
        """Takes an item about this seat and returns what is to be said to it, if anything."""
        match item.WhichOneof("kind"):
            case "joined":
                return self._joined(item.joined)
            case "ready_accepted":
                self.journal.entropy = self._entropy
            case "observation":
                return self._observed(item.observation)
            case "action_result":
                return self._answered(item.action_result)
            case "ended":
                self.journal.end(item.ended)
                return self.say_again() if self._waiting is not None else None
            case kind:
                self.journal.find(f"it was told {kind}: {item}")
        return None

    @property
    def is_over(self) -> bool:
        """Returns whether it was told the end, and the answer to all that it said."""
        return self.journal.ended is not None and self._waiting is None

    @property
    def waits(self) -> bool:
        """Returns whether it has said something and has no answer yet."""
        return self._waiting is not None or self.journal.entropy is None

    def say_again(self) -> Item:
        """Returns what was said last and has no answer yet."""
        return Item(action=self._waiting) if self._waiting is not None else self._ready()

    def _ready(self) -> Item:
        return Item(ready=session_pb2.Ready(h0=header_head(self._created.header), entropy=self._entropy))

    def _joined(self, joined: session_pb2.Joined) -> Item | None:
        if joined.header != self._created.header:
            self.journal.find("it has another header than when it was created")
        return self._ready() if self.journal.entropy is None else None

    def _observed(self, observation: observation_pb2.Observation) -> Item | None:
        self.journal.observe(observation)
        if not observation.caught_up:
            return None
        self._asked = observation.decision if observation.HasField("decision") else None
        # An answer comes before the observation that it caused. So one that is still missing is to be asked for again.
        return Item(action=self._waiting) if self._waiting is not None else self._decide()

    def _decide(self) -> Item | None:
        asked = self._asked
        if asked is None:
            return None
        self._waiting = session_pb2.SubmittedAction(
            decision_id=asked.decision_id,
            action_id=str(next(self._actions)),
            action=self._random.choice(asked.legal),
        )
        return Item(action=self._waiting)

    def _answered(self, result: session_pb2.ActionResult) -> Item | None:
        journal, waiting = self.journal, self._waiting
        key = (result.decision_id, result.action_id)
        is_first = waiting is not None and key == (waiting.decision_id, waiting.action_id)
        if waiting is not None and is_first:
            action = waiting.action.SerializeToString(deterministic=True)
            self._waiting = None
        elif key in journal.accepted:
            action = journal.accepted[key].action
        elif key in journal.refused:
            action = b""
        else:
            journal.find(f"it was told of an action that waits for no answer: {result}")
            return None
        if result.HasField("accepted"):
            journal.acknowledge(key, action, result.accepted)
        else:
            journal.refuse(key, result)
        if self._asked is not None and self._asked.decision_id == result.decision_id:
            self._asked = None
        # The seat may have been asked anew before it knew that its last answer had been taken.
        return self._decide() if is_first else None


class Player:
    """Is a program that plays any number of seats, all on one session, and begins another one when that is lost.

    `on_over` is called with each seat that has been told the end of its match. `endings` are the statuses with which
    its sessions were lost: code and text.
    """

    def __init__(self, whereabouts: Whereabouts, on_over: Callable[[PlayedSeat], None]) -> None:
        self.endings: list[tuple[grpc.StatusCode, str]] = []
        self._whereabouts = whereabouts
        self._on_over = on_over
        self._seats: dict[PlayedSeat, None] = {}
        self._session: _Session | None = None

    def take(self, seat: PlayedSeat) -> None:
        """Plays another seat."""
        self._seats[seat] = None
        if self._session is not None:
            self._session.join(seat)

    async def play(self) -> None:
        """Plays until it is cancelled."""
        while True:
            async with grpc.aio.insecure_channel(await self._whereabouts.address()) as channel:
                self._session = session = _Session(self._over)
                for seat in self._seats:
                    session.join(seat)
                self.endings.append(await session.run(RefereeServiceStub(channel)))
                self._session = None
            await asyncio.sleep(_BEFORE_TRYING_AGAIN_S)

    def _over(self, seat: PlayedSeat) -> None:
        del self._seats[seat]
        self._on_over(seat)


class _Session:
    """Is one session of a player, for as long as it holds."""

    def __init__(self, on_over: Callable[[PlayedSeat], None]) -> None:
        self._on_over = on_over
        self._outbox = Outbox()
        self._handles = count(1)
        self._seats: dict[int, PlayedSeat] = {}
        self._joined: set[int] = set()

    def join(self, seat: PlayedSeat) -> None:
        """Takes a seat."""
        handle = next(self._handles)
        self._seats[handle] = seat
        self._say(handle, seat.join())

    async def run(self, stub: Any) -> tuple[grpc.StatusCode, str]:
        """Carries what is said until the session is lost, and returns the status with which it was: code and text."""
        call = stub.Play()
        writer = asyncio.create_task(self._write(call))
        try:
            async for response in call:
                for item in response.items:
                    self._hear(item)
        except grpc.aio.AioRpcError:
            pass
        finally:
            call.cancel()
            writer.cancel()
            await asyncio.wait([writer])
        return await call.code(), await call.details()

    async def _write(self, call: Any) -> None:
        while True:
            request = await self._outbox.next_request()
            try:
                await call.write(request)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                return

    def _say(self, handle: int, item: Item) -> None:
        item.handle = handle
        self._outbox.put(item)

    def _hear(self, item: session_pb2.ResponseItem) -> None:
        handle, kind = item.handle, item.WhichOneof("kind")
        seat = self._seats[handle]
        if kind == "problem" and item.problem.code == grpc.StatusCode.UNAVAILABLE.value[0]:
            self._later(item.problem.retry_after_ms or _BEFORE_SAYING_AGAIN_MS, handle)
        elif kind == "detached" and item.detached.reason == session_pb2.DETACH_REASON_MATCH_FROZEN:
            self._joined.discard(handle)
            self._later(_BEFORE_SAYING_AGAIN_MS, handle)
        else:
            if kind == "joined":
                self._joined.add(handle)
            was_over = seat.is_over
            answer = seat.hear(item)
            if answer is not None:
                self._say(handle, answer)
            if seat.is_over and not was_over:
                self._on_over(seat)

    def _later(self, delay_ms: int, handle: int) -> None:
        asyncio.get_running_loop().call_later(delay_ms / 1000, self._again, handle)

    def _again(self, handle: int) -> None:
        """Says again, to a referee that could not hear it before, what still has no answer."""
        seat = self._seats.get(handle)
        if seat is None:
            return
        if handle not in self._joined:
            del self._seats[handle]
            self.join(seat)
        elif seat.waits:
            self._say(handle, seat.say_again())
