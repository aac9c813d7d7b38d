"""Whatever a seat sends in whatever phase: a typed answer, the stream alive, the match as it was."""

from collections.abc import Iterator

import pytest
from unoduo.v1 import observation_pb2, session_pb2
from unoduo.v1.action_pb2 import Action

from tests.e2e.hostile import CONSTANTS, MALFORMED, illegal, wrong_items
from tests.e2e.table import Seated, Table, at_random, sit_down
from tests.server.wire import Referee, action_item, join_item, referee

REASONS = session_pb2.RejectionReason
PHASES = (
    observation_pb2.PHASE_DRAFT,
    observation_pb2.PHASE_COLOR,
    observation_pb2.PHASE_TURN,
    observation_pb2.PHASE_DRAWN,
    observation_pb2.PHASE_RESPOND,
    observation_pb2.PHASE_UNO,
)
# Deals of which the first rounds, played at random, ask every question of every seat.
SEEDS = range(200)
OPENING = {observation_pb2.PHASE_DRAFT, observation_pb2.PHASE_COLOR}
Position = tuple[int, int, int]


async def _look(table: Table, seated: Seated) -> observation_pb2.Observation:
    """Takes the seat anew on its session, and returns what it is shown, without what time and tries change."""
    handle = seated.handle + 1
    await seated.session.send(join_item(handle, table.match, seated.number))
    await seated.session.until("joined", handle)
    shown: observation_pb2.Observation = await seated.session.until("observation", handle)
    seated.handle = handle
    for clock in (shown.clock, shown.opponent_clock):
        clock.time_left_ms = 0
    shown.decision.time_left_ms = shown.decision.tries_left = 0
    return shown


async def _assail_as_asked(table: Table, names: Iterator[int]) -> None:
    one, decision = table.asked, table.decision
    for malformed in MALFORMED:
        await one.session.send(action_item(one.handle, decision.decision_id, malformed.action, malformed.action_id))
        assert await one.session.problem(one.handle) == (3, "FIELD_INVALID", malformed.field), malformed.name
    for name, action, reasons in illegal(table.question):
        action_id = f"illegal-{next(names)}"
        await one.session.send(action_item(one.handle, decision.decision_id, action, action_id))
        result = await one.result()
        assert (result.action_id, result.decision_id) == (action_id, decision.decision_id)
        assert REASONS.Name(result.rejected.reason).removeprefix("REJECTION_REASON_") in reasons, name
        assert result.rejected.clause.startswith("R"), name
        assert result.rejected.field, name
        assert result.rejected.message, name
    for wrong_id in (0, decision.decision_id - 1, decision.decision_id + 1, 2**32 - 1):
        await one.session.send(action_item(one.handle, wrong_id, decision.legal[0], f"wrong-{next(names)}"))
        stale = (await one.result()).stale
        assert stale.reason != session_pb2.STALE_REASON_UNSPECIFIED
        assert stale.current_decision_id == decision.decision_id


async def _assail_as_rival(table: Table, names: Iterator[int]) -> None:
    rival, decision = table.rival, table.decision
    for action in (*CONSTANTS.values(), *decision.legal):
        await rival.session.send(action_item(rival.handle, decision.decision_id, action, f"rival-{next(names)}"))
        stale = (await rival.result()).stale
        assert (stale.reason, stale.current_decision_id) == (session_pb2.STALE_REASON_NOT_OPEN, 0)
    for malformed in MALFORMED:
        item = action_item(rival.handle, decision.decision_id, malformed.action, malformed.action_id)
        await rival.session.send(item)
        assert await rival.session.problem(rival.handle) == (3, "FIELD_INVALID", malformed.field), malformed.name


async def _assail_from_outside(table: Table) -> None:
    for seated in table.seats:
        token = table.match.seat_tokens[2 - seated.number]
        match_id, decision_id = table.match.match_id, table.decision.decision_id
        for wrong in wrong_items(seated.handle, decision_id, match_id, token, seated.number):
            await seated.session.send(wrong.item)
            assert await seated.session.problem(wrong.item.handle) == wrong.problem, wrong.name


async def _assail(table: Table, names: Iterator[int]) -> None:
    before = [await _look(table, seated) for seated in table.seats]
    await _assail_as_asked(table, names)
    await _assail_as_rival(table, names)
    await _assail_from_outside(table)
    after = [await _look(table, seated) for seated in table.seats]
    assert after == before
    for seated in table.seats:
        await seated.session.alive()


