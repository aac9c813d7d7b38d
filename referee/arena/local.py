"""Plays matches on this machine."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from referee.adjudication.terms import Player
from referee.arena.host import Host, HostedMatch
from referee.arena.lanes import Lanes, Quarters
from referee.arena.played import Group, PlayedMatch
from referee.arena.seeds import AttemptSeeds, SeedsOf
from referee.arena.together import together
from referee.contest.pairing import Half
from referee.contest.schedule import ScheduledPair
from referee.rules.outcome import Termination
from referee.rules.seats import SEATS


class LocalExecutor:
    """Plays at the referee in this process with bots that it starts; `referee.arena.played.Executor` says what.

    What an earlier runner has played to its end of a pair is taken as it is; a match that was cut with it is played
    again, and its header says which it replaces.
    """

    def __init__(self, quarters: Quarters, seeds: SeedsOf, lanes: Lanes) -> None:
        self._host: Host = quarters.host
        self._specification = quarters.specification
        self._seeds = seeds
        self._lanes = lanes
        self._slots = asyncio.Semaphore(quarters.specification.concurrency)

    @property
    def groups_at_once(self) -> int:
        """How many groups it is worth while to have under way: the two halves of a pair can be played at once."""
        return (self._specification.concurrency + 1) // 2

    async def play(self, group: Group) -> Sequence[PlayedMatch]:
        """Plays the pairs of a group, and opens their deal when all are over. Raises ArenaError."""
        host = self._host
        played = [match for pair in await together(map(self._play_pair, group)) for match in pair]
        for deal_id in dict.fromkeys(match.deal_id for match in played):
            await host.close_deal(deal_id)
        return [
            PlayedMatch(
                match.pair,
                match.attempt,
                match.half,
                match.hosted.match_id,
                match.hosted.outcome,
                await host.replay(match.hosted.number),
            )
            for match in played
        ]

    async def _play_pair(self, pair: ScheduledPair) -> list["_Sealed"]:
        """Plays a pair until it counts: a void half voids both, which get a new deal as long as there are attempts."""
        played: list[_Sealed] = []
        for attempt in range(self._specification.attempts):
            seeds = self._seeds(pair, attempt)
            deal_id = await self._host.open_deal(seeds.deal)
            both = await together(self._play_half(pair, seeds, half, deal_id) for half in Half)
            played += [
                _Sealed(pair.number, attempt, half, deal_id, hosted) for half, hosted in zip(Half, both, strict=True)
            ]
            if all(hosted.outcome.termination is not Termination.VOID_REFEREE for hosted in both):
                break
        return played

    async def _play_half(self, pair: ScheduledPair, seeds: AttemptSeeds, half: Half, deal_id: bytes) -> HostedMatch:
        # Players by their seats, not by their places in the pairing.
        players = [player for _, player in sorted(zip(half.seats, pair.pairing.players, strict=True))]
        entrants = [self._specification.players[player] for player in players]
        earlier = await self._host.earlier(deal_id, (entrants[0].name, entrants[1].name))
        if earlier is not None and not earlier.was_cut:
            return earlier
        async with self._slots, AsyncExitStack() as stack:
            lanes = [await stack.enter_async_context(self._lanes.seat(player, half)) for player in players]
            await together(lane.ready() for lane in lanes)
            hosted = await self._host.play(
                deal_id,
                (Player(entrants[0].name, lanes[0].bot), Player(entrants[1].name, lanes[1].bot)),
                seeds.bots[half],
                0 if earlier is None else earlier.number,
            )
            for seat, lane in zip(SEATS, lanes, strict=True):
                if seat not in hosted.outcome.faulted:
                    lane.has_played()
            return hosted


@dataclass(frozen=True, slots=True)
class _Sealed:
    """Holds a match that is over, and its deal, which may not be public yet."""

    pair: int
    attempt: int
    half: Half
    deal_id: bytes
    hosted: HostedMatch


@asynccontextmanager
async def local_executor(quarters: Quarters, seeds: SeedsOf) -> AsyncIterator[LocalExecutor]:
    """Yields what plays on this machine; when the block is left, no bot runs any more."""
    async with Lanes(quarters) as lanes:
        yield LocalExecutor(quarters, seeds, lanes)
