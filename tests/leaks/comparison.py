"""Plays both worlds of a pair with everything else the same, and says what each lets its observers know."""

from dataclasses import dataclass
from random import Random

import pytest

from referee.deal.commitment import DEAL_ID_SIZE, MATCH_ID_SIZE, SALT_SIZE, SEED_SIZE
from referee.log.blinds import BLIND_KEY_SIZE
from referee.match import feed, rebuild
from referee.server.limits import Limits
from referee.server.servicer import SERVICE
from referee.store.base import Secrets, StoredEntry
from tests.leaks.course import Course
from tests.leaks.plans import Plan
from tests.leaks.probes import PROBES
from tests.leaks.transcript import Transcript
from tests.leaks.wires import DirectWire, Wire
from tests.leaks.worlds import Orders, Pair

# One in so many steps is followed by questions of all observers.
_CURIOSITY = 12


@dataclass(frozen=True, slots=True)
class World:
    """Holds what the observers of one world were told, and what they were not: the secrets and the log of its match."""

    transcript: Transcript
    secrets: Secrets
    h0: bytes
    entries: list[StoredEntry]


class Draws:
    """Gives the random bytes of a referee: what an observer may see is the same in both worlds, secrets are not."""

    def __init__(self, world: int, is_fresh: bool) -> None:
        self._common, self._own = Random("common"), Random(f"own {world}")
        deal = [(DEAL_ID_SIZE, True), (SEED_SIZE, True)] if is_fresh else []
        self._order = [*deal, (SALT_SIZE, False), (BLIND_KEY_SIZE, True), (MATCH_ID_SIZE, False)]
        self._place = 0

    def __call__(self, size: int) -> bytes:
        expected, is_secret = self._order[self._place % len(self._order)]
        assert size == expected
        self._place += 1
        return (self._own if is_secret else self._common).randbytes(size)


async def play(pair: Pair, world: int, plan: Plan, wire: Wire, monkeypatch: pytest.MonkeyPatch) -> World:
    """Plays one world of a pair on a referee that was just started, and ends that."""
    orders: Orders = pair.worlds[world]
    monkeypatch.setattr(rebuild, "SealedShuffler", lambda *secrets_and_entropy: orders)
    course = Course(wire, pair, plan, world)
    try:
        await course.prepare(Random(f"seed {world}").randbytes(SEED_SIZE))
        secrets = await wire.store.read_secrets(1)
        assert secrets is not None
        await course.gather()
        await _ask(course, list(PROBES))
        await course.start()
        restart_at = course.random.randrange(len(pair.steps)) if plan.restarts else None
        for place, step in enumerate(pair.steps):
            if course.random.randrange(_CURIOSITY) == 0:
                await _ask(course, [*course.random.sample([*PROBES], 3), "Play"])
            if course.random.randrange(_CURIOSITY) == 0 and plan.blinks:
                await course.blink()
            if place == restart_at:
                await course.restart()
                await _ask(course, list(PROBES))
                await course.come_back()
            await course.take(step)
        await _ask(course, list(PROBES))
        await course.finish()
        await _ask(course, list(PROBES))
        entries = await wire.store.read_entries(1, 0, 10**9)
    finally:
        await course.close()
        await wire.close()
    for who in course.observers:
        assert who.called >= {method.name for method in SERVICE.methods}
    return World(course.transcript, secrets, course.h0, entries)


async def compare(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> tuple[Transcript, Transcript]:
    """Plays both worlds on the servicer itself; what is told is kept short, so that much is read from the store."""
    monkeypatch.setattr(feed, "_RECENT_BYTES", 600)
    monkeypatch.setattr(feed, "_PAGE_BYTES", 1_500)
    plan, worlds = Plan.of(pair.seed), []
    for world in (0, 1):
        wire = DirectWire(Draws(world, plan.is_fresh), Limits(spectator_delay_ms=plan.delay_ms))
        await wire.start()
        worlds.append(await play(pair, world, plan, wire, monkeypatch))
    return same_but_for_secrets(*worlds)


def same_but_for_secrets(here: World, there: World) -> tuple[Transcript, Transcript]:
    """Returns what was told in both worlds of a pair, and checks that all secrets are others."""
    one, other = here.secrets, there.secrets
    assert one.seed != other.seed
    assert one.deal_id != other.deal_id
    assert one.blind_key != other.blind_key
    assert one.salt == other.salt
    return here.transcript, there.transcript


async def _ask(course: Course, calls: list[str]) -> None:
    for call in calls:
        for who in course.observers:
            await PROBES[call](course, who)
