"""Whom the referee knows: it tells callers by their tokens, and replaces tokens."""

import asyncio
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Final

from referee.match.credentials import NO_DIGEST, Caller, CallerKind, Claim, Role, claim_of, digest_of, new_token
from referee.store.base import BotRow, Store

_KINDS: Final = (CallerKind.SEAT, CallerKind.SEAT, CallerKind.SPECTATOR, CallerKind.BOT)


@dataclass(frozen=True, slots=True)
class Renewal:
    """Holds a token that took the place of another: its text, which is shown once, and the digest that holds no more.

    `revoked` is empty for the first token of a bot.
    """

    token: str = field(repr=False)
    revoked: bytes


class Identities:
    """Knows bots by name, and everybody by token.

    Whoever calls without a token is nobody if the organiser has a token of its own, else the organiser. Call `load`
    when the store is open.
    """

    def __init__(self, store: Store, organiser_token: str | None) -> None:
        self._store = store
        self._organiser = digest_of(organiser_token) if organiser_token is not None else None
        self._bots: dict[int, BotRow] = {}
        self._by_name: dict[str, BotRow] = {}
        # One token is replaced at a time, so that none is lost that must be told to be revoked.
        self._renewing = asyncio.Lock()

    @property
    def without_token(self) -> Caller:
        """Returns who calls without a token."""
        return Caller(CallerKind.ORGANISER if self._organiser is None else CallerKind.NOBODY)

    async def load(self) -> None:
        """Reads the bots. Raises StoreError."""
        for row in await self._store.bots():
            self._keep(row)

    def knows_bot(self, name: str) -> bool:
        """Returns whether there is a bot of this name."""
        return name in self._by_name

    async def caller(self, token: str) -> Caller | None:
        """Returns whose token this is, or None if it is nobody's. Raises StoreError.

        Whether there is such a match or bot, the same is looked up and compared.
        """
        digest, claim = digest_of(token), claim_of(token)
        is_organiser = compare_digest(digest, self._organiser or NO_DIGEST)
        is_claimed = compare_digest(digest, await self._kept(claim))
        if is_organiser:
            return Caller(CallerKind.ORGANISER)
        if claim is None or not is_claimed:
            return None
        name = self._bots[claim.number].name if claim.role is Role.BOT else ""
        return Caller(_KINDS[claim.role], name, digest)

    async def renew(self, number: int, role: Role) -> Renewal:
        """Gives a seat or the spectators of a match a new token. Raises StoreError."""
        async with self._renewing:
            revoked = await self._kept(Claim(number, role))
            token = new_token(number, role)
            await self._store.replace_token_digest(number, role, digest_of(token))
            return Renewal(token, revoked)

    async def renew_bot(self, name: str) -> Renewal:
        """Gives a bot a new token; one that is not known becomes so. Raises StoreError."""
        async with self._renewing:
            known = self._by_name.get(name)
            number = known.number if known is not None else len(self._bots) + 1
            token = new_token(number, Role.BOT)
            row = BotRow(number, name, digest_of(token))
            await self._store.put_bot(row)
            self._keep(row)
            return Renewal(token, known.token_digest if known is not None else b"")

    async def _kept(self, claim: Claim | None) -> bytes:
        """Returns the digest of the token that is claimed, or one that no token has."""
        if claim is None:
            return NO_DIGEST
        if claim.role is Role.BOT:
            bot = self._bots.get(claim.number)
            return bot.token_digest if bot is not None else NO_DIGEST
        row = await self._store.read_match(claim.number)
        return row.token_digests[claim.role] if row is not None else NO_DIGEST

    def _keep(self, row: BotRow) -> None:
        self._bots[row.number] = self._by_name[row.name] = row