def _position(question: observation_pb2.Observation) -> Position:
    return question.decision.phase, question.view.seat, question.view.pending_kind


async def _walk(host: Referee, seed: int, wanted: set[Position], names: Iterator[int]) -> None:
    """Plays a round at random and assails the referee at each question that is still wanted."""
    table = await sit_down(host, seed=seed, target=1, hand_size=3)
    choose = at_random(seed)
    while not table.ended and wanted:
        position = _position(table.question)
        if position[0] not in OPENING and {phase for phase, _, _ in wanted} <= OPENING:
            # What is still wanted comes before the first turn or not at all.
            return
        if position in wanted:
            wanted.remove(position)
            await _assail(table, names)
        await table.answer(choose(table.question))


async def test_every_item_in_every_phase_from_every_seat_has_a_typed_answer() -> None:
    wanted: set[Position] = {(phase, seat, 0) for phase in PHASES[:4] for seat in (1, 2)}
    wanted |= {(phase, seat, pending) for phase in PHASES[4:5] for seat in (1, 2) for pending in (1, 2)}
    wanted |= {(observation_pb2.PHASE_UNO, seat, 0) for seat in (1, 2)}
    names = iter(range(10**6))
    async with referee() as host:
        for seed in SEEDS:
            if not wanted:
                break
            await _walk(host, seed, wanted, names)
    assert wanted == set()


async def test_items_before_the_start_and_after_the_end_have_typed_answers() -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session()
        a, b = await session.join(match, 1), await session.join(match, 2)
        for handle in (a, b):
            for action in CONSTANTS.values():
                await session.send(action_item(handle, 4, action))
                result = await session.until("action_result", handle)
                assert result.stale.reason == session_pb2.STALE_REASON_NOT_OPEN
        await session.send(*[_item(handle, resign=session_pb2.Resign()) for handle in (a, b)])
        await session.until("ended", a)
        for handle in (a, b):
            for action in CONSTANTS.values():
                await session.send(action_item(handle, 4, action))
                result = await session.until("action_result", handle)
                assert result.stale.reason == session_pb2.STALE_REASON_NOT_OPEN
            await session.send(_item(handle, resign=session_pb2.Resign()))
            assert await session.problem(handle) == (9, "MATCH_ENDED", "")
            await session.send(_item(handle, leave=session_pb2.Leave()))
            assert await session.problem(handle) == (9, "HANDLE_ENDED", "")
        await session.alive()


async def test_entropy_that_is_too_long_or_not_asked_for_is_refused() -> None:
    async with referee() as host:
        match = await host.create()
        session = host.session()
        handle = await session.join(match, 1)
        await session.ready(handle, match, bytes(33))
        assert await session.problem(handle) == (3, "FIELD_INVALID", "ready.entropy")
        given = await host.create(seed=bytes(32))
        other = await session.join(given, 1)
        await session.ready(other, given, b"x")
        assert await session.problem(other) == (3, "ENTROPY_NOT_ALLOWED", "ready.entropy")
        await session.ready(other, given)
        await session.until("ready_accepted", other)


@pytest.mark.parametrize("color", [1, 2, 3, 4])
async def test_number_zero_card_can_be_played(color: int) -> None:
    zero = 1 + 13 * (color - 1)
    async with referee() as host:
        for seed in range(60):
            table = await sit_down(host, seed=seed, target=1)
            choose = at_random(seed)
            while not table.ended:
                play = next((action for action in table.decision.legal if list(action.play.cards) == [zero]), None)
                if play is None:
                    await table.answer(choose(table.question))
                    continue
                rival = table.rival
                assert isinstance(play, Action)
                await table.answer(play)
                told = next(item.observation for item in reversed(rival.session.items) if item.HasField("observation"))
                played = next(event.event.cards_played for event in told.events if event.event.HasField("cards_played"))
                assert list(played.cards) == [zero]
                return
    raise AssertionError("no such card came up")


def _item(handle: int, **kind: session_pb2.Resign | session_pb2.Leave) -> session_pb2.RequestItem:
    return session_pb2.RequestItem(handle=handle, **kind)  # type: ignore[arg-type]
