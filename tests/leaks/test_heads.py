"""Heads are told while cards are hidden: nobody can find out by them which cards those are."""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from hmac import digest

import pytest

from referee.codec.entries import Entry, decode_entry, encode_entry
from referee.rules.cards import Card
from referee.rules.events import Event
from referee.rules.seats import Seat
from referee.server.limits import Limits
from tests.leaks import transcript
from tests.leaks.comparison import Draws, World, play
from tests.leaks.plans import Plan
from tests.leaks.wires import DirectWire
from tests.leaks.worlds import pairs

_MATCHES = 6
_BLIND_SIZE = 16


async def _worlds(monkeypatch: pytest.MonkeyPatch) -> list[World]:
    """Returns matches as seat A observes them, heads and headers included."""
    monkeypatch.setattr(transcript, "masked", lambda call, message: message)
    worlds: list[World] = []
    for pair in pairs(90_000, _MATCHES, Seat.A):
        plan = Plan.of(pair.seed)
        wire = DirectWire(Draws(len(worlds), plan.is_fresh), Limits())
        await wire.start()
        worlds.append(await play(pair, 0, replace(plan, delay_ms=0), wire, monkeypatch))
    return worlds


def _told(world: World) -> list[bytes]:
    return [piece for pieces in world.transcript.channels.values() for piece in pieces]


def _hiding(world: World) -> Iterator[tuple[bytes, Entry, int]]:
    """Yields the entries that hide one card from seat A: the head before it, the entry, and the place of the event."""
    before = world.h0
    for stored in world.entries:
        entry = decode_entry(stored.data)
        places = [
            place
            for place, event in enumerate(entry.events)
            if isinstance(event, Event) and event.private_to is Seat.B and event.private_cards
        ]
        if len(places) == 1 and len(_event(entry, places[0]).private_cards) == 1:
            yield before, entry, places[0]
        before = stored.head


def _event(entry: Entry, place: int) -> Event:
    event = entry.events[place]
    assert isinstance(event, Event)
    return event


def _found(before: bytes, entry: Entry, place: int, head: bytes, blinds: set[bytes]) -> set[Card]:
    """Returns the cards with which the entry has this head behind some of the blinds, all else being known."""
    found = set()
    for card in Card:
        events = [*entry.events]
        events[place] = replace(_event(entry, place), private_cards=(card,))
        data = encode_entry(replace(entry, events=tuple(events))).data
        start, _, end = data.partition(entry.blind)
        opened = sha256(b"\x01" + before + start)
        for guess in blinds:
            hashed = opened.copy()
            hashed.update(guess + end)
            if hashed.digest() == head:
                found.add(card)
    return found


async def test_hidden_card_is_found_with_the_blind_and_not_without(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = 0
    for world in await _worlds(monkeypatch):
        told = _told(world)
        pieces = sorted(told, key=len)[-3:]
        guesses = {piece[at : at + _BLIND_SIZE] for piece in pieces for at in range(len(piece) - _BLIND_SIZE + 1)}
        heads = {stored.index: stored.head for stored in world.entries}
        for before, entry, place in list(_hiding(world))[:2]:
            head, secrets = heads[entry.index], world.secrets
            assert any(head in piece for piece in told)
            # What the reveal will open does not open a head either.
            keys = (secrets.seed, secrets.salt, before, world.h0)
            derived = {_blind(key, entry.index) for key in keys} | {key[:_BLIND_SIZE] for key in keys}
            others = {stored_blind for stored_blind in _blinds(world) if stored_blind != entry.blind}
            assert _found(before, entry, place, head, {bytes(_BLIND_SIZE), *derived, *others, *guesses}) == set()
            (card,) = _event(entry, place).private_cards
            assert entry.blind == _blind(secrets.blind_key, entry.index)
            assert _found(before, entry, place, head, {entry.blind}) == {card}
            searched += len(guesses)
    assert searched > 5_000


async def test_blinds_are_never_told_and_never_used_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[bytes] = []
    for world in await _worlds(monkeypatch):
        told, blinds = _told(world), _blinds(world)
        assert not any(secret in piece for secret in blinds for piece in told)
        secrets = world.secrets
        assert not any(secret in piece for secret in (secrets.seed, secrets.salt, secrets.blind_key) for piece in told)
        used += blinds
    assert len(used) > 50
    assert len(set(used)) == len(used)


def _blind(key: bytes, index: int) -> bytes:
    """Returns a blind as PROTOCOL.md makes it of the right key."""
    return digest(key, b"unoduo/v1/blind\0" + index.to_bytes(4), "sha256")[:_BLIND_SIZE]


def _blinds(world: World) -> list[bytes]:
    return [decode_entry(stored.data).blind for stored in world.entries]
