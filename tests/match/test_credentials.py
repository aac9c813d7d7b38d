"""Tokens, and whom they name."""

import gc
import sys
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from referee.adjudication.terms import Player
from referee.match.credentials import (
    Caller,
    CallerKind,
    Claim,
    Role,
    SeatClaim,
    TokenProofs,
    claim_of,
    digest_of,
    new_token,
)
from referee.match.faults import Fault, ProblemReason
from referee.match.identities import Identities, Renewal
from referee.match.registry import CreatedMatch
from referee.rules.seats import SEATS, Seat
from referee.store.base import Secrets
from referee.store.memory import MemoryStore
from tests.match.table import NOBODY, ORDER, Table

UNKNOWN = ["", "x", "\ud800", "é" * 40, "é" * 10_000, "A" * 40, "_" * 40, "!" * 40, "=" * 40]


@pytest.fixture
async def identities() -> AsyncIterator[Identities]:
    store = MemoryStore()
    await store.open()
    yield Identities(store, "the organiser")
    await store.close()


def caller_by(token: str, kind: CallerKind = CallerKind.SEAT) -> Caller:
    return Caller(kind, "", digest_of(token))


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("number", [0, 1, 4_294_967_295])
def test_token_says_what_it_is_for(role: Role, number: int) -> None:
    token = new_token(number, role)
    assert claim_of(token) == Claim(number, role)
    assert (len(token), token.isascii()) == (40, True)


def test_secrets_are_not_in_what_may_be_logged() -> None:
    tokens, renewal = TokenProofs().tokens(7), Renewal("a token", b"")
    claim = SeatClaim(Seat.A, NOBODY, tokens.seats[0])
    secrets = Secrets(b"deal id", b"seed", b"salt", b"blind key")
    logged = f"{tokens} {claim} {renewal} {secrets}"
    for secret in (*tokens.seats, tokens.spectator, "a token", "deal id", "seed", "salt", "blind key"):
        assert secret not in logged


def test_tokens_of_a_match_are_different_and_stay_the_same() -> None:
    matches = [TokenProofs() for _ in range(50)]
    drawn = [proofs.tokens(7) for proofs in matches]
    tokens = [token for those in drawn for token in (*those.seats, those.spectator)]
    assert len({*tokens, *(new_token(7, Role.SEAT_A) for _ in range(50))}) == 4 * 50
    assert matches[0].tokens(7) == matches[0].tokens(7)
    assert matches[0].tokens(7).digests == tuple(map(digest_of, tokens[:3]))
    assert [claim_of(token) for token in tokens[:3]] == [Claim(7, Role(place)) for place in range(3)]


@pytest.mark.parametrize("token", UNKNOWN)
async def test_unknown_token_is_nobodys(identities: Identities, token: str) -> None:
    assert await identities.caller(token) is None


@pytest.mark.parametrize("token", ["", "x", "!" * 40, "=" * 40, "é" * 40, "A" * 39, "A" * 41])
def test_text_that_can_be_no_token_claims_nothing(token: str) -> None:
    assert claim_of(token) is None


async def test_tokens_of_a_match_name_its_seats_and_spectators(table: Table) -> None:
    match = await table.create()
    for seat in SEATS:
        assert await table.registry.identities.caller(match.tokens.seats[seat]) == caller_by(match.tokens.seats[seat])
    spectator = await table.registry.identities.caller(match.tokens.spectator)
    assert spectator == caller_by(match.tokens.spectator, CallerKind.SPECTATOR)


async def test_token_with_any_character_changed_is_nobodys(table: Table) -> None:
    match = await table.create()
    token = match.tokens.seats[Seat.B]
    for place, character in enumerate(token):
        for other in "Az09-_=":
            if other != character:
                wrong = token[:place] + other + token[place + 1 :]
                assert await table.registry.identities.caller(wrong) is None


async def test_organiser_is_known_by_its_token(identities: Identities) -> None:
    assert await identities.caller("the organiser") == Caller(CallerKind.ORGANISER)
    assert identities.without_token == Caller(CallerKind.NOBODY)


def test_organiser_without_a_token_is_whoever_calls_without_one() -> None:
    assert Identities(MemoryStore(), None).without_token == Caller(CallerKind.ORGANISER)


async def test_bot_is_known_by_its_last_token(identities: Identities) -> None:
    first = await identities.renew_bot("crow")
    other = await identities.renew_bot("jackdaw")
    again = await identities.renew_bot("crow")
    assert (first.revoked, other.revoked, again.revoked) == (b"", b"", digest_of(first.token))
    assert await identities.caller(first.token) is None
    assert await identities.caller(again.token) == Caller(CallerKind.BOT, "crow", digest_of(again.token))
    assert await identities.caller(other.token) == Caller(CallerKind.BOT, "jackdaw", digest_of(other.token))
    assert (identities.knows_bot("crow"), identities.knows_bot("rook")) == (True, False)


