"""Matches that go on while their referee comes and goes, each checked against its journal when it is over."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from io import BytesIO
from random import Random
from typing import Any

import grpc.aio
from google.protobuf.message import Message
from unoduo.v1 import log_pb2, match_pb2, ruleset_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1.outcome_pb2 import Termination
from unoduo.v1.referee_service_pb2_grpc import RefereeServiceStub

from referee.log.file_format import EntryPart, read_parts
from tests.faults.journal import MatchJournal, SeatJournal
from tests.faults.journal_check import compare_replay
from tests.faults.kill_players import PlayedSeat, Player, Whereabouts
from tests.server.wire import reason_of

# No clock is to decide a match here; the graces are short, so that nothing waits for those who never come.
_TIMES = match_pb2.TimeControl(limit_ms=600_000, startup_grace_ms=10_000, reconnect_grace_ms=1_000)
# Short matches for many ends, long ones for a long history; without a cap the longest would soon be all that is left,
# and no process would live for as long as it takes to make them anew.
_TURN_CAPS = (20, 50, 120)
_NAMES = (match_pb2.Player(name="Ada"), match_pb2.Player(name="Bob"))
_BEFORE_ASKING_AGAIN_S = 0.05
_LONGEST_LIST = 1_000
# A server that stops cancels a call that it has not taken yet.
_GONE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
_PATIENCE_S = 600.0


class Course:
    """Keeps so many matches under way until it is told to make no more; `course` makes it.

    Half of the matches have fresh deals; the others share a given one with the next of them. `findings` is empty as
    long as all is well. Of the matches that are over and were checked `replays` holds the digest of each replay, `ends`
    how they ended, and `resumed` how often they went on after an interruption.
    """

    def __init__(self, whereabouts: Whereabouts, matches: int, group: asyncio.TaskGroup) -> None:
        self.findings: list[str] = []
        self.replays: dict[bytes, bytes] = {}
        self.open: dict[int, MatchJournal] = {}
        self.ends = Counter[str]()
        self.resumed = 0
        self.players = [Player(whereabouts, self._seat_over) for _ in _NAMES]
        self._whereabouts = whereabouts
        self._matches = matches
        self._group = group
        self._random = Random(matches)
        self._given: bytes | None = None
        self._actions = 0
        self._played: dict[int, list[SeatJournal]] = {}
        self._ends = False
        self._changed = asyncio.Event()
        self._making = group.create_task(self._make())
        self._making.add_done_callback(lambda _: self._changed.set())
        self._tasks = [self._making, *(group.create_task(player.play()) for player in self.players)]

    @property
    def live(self) -> int:
        """Returns how many matches are not over, as far as their seats know."""
        return len(self._played)

    @property
    def actions(self) -> int:
        """Returns how many actions were acknowledged so far."""
        return self._actions + sum(journal.actions for journal in self.open.values())

    async def are_under_way(self) -> None:
        """Returns once there are as many matches as there shall be."""
        await self._until(lambda: self.live >= self._matches)

    async def see_the_end(self) -> None:
        """Makes no more matches, and returns when all are over and checked, and nothing has changed behind them."""
        self._ends = True
        self._changed.set()
        async with asyncio.timeout(_PATIENCE_S):
            await self._until(lambda: self._making.done() and not self.live)
            await self._see_all_ended()
            await self._until(lambda: not self.open)
            await self._see_replays_again()

    async def _see_replays_again(self) -> None:
        """Fetches each replay once more: it must be as it was when the match was just over."""
        for match_id, digest in self.replays.items():
            if sha256(await self._replay(match_id)).digest() != digest:
                self.findings.append(f"match {match_id.hex()}: its replay has changed")

    async def _see_all_ended(self) -> None:
        """Returns when all matches have ended; one of which nobody was told before the referee died is void."""
        request = pb.ListMatchesRequest(page_size=_LONGEST_LIST)
        while True:
            listed = await self._ask("ListMatches", request)
            orphans = [match for match in listed.matches if match.lifecycle != match_pb2.LIFECYCLE_ENDED]
            for orphan in orphans:
                await self._void(orphan.match_id)
            if not orphans and not listed.next_page_token:
                return
            if not orphans:
                request.page_token = listed.next_page_token

    async def _void(self, match_id: bytes) -> None:
        try:
            await self._ask("VoidMatch", pb.VoidMatchRequest(match_id=match_id, reason="nobody was told of it"))
        except grpc.aio.AioRpcError as error:
            if reason_of(error) != "MATCH_ENDED":
                raise

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._changed.clear()
            await self._changed.wait()

    def stop(self) -> None:
        """Stops where it is."""
        for task in self._tasks:
            task.cancel()

    async def _make(self) -> None:
        while not self._ends:
            missing = self._matches - self.live
            await asyncio.gather(*(self._begin() for _ in range(missing)))
            await self._until(lambda: self._ends or self.live < self._matches)

    async def _begin(self) -> None:
        created = await self._ask("CreateMatch", self._order())
        journal = self.open[created.number] = MatchJournal(created)
        self._played[created.number] = list(journal.seats)
        for player, seat in zip(self.players, journal.seats, strict=True):
            player.take(PlayedSeat(created, seat, self._random))
        self._changed.set()

    def _order(self) -> pb.CreateMatchRequest:
        ruleset = ruleset_pb2.Ruleset(target=1, turn_cap=self._random.choice(_TURN_CAPS))
        order = pb.CreateMatchRequest(players=_NAMES, ruleset=ruleset, time_control=_TIMES)
        if self._random.random() < 0.5:
            order.fresh.SetInParent()
        elif self._given is None:
            self._given = order.seed = self._random.randbytes(32)
        else:
            order.seed, self._given = self._given, None
        return order

    def _seat_over(self, seat: PlayedSeat) -> None:
        number = seat.journal.number
        self._played[number].remove(seat.journal)
        if not self._played[number]:
            del self._played[number]
            self._tasks.append(self._group.create_task(self._check(self.open[number])))
            self._changed.set()

    async def _check(self, journal: MatchJournal) -> None:
        replay = await self._replay(journal.match_id)
        self.findings += compare_replay(journal, replay)
        self.replays[journal.match_id] = sha256(replay).digest()
        entries = _entries(replay)
        self.resumed += sum(entry.input.HasField("resumed") for entry in entries)
        self.ends[Termination.Name(entries[-1].events[-1].event.match_ended.outcome.termination)] += 1
        self._actions += journal.actions
        del self.open[journal.number]
        self._changed.set()

    async def _replay(self, match_id: bytes) -> bytes:
        data: bytes = b""
        request = pb.GetReplayRequest(match_id=match_id)
        while True:
            page = await self._ask("GetReplay", request)
            data += page.data
            if not page.next_page_token:
                return data
            request.page_token = page.next_page_token

    async def _ask(self, call: str, request: Message) -> Any:
        """Calls the referee until it answers, wherever it is then; what is not revealed yet will be."""
        while True:
            async with grpc.aio.insecure_channel(await self._whereabouts.address()) as channel:
                try:
                    return await getattr(RefereeServiceStub(channel), call)(request)
                except grpc.aio.AioRpcError as error:
                    if error.code() not in _GONE and reason_of(error) != "REPLAY_NOT_AVAILABLE":
                        raise
            await asyncio.sleep(_BEFORE_ASKING_AGAIN_S)


@asynccontextmanager
async def course(whereabouts: Whereabouts, matches: int) -> AsyncIterator[Course]:
    """Keeps so many matches under way until the block ends."""
    async with asyncio.TaskGroup() as group:
        matches_under_way = Course(whereabouts, matches, group)
        yield matches_under_way
        matches_under_way.stop()


def _entries(replay: bytes) -> list[log_pb2.Entry]:
    return [log_pb2.Entry.FromString(part.data) for part in read_parts(BytesIO(replay)) if isinstance(part, EntryPart)]
