"""A referee without a socket: its matches, a clock that stands, and sessions that are read at once."""

import asyncio
from collections import deque
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from typing import Any

from unoduo.v1 import observation_pb2, session_pb2

from referee.adjudication.terms import FaultPolicy, Player, TimeControl
from referee.codec.actions import decode_action
from referee.match.actor import MatchActor
from referee.match.clock import FakeClock
from referee.match.credentials import Caller, CallerKind
from referee.match.inbox import ActionPost, JoinPost, LeavePost, ReadyPost, ResignPost
from referee.match.registry import CreatedMatch, MatchOrder, Registry
from referee.match.seats import Attachment, Delivery, Resume
from referee.match.surroundings import Admission
from referee.rules.actions import Action
from referee.rules.ruleset import DUO
from referee.rules.seats import Seat
from referee.store.errors import StoreError
from referee.store.memory import MemoryStore

ADMISSION = Admission(max_calls_a_seat=8, max_spectators=100, spectator_delay_ms=0)
NOBODY = Caller(CallerKind.NOBODY)
ONE_ROUND = replace(DUO, target=1)
ORDER = MatchOrder(
    ruleset=ONE_ROUND,
    time_control=TimeControl(limit_ms=1_000, startup_grace_ms=30_000),
    fault_policy=FaultPolicy(),
    players=(Player("Ada"), Player("Bob")),
    seed=bytes(32),
)


class Port:
    """Is a session whose client reads at once what it may, unless it is told to wait."""

    def __init__(self) -> None:
        self.items: list[session_pb2.ResponseItem] = []
        self.attachments: dict[int, Attachment] = {}
        self.ends: list[int] = []
        self.reading = True
        self._marked: deque[int] = deque()

    def put(self, handle: int, item: bytes) -> None:
        self._take(item)

    def wake(self, handle: int) -> None:
        if handle not in self._marked:
            self._marked.append(handle)
            if self.reading and len(self._marked) == 1:
                asyncio.get_running_loop().call_soon(self.read)

    def read(self) -> None:
        """Takes all that is due to the seats that were marked."""
        while self._marked:
            attachment = self.attachments[self._marked.popleft()]
            item = attachment.match.next_item(attachment)
            if item is not None:
                self._take(item)

    def kinds(self, handle: int = 1) -> list[str]:
        return [str(item.WhichOneof("kind")) for item in self.items if item.handle == handle]

    def of(self, kind: str, handle: int = 1) -> list[Any]:
        """Returns the items of one kind, in their order."""
        found = [item for item in self.items if item.handle == handle and item.WhichOneof("kind") == kind]
        return [getattr(item, kind) for item in found]

    def ended(self, handle: int) -> None:
        self.ends.append(handle)

    def _take(self, item: bytes) -> None:
        response = session_pb2.PlayResponse.FromString(item)
        assert len(response.items) == 1
        self.items.extend(response.items)


@dataclass
class Sitter:
    """A seat as joined through a port."""

    table: "Table"
    attachment: Attachment
    port: Port
    h0: bytes
    action_ids: Any = field(default_factory=lambda: count(1))

    @property
    def seat(self) -> Seat:
        return self.attachment.seat

    @property
    def observations(self) -> list[observation_pb2.Observation]:
        return self.port.of("observation", self.attachment.handle)

    @property
    def results(self) -> list[session_pb2.ActionResult]:
        return self.port.of("action_result", self.attachment.handle)

    @property
    def problems(self) -> list[str]:
        return [problem.reason for problem in self.port.of("problem", self.attachment.handle)]

    @property
    def decision(self) -> observation_pb2.Decision | None:
        """Returns the decision that was told last, if nothing was told after it and it is not answered."""
        last = self.observations[-1] if self.observations else None
        if last is None or not last.HasField("decision"):
            return None
        answered = [result.decision_id for result in self.results if result.HasField("accepted")]
        return None if last.decision.decision_id in answered else last.decision

    @property
    def ended(self) -> session_pb2.Ended | None:
        told = self.port.of("ended", self.attachment.handle)
        return told[0] if told else None

    def ready(self, entropy: bytes = b"") -> None:
        self.attachment.match.post(ReadyPost(self.attachment, self.h0, entropy))

    def act(
        self,
        action: Action | None = None,
        *,
        decision_id: int | None = None,
        action_id: str = "",
        stamp_ms: int | None = None,
    ) -> str:
        """Submits an action, by default the first legal one, and returns its id."""
        decision = self.decision
        if action is None:
            assert decision is not None
            action = decode_action(decision.legal[0])
        if decision_id is None:
            assert decision is not None
            decision_id = decision.decision_id
        action_id = action_id or f"a{next(self.action_ids)}"
        stamp_ms = self.table.clock.now_ms() if stamp_ms is None else stamp_ms
        self.attachment.match.post(ActionPost(self.attachment, decision_id, action_id, action, stamp_ms))
        return action_id

    def resign(self) -> None:
        self.attachment.match.post(ResignPost(self.attachment, self.table.clock.now_ms()))

    def leave(self) -> None:
        self.attachment.match.post(LeavePost(self.attachment))

    def vanish(self) -> None:
        """Loses the connection."""
        self.attachment.match.lose(self.attachment)