async def test_bots_are_known_after_a_restart() -> None:
    store = MemoryStore()
    await store.open()
    tokens = [(await Identities(store, None).renew_bot("crow")).token]
    again = Identities(store, None)
    await again.load()
    tokens.append((await again.renew_bot("jackdaw")).token)
    third = Identities(store, None)
    await third.load()
    assert [known and known.bot for known in [await third.caller(token) for token in tokens]] == ["crow", "jackdaw"]
    await store.close()


@pytest.mark.parametrize("role", [Role.SEAT_A, Role.SEAT_B, Role.SPECTATOR])
async def test_renewed_token_takes_the_place_of_the_old_one_alone(table: Table, role: Role) -> None:
    match = await table.create()
    identities = table.registry.identities
    old = [*match.tokens.seats, match.tokens.spectator]
    renewal = await identities.renew(match.row.number, role)
    assert renewal.revoked == digest_of(old[role])
    known = [await identities.caller(token) for token in (renewal.token, *old)]
    assert known[0] is not None
    assert [caller is None for caller in known[1:]] == [place == role for place in range(3)]


def test_claim_by_nothing_is_empty() -> None:
    assert SeatClaim(Seat.A, NOBODY, "").is_empty
    assert SeatClaim(Seat.A, Caller(CallerKind.ORGANISER), "").is_empty
    assert not SeatClaim(Seat.A, NOBODY, "x").is_empty
    assert not SeatClaim(Seat.A, caller_by("x", CallerKind.SPECTATOR), "").is_empty


async def test_seat_is_granted_by_its_own_token_alone(table: Table) -> None:
    match, rival = await table.create(), await table.create()
    row, own = match.row, match.tokens.seats[Seat.A]
    others = (match.tokens.seats[Seat.B], match.tokens.spectator, *rival.tokens.seats, "guess", "")
    for caller, token in ((NOBODY, own), (caller_by(own), ""), (caller_by(own), "guess"), (caller_by("x"), own)):
        assert SeatClaim(Seat.A, caller, token).grant(row) == digest_of(own)
        assert SeatClaim(Seat.A, caller, token).grant(None) is None
    for token in others:
        assert SeatClaim(Seat.A, NOBODY, token).grant(row) is None
        assert SeatClaim(Seat.A, caller_by(token), token).grant(row) is None


async def test_bot_is_granted_the_seats_that_it_was_given(table: Table) -> None:
    match = await bots_match(table, "crow", "")
    crow, rook = (Caller(CallerKind.BOT, name, digest_of(name)) for name in ("crow", "rook"))
    assert SeatClaim(Seat.A, crow, "").grant(match.row) == crow.digest
    assert SeatClaim(Seat.B, crow, "").grant(match.row) is None
    assert SeatClaim(Seat.A, rook, "").grant(match.row) is None
    assert SeatClaim(Seat.B, NOBODY, "").grant(match.row) is None
    assert (crow.belongs_to(match.row), rook.belongs_to(match.row), crow.belongs_to(None)) == (True, False, False)


async def test_callers_belong_to_their_own_match(table: Table) -> None:
    match, rival = await table.create(), await table.create()
    for token in (*match.tokens.seats, match.tokens.spectator):
        caller = caller_by(token)
        assert caller.belongs_to(match.row)
        assert not caller.belongs_to(rival.row)
        assert not caller.belongs_to(None)
    assert not NOBODY.belongs_to(match.row)


async def test_match_for_an_unknown_bot_is_not_made(table: Table) -> None:
    for place in range(2):
        names = ["", ""]
        names[place] = "crow"
        with pytest.raises(Fault) as refusal:
            await table.create(replace(ORDER, players=(Player("Ada", names[0]), Player("Bob", names[1]))))
        assert (refusal.value.reason, refusal.value.field) == (ProblemReason.BOT_UNKNOWN, f"players[{place}].bot")


async def test_tokens_leave_nothing_behind(table: Table) -> None:
    match = await table.create()
    tokens = (*match.tokens.seats, match.tokens.spectator)
    assert not any(token in repr(vars(table.registry.identities)) + repr(match.row) for token in tokens)
    gc.collect()
    before = sys.getallocatedblocks()
    for token in tokens * 3_000:
        await table.registry.identities.caller(token)
    gc.collect()
    assert sys.getallocatedblocks() - before < 1_000


async def bots_match(table: Table, bot_a: str, bot_b: str) -> CreatedMatch:
    for name in (bot_a, bot_b):
        if name:
            await table.registry.identities.renew_bot(name)
    return await table.create(replace(ORDER, players=(Player("Ada", bot_a), Player("Bob", bot_b))))
