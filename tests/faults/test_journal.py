"""The journal of the clients notices a referee that loses, doubles or changes anything."""

import asyncio
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from unoduo.v1 import observation_pb2, outcome_pb2, session_pb2
from unoduo.v1.seat_pb2 import SEAT_A, SEAT_B

from tests.faults.crash_points import Lie, Plan
from tests.faults.journal import Acknowledged, MatchJournal, SeatJournal
from tests.faults.journal_check import compare_replay
from tests.faults.journal_store import compare_store
from tests.faults.kill_course import course
from tests.faults.kill_players import PlayedSeat, Player, Whereabouts
from tests.faults.launcher import serving
from tests.server.wire import referee

PATIENCE_S = 60


@pytest.fixture(scope="module")
def played() -> tuple[MatchJournal, bytes]:
    """The journal of a match and its replay."""
    return asyncio.run(_played())


async def _played() -> tuple[MatchJournal, bytes]:
    whereabouts, over = Whereabouts(), asyncio.Semaphore(0)
    async with asyncio.timeout(PATIENCE_S), referee() as host:
        created = await host.create(turn_cap=20)
        journal = MatchJournal(created)
        players = [Player(whereabouts, lambda _: over.release()) for _ in journal.seats]
        for player, seat in zip(players, journal.seats, strict=True):
            player.take(PlayedSeat(created, seat, Random(1)))
        whereabouts.moved(host.running.address)
        tasks = [asyncio.create_task(player.play()) for player in players]
        for _ in tasks:
            await over.acquire()
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        return journal, await host.replay(created.match_id)


def test_truthful_referee_is_found_truthful(played: tuple[MatchJournal, bytes]) -> None:
    journal, replay = played
    assert compare_replay(journal, replay) == []
    for seat in journal.seats:
        assert len(seat.accepted) > 10
        assert len(seat.events) > 20
        assert len(seat.heads) > 10
        assert seat.ended is not None
        assert len(seat.entropy or b"") == 32


def _lose_an_action(seat: SeatJournal) -> None:
    seat.accepted[(3, "lost")] = Acknowledged(b"", 4, 5)


def _refuse_a_taken_action(seat: SeatJournal) -> None:
    key, _ = seat.accepted.popitem()
    seat.refused[key] = session_pb2.ActionResult()


def _say_other_events(seat: SeatJournal) -> None:
    key, answer = next(iter(seat.accepted.items()))
    seat.accepted[key] = replace(answer, sequence=answer.sequence + 1)


def _take_another_action(seat: SeatJournal) -> None:
    key, answer = next(iter(seat.accepted.items()))
    seat.accepted[key] = replace(answer, action=b"\x0a\x02\x08\x01")


def _tell_an_event_too_many(seat: SeatJournal) -> None:
    seat.events.append(seat.events[-1])


def _tell_another_event(seat: SeatJournal) -> None:
    seat.events[6], seat.events[7] = seat.events[7], seat.events[6]


def _hide_a_private_card(seat: SeatJournal) -> None:
    place, event = next(
        (place, event)
        for place, event in enumerate(map(observation_pb2.ObservedEvent.FromString, seat.events))
        if event.private_cards
    )
    event.ClearField("private_cards")
    seat.events[place] = event.SerializeToString(deterministic=True)


def _tell_another_head(seat: SeatJournal) -> None:
    seat.heads[seat.sequence] = bytes(32)


def _use_other_entropy(seat: SeatJournal) -> None:
    seat.entropy = bytes(32)


def _tell_another_outcome(seat: SeatJournal) -> None:
    assert seat.ended is not None
    seat.ended.outcome.termination = outcome_pb2.TERMINATION_VOID_REFEREE


def _tell_another_end(seat: SeatJournal) -> None:
    assert seat.ended is not None
    seat.ended.head = bytes(32)


