"""All matches of a referee: how they are made, found and listed."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from unoduo.v1 import match_pb2

from referee.adjudication.terms import DealMode, FaultPolicy, Player, TimeControl
from referee.codec.headers import Header, decode_header, encode_header
from referee.codec.seals import decode_seal
from referee.deal.commitment import MATCH_ID_SIZE, SALT_SIZE, commitment
from referee.log.blinds import BLIND_KEY_SIZE
from referee.log.heads import header_head
from referee.match.actor import MatchActor
from referee.match.assignments import Assignments
from referee.match.clock import Clock
from referee.match.credentials import Caller, Role, SeatClaim, TokenProofs, Tokens, digest_of
from referee.match.deals import Deals
from referee.match.faults import Fault, ProblemReason
from referee.match.identities import Identities, Renewal
from referee.match.recovery import Recovery
from referee.match.referee_index import IndexPage, RefereeIndex
from referee.match.refusals import later
from referee.match.seats import Attachment, Delivery, Resume, SeatPort
from referee.match.signing import Signer
from referee.match.spectators import Spectators
from referee.match.stored import StoredMatch, read_ended
from referee.match.summaries import live_summary, stored_summary
from referee.match.surroundings import Admission, Surroundings
from referee.rules.outcome import Termination
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from referee.store.base import MatchRow, Secrets, Store
from referee.store.errors import DealClosed, StoreError, UnknownDeal

_SUMMARIES_A_TURN: Final = 16
_ROWS_A_TURN: Final = 64
T = TypeVar("T")

_VOID: Final = (Termination.VOID_ORGANISER, Termination.VOID_REFEREE)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOrder:
    """Holds what an organiser asks for.

    The deal is the shared one with a `deal_id` (16 bytes), else that of a `seed` (32 bytes), else fresh. `bot_seeds`
    are those of the bots in seats A and B (32 bytes each), or none.
    """

    ruleset: Ruleset
    time_control: TimeControl
    fault_policy: FaultPolicy
    players: tuple[Player, Player]
    seed: bytes | None = None
    deal_id: bytes | None = None
    replaces_number: int = 0
    bot_seeds: tuple[bytes, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class CreatedMatch:
    """Holds a new match and the tokens for it, which are shown once."""

    row: MatchRow
    tokens: Tokens


class Registry:
    """Knows the matches that are under way, and through the store all others.

    `entropy` gives that many random bytes, `wall_clock` the time as RFC 3339 text. It listens to the store: give it to
    `Store.open` before use. With an organiser's token, whoever calls without a token is nobody. Without a `signer`
    nothing is signed.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        entropy: Callable[[int], bytes],
        wall_clock: Callable[[], str],
        on_fatal: Callable[[StoreError], None],
        max_open_matches: int,
        admission: Admission,
        organiser_token: str | None = None,
        signer: Signer | None = None,
    ) -> None:
        self.identities = Identities(store, organiser_token)
        self.assignments = Assignments(store)
        self._store = store
        self._entropy = entropy
        self._wall_clock = wall_clock
        self._on_fatal = on_fatal
        self._max_open_matches = max_open_matches
        self._index = RefereeIndex(store, signer)
        self._deals = Deals(store, self._index, entropy)
        self._key_id = b"" if signer is None else signer.key_id
        self._surroundings = Surroundings(store, self._index, clock, self._let_go, self._give_up, admission, signer)
        self._recovery = Recovery(self._surroundings)
        self._actors: dict[int, MatchActor] = {}
        self._by_id: dict[bytes, MatchActor] = {}
        self._in_making: dict[asyncio.Task[None], asyncio.Future[CreatedMatch]] = {}
        self._frozen: set[int] = set()
        self._draining = False

    @property
    def open_matches(self) -> int:
        """Returns how many matches are under way or about to be."""
        return len(self._actors) + len(self._in_making)

    async def recover(self) -> None:
        """Takes over the matches that an earlier process has left, before anything is served; those of a backup end.

        Raises StoreError.
        """
        rows = await self._store.unfinished()
        if self._store.restored:
            await self._recovery.end_all(rows, "the referee was started from a backup")
            await self._deals.close_all()
            await self._store.settle_restore()
            return
        for place, row in enumerate(rows, 1):
            self._keep(MatchActor(self._surroundings, row, decode_header(row.header), None))
            if place % _ROWS_A_TURN == 0:
                await asyncio.sleep(0)

    async def create_match(self, order: MatchOrder) -> CreatedMatch:
        """Makes a match: header and secrets are stored when this returns.

        If it cannot be stored at once because the store stands still, or the caller goes away, a match that is stored
        all the same is declared void: nobody has its tokens. Raises Fault.
        """
        if self._draining:
            raise Fault(ProblemReason.DRAINING)
        self._check_thawed()
        if self.open_matches >= self._max_open_matches:
            raise later(ProblemReason.TOO_MANY_MATCHES)
        for place, player in enumerate(order.players):
            if player.bot and not self.identities.knows_bot(player.bot):
                raise Fault(ProblemReason.BOT_UNKNOWN, field=f"players[{place}].bot")
        if order.replaces_number:
            await self._check_replaced(order.replaces_number)
        answer: asyncio.Future[CreatedMatch] = asyncio.get_running_loop().create_future()
        creation = asyncio.create_task(self._create(order, answer))
        self._in_making[creation] = answer
        creation.add_done_callback(self._made)
        return await answer

    def actor(self, number: int) -> MatchActor | None:
        """Returns the match with this number if it is not over and was not given up; it may be asleep."""
        return self._actors.get(number)

    def attach(
        self,
        caller: Caller,
        match_id: bytes,
        seat: Seat,
        seat_token: str,
        port: SeatPort,
        handle: int,
        delivery: Delivery,
        resume: Resume | None,
    ) -> Attachment:
        """Returns an attachment with which the seat can be joined, by who calls or by the token of the seat.

        Raises Fault if there is neither. Whatever else is wrong the join finds out, in the same way for a match that
        does not exist and for a seat that is another's.
        """
        claim = SeatClaim(seat, caller, seat_token)
        if claim.is_empty:
            raise Fault(ProblemReason.TOKEN_MISSING, field="join.seat_token")
        actor = self._by_id.get(match_id)
        grant = claim.grant(actor.row if actor is not None else None)
        if actor is None or grant is None:
            stored = StoredMatch(self._store, match_id, claim)
            return Attachment(stored, seat, port, handle, delivery, resume)
        return Attachment(actor, seat, port, handle, delivery, resume, grant=grant)

    async def spectators(self, row: MatchRow) -> Spectators:
        """Returns those who watch a match. Raises Fault, also while its deal must stay secret."""
        is_fresh = decode_header(row.header).deal_mode is DealMode.FRESH
        actor = self._actors.get(row.number)
        if actor is not None:
            if not is_fresh:
                raise Fault(ProblemReason.FEED_NOT_AVAILABLE)
            actor.rouse()
            return actor.spectators
        ended = await self._asking(read_ended(self._store, row))
        if not (is_fresh or ended.is_revealed):
            raise Fault(ProblemReason.FEED_NOT_AVAILABLE)
        undelayed = replace(self._surroundings.admission, spectator_delay_ms=0)
        return Spectators(self._surroundings.clock, ended.feed, ended.teller, undelayed)

    async def renew_token(self, row: MatchRow, role: Role) -> Renewal:
        """Gives a seat or the spectators of a match a new token. Raises Fault."""
        self._check_thawed()
        renewal = await self._asking(self.identities.renew(row.number, role))
        actor = self._actors.get(row.number)
        if actor is not None:
            actor.row = actor.row.with_token(role, digest_of(renewal.token))
        return renewal

    async def renew_bot_token(self, name: str) -> Renewal:
        """Gives a bot a new token, also one that is not known yet. Raises Fault."""
        self._check_thawed()
        return await self._asking(self.identities.renew_bot(name))

    async def find(self, match_id: bytes) -> MatchRow | None:
        """Returns the row of a match of any time, or None."""
        return await self._asking(self._store.find_match(match_id))

    async def summary(self, row: MatchRow) -> match_pb2.MatchSummary:
        """Returns where a match stands. Raises Fault."""
        actor = self._actors.get(row.number)
        if actor is not None and not actor.is_asleep:
            return live_summary(actor, row)
        return await self._asking(stored_summary(self._store, row, was_given_up=actor is None))

    async def list_matches(self, after_number: int, limit: int) -> Sequence[match_pb2.MatchSummary]:
        """Returns up to `limit` matches by number, from the one after `after_number`. Raises Fault."""
        rows = await self._asking(self._store.list_matches(after_number, limit))
        summaries = []
        for row in rows:
            summaries.append(await self.summary(row))
            if len(summaries) % _SUMMARIES_A_TURN == 0:
                await asyncio.sleep(0)
        return summaries

    async def void(self, row: MatchRow, reason: str) -> None:
        """Declares a match void for the organiser. Raises Fault."""
        actor = self._actors.get(row.number)
        if actor is not None:
            await actor.void(reason)
            return
        if row.ended:
            raise Fault(ProblemReason.MATCH_ENDED)
        outcome = await self._asking(self._recovery.end(row, Termination.VOID_ORGANISER, reason))
        if outcome.termination is not Termination.VOID_ORGANISER:
            raise Fault(ProblemReason.MATCH_ENDED)

    async def create_deal(self, seed: bytes | None) -> bytes:
        """Makes a deal to share, of a seed (32 bytes) or one that is drawn, and returns its id. Raises Fault."""
        self._check_thawed()
        return await self._asking(self._deals.create(seed))

    async def close_deal(self, deal_id: bytes) -> None:
        """Lets a shared deal take no more matches. Raises Fault."""
        self._check_thawed()
        await self._asking(self._deals.close(deal_id))

    async def index_page(self, after: int, limit: int) -> IndexPage:
        """Returns up to `limit` records of the index behind the first `after`. Raises Fault."""
        return await self._asking(self._index.page(after, limit))

    def drain(self) -> None:
        """Takes no more matches and judges nothing any more; clocks stand."""
        self._draining = True
        for actor in self._actors.values():
            actor.stand_still()

    async def close(self) -> None:
        """Stops all matches where they are; what is stored of them stays."""
        self._draining = True
        for actor in [*self._actors.values()]:
            await actor.close()
        await self._recovery.close()

    def on_frozen(self, numbers: Sequence[int]) -> None:
        """Stops the clocks of matches that the store cannot take entries of, and makes no match until it can."""
        self._frozen.update(numbers)
        for answer in self._in_making.values():
            if not answer.done():
                answer.set_exception(later(ProblemReason.STORE_UNAVAILABLE))
        for actor in self._known(numbers):
            actor.freeze()

    def on_thawed(self, numbers: Sequence[int]) -> None:
        """Lets matches go on."""
        self._frozen.difference_update(numbers)
        for actor in self._known(numbers):
            actor.thaw()

    def on_fatal(self, error: StoreError) -> None:
        """Passes on that the store is broken for good."""
        self._draining = True
        self._on_fatal(error)

    def _check_thawed(self) -> None:
        if self._frozen:
            raise later(ProblemReason.STORE_UNAVAILABLE)

    def _known(self, numbers: Iterable[int]) -> list[MatchActor]:
        return [actor for number in numbers if (actor := self._actors.get(number)) is not None]

    def _made(self, creation: asyncio.Task[None]) -> None:
        answer, error = self._in_making.pop(creation), creation.exception()
        if error is not None and not answer.done():
            answer.set_exception(error)

    def _keep(self, actor: MatchActor) -> None:
        self._actors[actor.row.number] = self._by_id[actor.row.match_id] = actor
        self.assignments.add(actor.row, actor.header)

    def _let_go(self, number: int) -> None:
        """Drops a match that is over or given up: from now on the store answers for it."""
        actor = self._actors.pop(number)
        del self._by_id[actor.row.match_id]
        self.assignments.remove(actor.row, actor.header)

    def _give_up(self, row: MatchRow) -> None:
        """Drops a match that cannot go on in memory, and sees to it that it ends."""
        self._let_go(row.number)
        self._recovery.add(row, "the referee could not go on with it")

    async def _create(self, order: MatchOrder, answer: asyncio.Future[CreatedMatch]) -> None:
        draw = self._entropy
        deal = await self._asking(self._deals.of_match(order.seed, order.deal_id))
        secrets = Secrets(deal.deal_id, deal.seed, draw(SALT_SIZE), draw(BLIND_KEY_SIZE), b"".join(order.bot_seeds))
        match_id, proofs = draw(MATCH_ID_SIZE), TokenProofs()

        def make_row(number: int, index_head: bytes) -> MatchRow:
            if answer.done():
                raise later(ProblemReason.STORE_UNAVAILABLE)
            return self._row(order, deal.mode, match_id, secrets, proofs, number, index_head)

        row = await self._asking(self._index.create(make_row, secrets))
        if answer.done():
            self._recovery.add(row, "nobody was told that it was made")
            return
        actor = MatchActor(self._surroundings, row, decode_header(row.header), secrets)
        self._keep(actor)
        if self._draining:
            actor.stand_still()
        self.assignments.announce(row, actor.header, secrets)
        answer.set_result(CreatedMatch(row, proofs.tokens(row.number)))

    def _row(
        self,
        order: MatchOrder,
        deal_mode: DealMode,
        match_id: bytes,
        secrets: Secrets,
        proofs: TokenProofs,
        number: int,
        index_head: bytes,
    ) -> MatchRow:
        created = self._wall_clock()
        header = encode_header(
            Header(
                match_id=match_id,
                match_number=number,
                index_head=index_head,
                key_id=self._key_id,
                commitment=commitment(match_id, secrets.salt, secrets.deal_id, secrets.seed),
                deal_mode=deal_mode,
                ruleset=order.ruleset,
                time_control=order.time_control,
                fault_policy=order.fault_policy,
                players=order.players,
                replaces_number=order.replaces_number,
                created=created,
            )
        )
        return MatchRow(number, match_id, header, header_head(header), created, proofs.tokens(number).digests)

    async def _check_replaced(self, number: int) -> None:
        seal = await self._asking(self._store.read_seal(number))
        if seal is None or decode_seal(seal.seal).outcome.termination not in _VOID:
            raise Fault(
                ProblemReason.FIELD_INVALID, field="replaces_number", message="there is no void match with this number"
            )

    async def _asking(self, request: Coroutine[Any, Any, T]) -> T:
        try:
            return await request
        except UnknownDeal:
            raise Fault(ProblemReason.DEAL_UNKNOWN, field="deal_id") from None
        except DealClosed:
            raise Fault(ProblemReason.DEAL_CLOSED, field="deal_id") from None
        except StoreError:
            raise later(ProblemReason.STORE_UNAVAILABLE) from None
