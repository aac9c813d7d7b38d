"""Plays matches of bots that are functions of Python, without sockets, in as many processes as there are cores.

Nothing keeps the halves of a pair apart: only bots that keep no memory play fairly here.
"""

import os
import traceback
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from referee.adjudication.terms import DealMode, Player
from referee.arena.cores import cores
from referee.arena.failures import ArenaError, SpecificationError
from referee.arena.functions import MakeBot, find_function
from referee.arena.played import Group, PlayedMatch
from referee.arena.seeds import AttemptSeeds, SeedsOf
from referee.arena.specification import Specification
from referee.arena.unclocked import Bot, play_unclocked
from referee.arena.workers import WorkerEnded, Workers, working
from referee.codec.headers import Header
from referee.codec.seals import Reveal
from referee.contest.pairing import Half
from referee.contest.schedule import ScheduledPair
from referee.deal.commitment import MATCH_ID_SIZE, SALT_SIZE, commitment
from referee.deal.keys import shared_deal_id
from referee.log.blinds import BLIND_KEY_SIZE
from referee.log.heads import INDEX_ORIGIN

_WAITING_GROUPS: Final = 4


class InProcessExecutor:
    """Plays in processes of its own; `referee.arena.played.Executor` says what."""

    def __init__(self, workers: Workers[Group, list[PlayedMatch]], count: int) -> None:
        self._workers = workers
        self._count = count

    @property
    def groups_at_once(self) -> int:
        """How many groups it is worth while to have under way: some wait, so that no process does."""
        return self._count + _WAITING_GROUPS

    async def play(self, group: Group) -> Sequence[PlayedMatch]:
        """Plays the pairs of a group. Raises ArenaError."""
        try:
            return await self._workers.do(group)
        except WorkerEnded:
            numbers = ", ".join(str(pair.number) for pair in group)
            raise ArenaError(
                f"the process that was to play pair {numbers} has ended: a bot may have ended it"
            ) from None


@asynccontextmanager
async def in_process_executor(specification: Specification, seeds: SeedsOf) -> AsyncIterator[InProcessExecutor]:
    """Yields what plays in process. Raises SpecificationError for a player without a function, and OSError."""
    find_functions(specification)
    count = cores()
    async with working(partial(_play, specification, seeds), count) as workers:
        yield InProcessExecutor(workers, count)


def find_functions(specification: Specification) -> None:
    """Finds the functions of all players. Raises SpecificationError."""
    for place, player in enumerate(specification.players):
        key = f"players[{place}].function"
        if not player.function:
            raise SpecificationError(key, "is missing, and needed to play in process")
        _maker(player.function, specification.folder, key)


@cache
def _maker(name: str, folder: Path, key: str) -> MakeBot:
    return find_function(name, folder, key)


def _play(specification: Specification, seeds: SeedsOf, group: Group) -> list[PlayedMatch]:
    return [_play_half(specification, seeds(pair, 0), pair, half) for pair in group for half in Half]


def _play_half(specification: Specification, seeds: AttemptSeeds, pair: ScheduledPair, half: Half) -> PlayedMatch:
    # Players by their seats, not by their places in the pairing. Nothing fails here that could void a match.
    players = [player for _, player in sorted(zip(half.seats, pair.pairing.players, strict=True))]
    first, second = (specification.players[player] for player in players)
    reveal = Reveal(shared_deal_id(seeds.deal), seeds.deal, os.urandom(SALT_SIZE))
    match_id = os.urandom(MATCH_ID_SIZE)
    header = Header(
        match_id=match_id,
        match_number=2 * (pair.number - 1) + half,
        index_head=INDEX_ORIGIN,
        commitment=commitment(match_id, reveal.salt, reveal.deal_id, reveal.seed),
        deal_mode=DealMode.SHARED,
        ruleset=specification.terms.ruleset,
        time_control=specification.terms.time_control,
        fault_policy=specification.terms.fault_policy,
        players=(Player(first.name), Player(second.name)),
        created=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )
    bots = [
        _bot(_maker(entrant.function, specification.folder, "function"), seed)
        for entrant, seed in zip((first, second), seeds.bots[half], strict=True)
    ]
    outcome, replay = play_unclocked(header, reveal, os.urandom(BLIND_KEY_SIZE), bots)
    return PlayedMatch(pair.number, 0, half, match_id, outcome, replay)


def _bot(make: MakeBot, seed: bytes) -> Bot:
    try:
        return make(seed)
    except (Exception, SystemExit) as error:
        traceback.print_exception(error)
        return _not_there


def _not_there(_observation: Any) -> None:
    """Is a bot that could not be made: it never gives an action."""
