"""The referee of a tournament, in this process and on loopback: makes its matches and says how they ended."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import Final

from referee.adjudication.terms import Player, Terms
from referee.arena.descriptors import take_all_descriptors
from referee.arena.failures import ArenaError
from referee.codec.headers import decode_header
from referee.codec.seals import decode_seal
from referee.deal.keys import shared_deal_id
from referee.match.faults import Fault, ProblemReason
from referee.match.registry import MatchOrder
from referee.match.replays import replay_page
from referee.rules.outcome import Outcome, Termination
from referee.server.binding import ServeError
from referee.server.limits import Limits
from referee.server.runtime import Running, serve
from referee.store.base import MatchRow, Store
from referee.store.errors import StoreError, StoreUnavailable
from referee.store.sqlite import SqliteStore

CUT: Final = "cut by the end of the runner"
_POLL_S: Final = 0.02
# Less than the store has: what it gives up ends void, and a full disk would use up the attempts at every pair.
_STORE_PATIENCE_S: Final = 20.0


@dataclass(frozen=True, slots=True)
class HostedMatch:
    """Holds a match that is over: its number and id, its players in seats A and B, its outcome."""

    number: int
    match_id: bytes
    names: tuple[str, str]
    outcome: Outcome

    @property
    def was_cut(self) -> bool:
        """Whether it was dropped when its runner ended, which is no result: only a cut match is void by organiser."""
        return self.outcome.termination is Termination.VOID_ORGANISER


class Host:
    """Is a referee that serves; all methods raise ArenaError when it cannot go on."""

    def __init__(self, running: Running, store: Store, terms: Terms) -> None:
        self._running = running
        self._registry = running.registry
        self._store = store
        self._terms = terms

    @property
    def address(self) -> str:
        """Where bots find it."""
        return self._running.address

    @property
    def port(self) -> int:
        """The port of its address."""
        return self._running.port

    async def new_token(self, bot: str) -> str:
        """Returns a new token for a bot, the only one that it has."""
        try:
            return (await self._registry.renew_bot_token(bot)).token
        except Fault as fault:
            raise _failure(fault) from fault

    def is_connected(self, bot: str) -> bool:
        """Returns whether a session of the bot is there, so that it learns of its matches."""
        return self._registry.assignments.is_followed(bot)

    async def open_deal(self, seed: bytes) -> bytes:
        """Returns the id of the deal of a seed, made if it is not there; an earlier runner may have closed it."""
        deal_id = shared_deal_id(seed)
        try:
            if await self._store.read_deal(deal_id) is None:
                await self._registry.create_deal(seed)
        except (Fault, StoreError) as error:
            raise _failure(error) from error
        return deal_id

    async def close_deal(self, deal_id: bytes) -> None:
        """Opens a deal to the public, all of whose matches are over."""
        try:
            await self._registry.close_deal(deal_id)
        except Fault as fault:
            raise _failure(fault) from fault

    async def earlier(self, deal_id: bytes, names: tuple[str, str]) -> HostedMatch | None:
        """Returns the last match of a deal with these players in seats A and B, which is over, or None."""
        try:
            for row in reversed(await self._store.deal_matches(deal_id)):
                match = await self._ended(row)
                if match is not None and match.names == names:
                    return match
        except StoreError as error:
            raise _failure(error) from error
        return None

    async def play(
        self, deal_id: bytes, players: tuple[Player, Player], bot_seeds: Sequence[bytes], replaces_number: int
    ) -> HostedMatch:
        """Makes a match for bots that are there, and returns it when it is over."""
        order = MatchOrder(
            ruleset=self._terms.ruleset,
            time_control=self._terms.time_control,
            fault_policy=self._terms.fault_policy,
            players=players,
            deal_id=deal_id,
            replaces_number=replaces_number,
            bot_seeds=tuple(bot_seeds),
        )
        try:
            return await self._sealed((await self._registry.create_match(order)).row)
        except (Fault, StoreError) as error:
            raise _failure(error) from error

    async def replay(self, number: int) -> bytes:
        """Returns the replay file of a match, whose deal is public."""
        try:
            row = await self._store.read_match(number)
            assert row is not None
            data, token = await replay_page(self._store, row, "")
            while token:
                page, token = await replay_page(self._store, row, token)
                data += page
            return data
        except (Fault, StoreError) as error:
            raise _failure(error) from error

    async def drop_unfinished(self) -> None:
        """Declares void what an earlier runner has left under way. Raises ArenaError."""
        try:
            for row in await self._store.unfinished():
                try:
                    await self._registry.void(row, CUT)
                except Fault as fault:
                    if fault.reason is not ProblemReason.MATCH_ENDED:
                        raise
                    # It was played to its end, and cut just before its seal.
                    await self._sealed(row)
        except (Fault, StoreError) as error:
            raise _failure(error) from error

    async def _sealed(self, row: MatchRow) -> HostedMatch:
        """Waits for the end of a match. Raises ArenaError when the store takes nothing of it for long."""
        loop = asyncio.get_running_loop()
        patience_until = loop.time() + _STORE_PATIENCE_S
        while True:
            # As long as it is in memory, the store need not be asked.
            if (actor := self._registry.actor(row.number)) is None and (match := await self._ended(row)) is not None:
                return match
            if actor is None or not actor.frozen:
                patience_until = loop.time() + _STORE_PATIENCE_S
            elif loop.time() > patience_until:
                raise ArenaError("the disk takes no more of the matches: is it full?")
            self._check_store()
            await asyncio.sleep(_POLL_S)

    async def _ended(self, row: MatchRow) -> HostedMatch | None:
        seal = await self._store.read_seal(row.number)
        if seal is None:
            return None
        first, second = decode_header(row.header).players
        return HostedMatch(row.number, row.match_id, (first.name, second.name), decode_seal(seal.seal).outcome)

    def _check_store(self) -> None:
        if self._running.failed.done():
            raise self._running.failed.result()


@asynccontextmanager
async def hosting(directory: Path, terms: Terms, matches_at_once: int) -> AsyncIterator[Host]:
    """Runs a referee that keeps its matches in a directory, those of earlier runs too. Raises ArenaError."""
    take_all_descriptors()
    # A match that was under way when the machine stopped is dropped.
    store = SqliteStore(directory, sync_entries=False)
    # A session of a bot may hold a seat in all of them, and in those that have just ended.
    limits = Limits(max_seats=max(Limits().max_seats, 4 * matches_at_once), max_sessions=4096, drain_grace_ms=200)
    try:
        # Nobody has the token of the organiser: only this process makes matches.
        async with serve(store, limits=limits, organiser_token=token_urlsafe(), entropy=os.urandom) as running:
            host = Host(running, store, terms)
            await host.drop_unfinished()
            yield host
    except (ServeError, StoreUnavailable) as error:
        raise ArenaError(str(error)) from error


def _failure(error: Exception) -> ArenaError:
    return ArenaError(f"the referee of the tournament cannot go on: {error}")
