"""Plays matches of bots that are functions of Python, without sockets, in as many processes as there are cores.

Nothing keeps the halves of a pair apart: only bots that keep no memory play fairly here.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Final

from referee.adjudication.terms import DealMode, Player
from referee.arena.box import die_with
from referee.arena.failures import ArenaError, SpecificationError
from referee.arena.functions import MakeBot, find_function
from referee.arena.played import Group, PlayedMatch
from referee.arena.specification import Specification
from referee.arena.unclocked import play_unclocked
from referee.codec.headers import Header
from referee.codec.seals import Reveal
from referee.contest.pairing import Half
from referee.contest.schedule import ScheduledPair
from referee.contest.seeds import pair_bot_seed
from referee.deal.commitment import MATCH_ID_SIZE, SALT_SIZE, commitment
from referee.deal.keys import shared_deal_id
from referee.deal.master import pair_seed
from referee.log.blinds import BLIND_KEY_SIZE
from referee.log.heads import INDEX_ORIGIN
from referee.rules.seats import SEATS

_WAITING_GROUPS: Final = 4


@dataclass(frozen=True, slots=True)
class _Job:
    specification: Specification
    master: bytes = field(repr=False)
    group: Group


class InProcessExecutor:
    """Plays in a pool of processes; `referee.arena.played.Executor` says what."""

    def __init__(self, specification: Specification, master: bytes, pool: ProcessPoolExecutor, workers: int) -> None:
        self._specification = specification
        self._master = master
        self._pool = pool
        self._workers = workers

    @property
    def groups_at_once(self) -> int:
        """How many groups it is worth while to have under way: some wait, so that no process does."""
        return self._workers + _WAITING_GROUPS

    async def play(self, group: Group) -> Sequence[PlayedMatch]:
        """Plays the pairs of a group. Raises ArenaError."""
        job = _Job(self._specification, self._master, group)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, _play, job)
        except OSError as error:
            raise ArenaError(f"the processes that play cannot go on: {error}") from error


@asynccontextmanager
async def in_process_executor(specification: Specification, master: bytes) -> AsyncIterator[InProcessExecutor]:
    """Yields what plays in process. Raises SpecificationError for a player without a function."""
    find_functions(specification)
    workers = os.cpu_count() or 1
    before = set(active_children())
    # Not forked: this process has threads.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), die_with, (os.getpid(),))
    try:
        yield InProcessExecutor(specification, master, pool, workers)
    finally:
        # A function that hangs must not be waited for.
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(active_children()) - before:
            process.kill()


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


def _play(job: _Job) -> list[PlayedMatch]:
    return [_play_half(job, pair, half) for pair in job.group for half in Half]


def _play_half(job: _Job, pair: ScheduledPair, half: Half) -> PlayedMatch:
    specification, master = job.specification, job.master
    # Players by their seats, not by their places in the pairing. Nothing fails here that could void a match.
    players = [player for _, player in sorted(zip(half.seats, pair.pairing.players, strict=True))]
    first, second = (specification.players[player] for player in players)
    seed = pair_seed(master, pair.deal, 0, specification.entropies)
    reveal = Reveal(shared_deal_id(seed), seed, os.urandom(SALT_SIZE))
    match_id = os.urandom(MATCH_ID_SIZE)
    header = Header(
        match_id=match_id,
        match_number=2 * (pair.number - 1) + half,
        index_head=INDEX_ORIGIN,
        commitment=commitment(match_id, reveal.salt, reveal.deal_id, seed),
        deal_mode=DealMode.SHARED,
        ruleset=specification.terms.ruleset,
        time_control=specification.terms.time_control,
        fault_policy=specification.terms.fault_policy,
        players=(Player(first.name), Player(second.name)),
        created=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )
    bots = [
        _maker(entrant.function, specification.folder, "function")(pair_bot_seed(master, pair.number, 0, half, seat))
        for seat, entrant in zip(SEATS, (first, second), strict=True)
    ]
    outcome, replay = play_unclocked(header, reveal, os.urandom(BLIND_KEY_SIZE), bots)
    return PlayedMatch(pair.number, 0, half, match_id, outcome, replay)