@pytest.mark.parametrize(
    ("falsify", "found"),
    [
        (_lose_an_action, "was acknowledged and is lost"),
        (_refuse_a_taken_action, "refused"),
        (_say_other_events, "caused other events than was said"),
        (_take_another_action, "is another one in the log"),
        (_tell_an_event_too_many, "is not in the log"),
        (_tell_another_event, "is another one than was told"),
        (_hide_a_private_card, "is another one than was told"),
        (_tell_another_head, "is not on the chain"),
        (_use_other_entropy, "is not that of the deal"),
        (_tell_another_outcome, "was told another end"),
        (_tell_another_end, "was told another end"),
    ],
)
def test_false_word_to_either_seat_is_found(
    played: tuple[MatchJournal, bytes], falsify: Callable[[SeatJournal], None], found: str
) -> None:
    journal, replay = played
    for place in range(2):
        false = deepcopy(journal)
        falsify(false.seats[place])
        findings = compare_replay(false, replay)
        assert findings
        assert all(found in finding for finding in findings)


def test_changed_replay_is_found(played: tuple[MatchJournal, bytes]) -> None:
    journal, replay = played
    assert ["does not verify" in finding for finding in compare_replay(journal, replay[:-1])] == [True]


def _observation(*events: int, sequence: int, head: bytes = b"head") -> observation_pb2.Observation:
    told = [observation_pb2.ObservedEvent(sequence=event) for event in events]
    return observation_pb2.Observation(events=told, sequence=sequence, head=head)


def test_events_told_twice_or_left_out_are_found() -> None:
    journal = SeatJournal(1, SEAT_A)
    journal.observe(_observation(1, 2, sequence=2))
    journal.observe(_observation(3, sequence=3))
    assert journal.findings == []
    journal.observe(_observation(3, 4, sequence=4))
    journal.observe(_observation(6, sequence=6))
    assert journal.findings == [
        "match 1, seat 1: event 3 was told twice",
        "match 1, seat 1: after event 4 came event 6",
        "match 1, seat 1: an observation with events up to 4 calls itself as of 6",
    ]


def test_second_word_that_differs_from_the_first_is_found() -> None:
    journal = SeatJournal(1, SEAT_B)
    journal.observe(_observation(1, sequence=1))
    accepted = session_pb2.Accepted(first_sequence=1, sequence=1)
    ended = session_pb2.Ended(sequence=1)
    for _ in range(2):
        journal.observe(_observation(sequence=1))
        journal.acknowledge((0, "a"), b"", accepted)
        journal.end(ended)
    assert journal.findings == []
    journal.observe(_observation(sequence=1, head=b"other"))
    journal.acknowledge((0, "a"), b"", session_pb2.Accepted(first_sequence=1, sequence=2))
    journal.end(session_pb2.Ended(outcome=outcome_pb2.Outcome(rounds=1), sequence=2))
    assert journal.findings == [
        "match 1, seat 2: two heads were told at event 1",
        "match 1, seat 2: action a of decision 0 was answered in two ways",
        "match 1, seat 2: the end was told after event 1, with 2 events",
        "match 1, seat 2: two outcomes were told",
    ]


@pytest.mark.parametrize(
    ("plan", "found"),
    [
        (Plan(lie=Lie.ACKNOWLEDGES_EARLY), "was acknowledged and is lost"),
        (Plan(lie=Lie.TAKES_TWICE, passage=50), "was taken 2 times"),
        (Plan(lie=Lie.TELLS_TWICE, passage=50), "was told twice"),
        (Plan(), ""),
    ],
    ids=["acknowledges-early", "takes-twice", "tells-twice", "is-truthful"],
)
async def test_referee_that_lies_and_is_killed_is_found(plan: Plan, found: str, tmp_path: Path) -> None:
    whereabouts, store = Whereabouts(), tmp_path / "store"
    async with asyncio.timeout(PATIENCE_S), serving(store, plan) as process, course(whereabouts, 5) as matches:
        whereabouts.moved(process.address)
        while await process.lives_for(0.01) and matches.actions < 300:
            pass
        process.kill()
        await process.ended()
        whereabouts.gone()
        findings = [*matches.findings, *await compare_store(matches.open.values(), store)]
        assert matches.open
        assert any(found in finding for finding in findings) if found else findings == []
