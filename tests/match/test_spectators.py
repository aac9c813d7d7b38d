"""Who watches: when each entry is told to whom."""

from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random

import pytest
from unoduo.v1 import referee_service_pb2 as pb

from referee.match.faults import Fault, ProblemReason
from referee.match.registry import CreatedMatch
from referee.match.spectators import Spectator, Spectators
from tests.match.table import ADMISSION, ORDER, Table, asked, play_out, settle

_FRESH = replace(ORDER, seed=None)
_DELAY_MS = 300


@pytest.fixture
async def delayed() -> AsyncIterator[Table]:
    table = Table(admission=replace(ADMISSION, spectator_delay_ms=_DELAY_MS))
    await table.open()
    yield table
    await table.close()


class _Watcher:
    """Reads at once what it may."""

    def __init__(self, spectators: Spectators) -> None:
        self.messages: list[pb.WatchMatchResponse] = []
        self.faults: list[Fault] = []
        self.woken = 0
        self.spectators = spectators
        self.spectator = Spectator(self._wake, self.faults.append)
        spectators.add(self.spectator)

    def _wake(self) -> None:
        self.woken += 1

    @property
    def sequence(self) -> int:
        return self.messages[-1].sequence if self.messages else 0

    async def read(self) -> None:
        while (message := await self.spectators.next_message(self.spectator)) is not None:
            self.messages.append(pb.WatchMatchResponse.FromString(message))


async def _watch(table: Table, match: CreatedMatch) -> _Watcher:
    watcher = _Watcher(await table.registry.spectators(match.row))
    await settle()
    await watcher.read()
    return watcher


async def test_each_entry_is_told_when_its_delay_is_over_and_the_end_too(delayed: Table) -> None:
    match, a, b = await delayed.started(_FRESH)
    watcher = await _watch(delayed, match)
    assert watcher.messages == []
    for _ in range(5):
        delayed.clock.advance(100)
        asked(a, b).act()
        await settle()
        await watcher.read()
        assert watcher.sequence < a.observations[-1].sequence
    a.resign()
    await settle()
    assert a.ended is not None
    last = a.ended.sequence
    delayed.clock.advance(_DELAY_MS - 1)
    await watcher.read()
    assert watcher.sequence < last
    woken = watcher.woken
    delayed.clock.advance(1)
    assert watcher.woken > woken
    await watcher.read()
    assert watcher.sequence == last
    assert watcher.messages[-1].ended == a.ended
    events = [event.sequence for message in watcher.messages for event in message.events]
    assert events == list(range(1, last + 1))


async def test_entry_is_told_no_sooner_and_no_later_than_its_delay(delayed: Table) -> None:
    match, a, b = await delayed.started(_FRESH)
    watcher = await _watch(delayed, match)
    begun = a.observations[-1].sequence
    delayed.clock.advance(100)
    asked(a, b).act()
    await settle()
    for ms, told in ((199, 0), (1, begun), (99, begun), (1, a.observations[-1].sequence)):
        delayed.clock.advance(ms)
        await watcher.read()
        assert watcher.sequence == told
    assert watcher.messages[0].caught_up


async def test_after_a_restart_all_that_was_committed_counts_as_committed_then(delayed: Table) -> None:
    match, a, b = await delayed.started(_FRESH)
    asked(a, b).act()
    await settle()
    delayed.clock.advance(10_000)
    await delayed.restart()
    watcher = await _watch(delayed, match)
    assert watcher.messages == []
    delayed.clock.advance(_DELAY_MS - 1)
    await watcher.read()
    assert watcher.messages == []
    delayed.clock.advance(1)
    await watcher.read()
    assert watcher.sequence == a.observations[-1].sequence


async def test_match_that_is_asleep_is_made_anew_for_those_who_watch(table: Table) -> None:
    match, a, _ = await table.started(_FRESH)
    await table.restart()
    watcher = await _watch(table, match)
    assert watcher.sequence == a.observations[-1].sequence
    assert not table.actor(match).is_asleep


async def test_those_who_watch_are_woken_by_every_entry_and_by_the_end(table: Table) -> None:
    match, a, b = await table.started(_FRESH)
    watcher = await _watch(table, match)
    woken = watcher.woken
    asked(a, b).act()
    await settle()
    assert watcher.woken > woken
    await play_out(a, b, random=Random(3))
    await watcher.read()
    assert watcher.messages[-1].ended == a.ended
    events = [event for message in watcher.messages for event in message.events]
    assert [event.sequence for event in events] == list(range(1, watcher.sequence + 1))
    assert not any(event.private_cards for event in events)


async def test_those_who_watch_a_match_that_is_given_up_are_told(table: Table) -> None:
    match, a, b = await table.started(_FRESH)
    watcher = await _watch(table, match)
    table.store.freeze()
    asked(a, b).act()
    await settle()
    table.store.give_up()
    await settle()
    assert [fault.reason for fault in watcher.faults] == [ProblemReason.MATCH_FROZEN]


async def test_given_deal_is_withheld_while_the_match_lasts_and_while_another_one_uses_it(table: Table) -> None:
    first, a, _ = await table.started()
    second, b, _ = await table.started()
    for _ in range(2):
        with pytest.raises(Fault) as refused:
            await table.registry.spectators(first.row)
        assert refused.value.reason is ProblemReason.FEED_NOT_AVAILABLE
        a.resign()
        await settle()
    b.resign()
    await settle()
    for match, sitter in ((first, a), (second, b)):
        assert (await _watch(table, match)).messages[-1].ended.head == sitter.observations[-1].head


async def test_spectator_beyond_the_limit_is_refused() -> None:
    table = Table(admission=replace(ADMISSION, max_spectators=1))
    await table.open()
    match = await table.create(_FRESH)
    watcher = await _watch(table, match)
    with pytest.raises(Fault) as refused:
        await _watch(table, match)
    assert refused.value.reason is ProblemReason.TOO_MANY_CALLS
    watcher.spectators.remove(watcher.spectator)
    await _watch(table, match)
    await table.close()
