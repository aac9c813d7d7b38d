"""All matches of a referee: how they are made, found and listed."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

from unoduo.v1 import match_pb2

from referee.adjudication.terms import DealMode, FaultPolicy, Player, TimeControl
from referee.codec.headers import Header, decode_header, encode_header
from referee.codec.seals import decode_seal
from referee.deal.commitment import DEAL_ID_SIZE, MATCH_ID_SIZE, SALT_SIZE, SEED_SIZE, commitment
from referee.deal.keys import given_deal_id
from referee.log.blinds import BLIND_KEY_SIZE
from referee.log.heads import header_head
from referee.match.actor import MatchActor
from referee.match.clock import Clock
from referee.match.credentials import Credentials, Tokens
from referee.match.faults import Fault, ProblemReason
from referee.match.referee_index import RefereeIndex
from referee.match.refusals import later
from referee.match.seats import Attachment, Delivery, Match, Resume, SeatPort
from referee.match.stored import StoredMatch
from referee.match.summaries import live_summary, stored_summary
from referee.match.surroundings import Surroundings
from referee.rules.outcome import Termination
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from referee.store.base import MatchRow, Secrets, Store
from referee.store.errors import StoreError

MAX_OPEN_MATCHES: Final = 10_000
_SUMMARIES_A_TURN: Final = 16
T = TypeVar("T")

_VOID: Final = (Termination.VOID_ORGANISER, Termination.VOID_REFEREE)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOrder:
    """Holds what an organiser asks for; without a seed (32 bytes) the deal is fresh."""

    ruleset: Ruleset
    time_control: TimeControl
    fault_policy: FaultPolicy
    players: tuple[Player, Player]
    seed: bytes | None = None
    replaces_number: int = 0


@dataclass(frozen=True, slots=True)
class CreatedMatch:
    """Holds a new match and the tokens for it, which are shown once."""

    row: MatchRow
    tokens: Tokens


class Registry:
    """Knows the matches that are under way, and through the store all others.

    `entropy` gives that many random bytes, `wall_clock` the time as RFC 3339 text. It listens to the store: give it to
    `Store.open` before use.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        entropy: Callable[[int], bytes],
        wall_clock: Callable[[], str],
        on_fatal: Callable[[StoreError], None],
        max_open_matches: int = MAX_OPEN_MATCHES,
    ) -> None:
        self.credentials = Credentials()
        self._store = store
        self._entropy = entropy
        self._wall_clock = wall_clock
        self._on_fatal = on_fatal
        self._max_open_matches = max_open_matches
        self._index = RefereeIndex(store)
        self._surroundings = Surroundings(store, self._index, clock, self._let_go)
        self._actors: dict[int, MatchActor] = {}
        self._in_making = 0
        self._draining = False

    @property
    def open_matches(self) -> int:
        """Returns how many matches are under way or about to be."""
        return len(self._actors) + self._in_making

    async def create_match(self, order: MatchOrder) -> CreatedMatch:
        """Makes a match: header and secrets are stored when this returns.

        Raises Fault.
        """
        if self._draining:
            raise Fault(ProblemReason.DRAINING)
        if self.open_matches >= self._max_open_matches:
            raise later(ProblemReason.TOO_MANY_MATCHES)
        if order.replaces_number:
            await self._check_replaced(order.replaces_number)
        self._in_making += 1
        # A caller that goes away in the middle must not tear the making of a match apart.
        creation = asyncio.create_task(self._create(order))
        creation.add_done_callback(self._made)
        return await asyncio.shield(creation)

    def actor(self, number: int) -> MatchActor | None:
        """Returns the match with this number if it is live: made since the start, not sealed and not given up."""
        return self._actors.get(number)

    def attach(
        self,
        match_id: bytes,
        seat: Seat,
        tokens: Iterable[str],
        port: SeatPort,
        handle: int,
        delivery: Delivery,
        resume: Resume | None,
    ) -> Attachment:
        """Returns an attachment with which the seat can be joined, if one of the tokens is that of the seat.

        Whether it is for this match is found out by the join if the match is not live any more. Raises Fault, the same
        for a match that does not exist and a token that is another's.
        """
        offered = [token for token in tokens if token]
        if not offered:
            raise Fault(ProblemReason.TOKEN_MISSING, field="join.seat_token")
        grants = map(self.credentials.grant, offered)
        numbers = [grant.number for grant in grants if grant is not None and grant.seat is seat]
        match: Match | None = None
        for actor in self._known(numbers):
            if actor.row.match_id == match_id:
                match = actor
        put_away = [number for number in numbers if number not in self._actors]
        if match is None and put_away:
            match = StoredMatch(self._store, match_id, put_away)
        if match is None:
            raise Fault(ProblemReason.NOT_YOURS)
        return Attachment(match, seat, port, handle, delivery, resume)

    async def find(self, match_id: bytes) -> MatchRow | None:
        """Returns the row of a match of any time, or None."""
        return await self._reading(self._store.find_match(match_id))

    async def summary(self, row: MatchRow) -> match_pb2.MatchSummary:
        """Returns where a match stands. Raises Fault."""
        actor = self._actors.get(row.number)
        if actor is not None:
            return live_summary(actor, row)
        return await self._reading(stored_summary(self._store, row))

    async def list_matches(self, after_number: int, limit: int) -> Sequence[match_pb2.MatchSummary]:
        """Returns up to `limit` matches by number, from the one after `after_number`. Raises Fault."""
        rows = await self._reading(self._store.list_matches(after_number, limit))
        summaries = []
        for row in rows:
            summaries.append(await self.summary(row))
            if len(summaries) % _SUMMARIES_A_TURN == 0:
                await asyncio.sleep(0)
        return summaries

    def drain(self) -> None:
        """Takes no more matches."""
        self._draining = True

    async def close(self) -> None:
        """Stops all matches where they are; what is stored of them stays."""
        self._draining = True
        for actor in [*self._actors.values()]:
            await actor.close()

    def on_frozen(self, numbers: Sequence[int]) -> None:
        """Stops the clocks of matches that the store cannot take entries of."""
        for actor in self._known(numbers):
            actor.freeze()

    def on_thawed(self, numbers: Sequence[int]) -> None:
        """Lets matches go on."""
        for actor in self._known(numbers):
            actor.thaw()

    def on_fatal(self, error: StoreError) -> None:
        """Passes on that the store is broken for good."""
        self._draining = True
        self._on_fatal(error)

    def _known(self, numbers: Iterable[int]) -> list[MatchActor]:
        return [actor for number in numbers if (actor := self._actors.get(number)) is not None]

    def _made(self, creation: asyncio.Task[CreatedMatch]) -> None:
        self._in_making -= 1

    def _let_go(self, number: int) -> None:
        """Drops a match that is over or given up: from now on the store answers for it."""
        del self._actors[number]

    async def _create(self, order: MatchOrder) -> CreatedMatch:
        draw = self._entropy
        if order.seed is None:
            deal_id, seed = draw(DEAL_ID_SIZE), draw(SEED_SIZE)
        else:
            deal_id, seed = given_deal_id(order.seed), order.seed
        secrets = Secrets(deal_id, seed, draw(SALT_SIZE), draw(BLIND_KEY_SIZE))
        match_id = draw(MATCH_ID_SIZE)
        try:
            row = await self._index.create(partial(self._row, order, match_id, secrets), secrets)
        except StoreError:
            raise later(ProblemReason.STORE_UNAVAILABLE) from None
        actor = MatchActor(self._surroundings, row, decode_header(row.header), secrets)
        self._actors[row.number] = actor
        return CreatedMatch(row, self.credentials.issue(row.number))

    def _row(self, order: MatchOrder, match_id: bytes, secrets: Secrets, number: int, index_head: bytes) -> MatchRow:
        created = self._wall_clock()
        header = encode_header(
            Header(
                match_id=match_id,
                match_number=number,
                index_head=index_head,
                commitment=commitment(match_id, secrets.salt, secrets.deal_id, secrets.seed),
                deal_mode=DealMode.FRESH if order.seed is None else DealMode.GIVEN,
                ruleset=order.ruleset,
                time_control=order.time_control,
                fault_policy=order.fault_policy,
                players=order.players,
                replaces_number=order.replaces_number,
                created=created,
            )
        )
        return MatchRow(number, match_id, header, header_head(header), created)

    async def _check_replaced(self, number: int) -> None:
        seal = await self._reading(self._store.read_seal(number))
        if seal is None or decode_seal(seal.seal).outcome.termination not in _VOID:
            raise Fault(
                ProblemReason.FIELD_INVALID, field="replaces_number", message="there is no void match with this number"
            )

    async def _reading(self, reading: Coroutine[Any, Any, T]) -> T:
        try:
            return await reading
        except StoreError:
            raise later(ProblemReason.STORE_UNAVAILABLE) from None