class Table:
    """Holds a registry on a memory store under a fake clock."""

    def __init__(self, *, max_open_matches: int = 100, admission: Admission = ADMISSION) -> None:
        self.clock = FakeClock()
        self.store = MemoryStore()
        self.fatal: list[StoreError] = []
        self._random = Random(7)
        self._max_open_matches = max_open_matches
        self._admission = admission
        self._actors: dict[int, MatchActor] = {}
        self.registry = self._new_registry()

    async def open(self) -> None:
        await self.store.open(self.registry)

    async def restart(self) -> None:
        """Ends the referee where it is, as a crash does, and begins anew on the same store; nobody is connected."""
        await self.registry.close()
        self.registry = self._new_registry()
        await self.store.open(self.registry)
        await self.registry.recover()
        left = ((number, self.registry.actor(number)) for number in self._actors)
        self._actors |= {number: actor for number, actor in left if actor is not None}

    def _new_registry(self) -> Registry:
        return Registry(
            self.store,
            self.clock,
            entropy=self._random.randbytes,
            wall_clock=lambda: "2026-01-02T03:04:05Z",
            on_fatal=self.fatal.append,
            max_open_matches=self._max_open_matches,
            admission=self._admission,
        )

    async def close(self) -> None:
        await self.registry.close()
        await self.store.close()

    async def create(self, order: MatchOrder = ORDER) -> CreatedMatch:
        match = await self.registry.create_match(order)
        actor = self.registry.actor(match.row.number)
        assert actor is not None
        self._actors[match.row.number] = actor
        return match

    async def join(
        self,
        match: CreatedMatch,
        seat: Seat,
        *,
        port: Port | None = None,
        handle: int = 1,
        delivery: Delivery = Delivery.EVERY_ENTRY,
        resume: Resume | None = None,
        visiting: bool = False,
        settled: bool = True,
    ) -> Sitter:
        port = port or Port()
        attachment = self.registry.attach(
            NOBODY, match.row.match_id, seat, match.tokens.seats[seat], port, handle, delivery, resume
        )
        port.attachments[handle] = attachment
        attachment.visiting = visiting
        attachment.match.post(JoinPost(attachment))
        if settled:
            await settle()
        return Sitter(self, attachment, port, match.row.h0)

    async def started(self, order: MatchOrder = ORDER) -> tuple[CreatedMatch, Sitter, Sitter]:
        """Creates a match that both seats have joined and that has started."""
        match = await self.create(order)
        a, b = await self.join(match, Seat.A), await self.join(match, Seat.B)
        a.ready()
        b.ready()
        await settle()
        return match, a, b

    def forget(self, match: CreatedMatch) -> None:
        """Lets go of a match itself."""
        del self._actors[match.row.number]

    def actor(self, match: CreatedMatch) -> MatchActor:
        """Returns a match as it was made, also when the registry has let go of it."""
        return self._actors[match.row.number]


def asked(a: Sitter, b: Sitter) -> Sitter:
    """Returns the one of two seats that must decide."""
    (one,) = (sitter for sitter in (a, b) if sitter.decision is not None)
    return one


def other(sitter: Sitter, a: Sitter, b: Sitter) -> Sitter:
    return b if sitter is a else a


async def play_out(a: Sitter, b: Sitter, *, random: Random | None = None) -> None:
    """Plays legal actions until both seats know the end."""
    random = random or Random(1)
    while a.ended is None or b.ended is None:
        sitter = next((one for one in (a, b) if one.ended is None and one.decision is not None), None)
        if sitter is not None and (decision := sitter.decision) is not None:
            sitter.act(decode_action(random.choice(decision.legal)))
        await settle()


async def settle() -> None:
    """Lets the loop run until nothing is left to do but to wait for time or a client."""
    for _ in range(12):
        await asyncio.sleep(0)
