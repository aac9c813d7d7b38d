"""What waits for an answer is asked again, on the next connection or after a while."""

import asyncio

import pytest
from unoduo.v1 import match_pb2, seat_pb2, session_pb2
from unoduo_client import Action, Observation, play_seat
from unoduo_client.connection import Route
from unoduo_client.conversation import Conversation

from tests.clients import scripted as referee
from tests.clients.resuming import end, first_legal, lost_when_acting, news, one_seat, rejoin
from tests.clients.scripted import Peer

SEAT_B = seat_pb2.SEAT_B
ENDED = match_pb2.LIFECYCLE_ENDED
DRAW = referee.decision().decision.legal[1]


async def test_action_is_asked_again_as_it_was() -> None:
    sent: list[session_pb2.SubmittedAction] = []

    async def before(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, referee.decision(5)))
        sent.append((await peer.expect("action")).action)
        await end(peer)

    async def between(peer: Peer) -> None:
        await rejoin(peer, after=5)
        sent.append((await peer.expect("action")).action)
        await end(peer)

    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=5)
        action = await peer.expect("action")
        assert action.handle == item.handle
        sent.append(action.action)
        await peer.send(referee.accepted(action), referee.ended(item.handle))
        await peer.wait_for_the_end()

    asked = []

    def bot(observation: Observation) -> Action:
        asked.append(observation.sequence)
        return first_legal(observation)

    async with one_seat(before, between, after) as seat:
        assert (await play_seat(seat, bot)).sequence == 9
    assert len(sent) == 3
    assert sent[0] == sent[1] == sent[2]
    assert asked == [5]


async def test_action_whose_decision_is_closed_meanwhile_is_stale_and_the_match_goes_on() -> None:
    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=5)
        await peer.send(referee.observed(item.handle, news(8, 6)))
        await peer.send(referee.stale(await peer.expect("action")))
        action = await peer.expect("action")
        assert (action.action.decision_id, action.action.action_id) == (8, "1")
        await peer.send(referee.accepted(action), referee.ended(item.handle))
        await peer.wait_for_the_end()

    async with one_seat(lost_when_acting, after) as seat:
        assert (await play_seat(seat, first_legal)).sequence == 9


async def test_decision_that_is_told_again_after_a_restart_is_not_put_to_the_bot_again() -> None:
    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=5)
        resumed = news(6, 6)
        resumed.decision.decision_id = 5
        await peer.send(referee.observed(item.handle, resumed))
        await peer.send(referee.accepted(await peer.expect("action")), referee.observed(item.handle, news(9, 7)))
        await peer.send(referee.accepted(await peer.expect("action")), referee.ended(item.handle))
        await peer.wait_for_the_end()

    asked = []

    def bot(observation: Observation) -> Action:
        asked.append(observation.decision.decision_id)
        return first_legal(observation)

    async with one_seat(lost_when_acting, after) as seat:
        await play_seat(seat, bot)
    assert asked == [5, 9]


async def test_act_during_an_outage_is_sent_when_it_is_over() -> None:
    lost, resumed = asyncio.Event(), asyncio.Event()

    async def before(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, referee.decision(5)))
        await lost.wait()
        await end(peer)

    async def after(peer: Peer) -> None:
        await resumed.wait()
        item = await rejoin(peer, after=5)
        await peer.send(referee.accepted(await peer.expect("action")), referee.ended(item.handle))
        await peer.wait_for_the_end()

    async with one_seat(before, after) as seat:
        await seat.ready()
        observation = await anext(aiter(seat.observations()))
        lost.set()
        acting = asyncio.create_task(seat.act(observation, DRAW))
        await asyncio.sleep(0)
        resumed.set()
        assert (await acting).HasField("accepted")


async def test_act_abandoned_before_the_loss_is_not_asked_again() -> None:
    arrived, asked = asyncio.Event(), asyncio.Event()

    async def before(peer: Peer) -> None:
        await peer.play()
        await peer.expect("action")
        arrived.set()
        await asked.wait()
        await end(peer)

    async def after(peer: Peer) -> None:
        await rejoin(peer, after=0)
        action = await peer.expect("action")
        assert action.action.action_id == "2"
        await peer.send(referee.accepted(action))
        await peer.wait_for_the_end()

    async with one_seat(before, after) as seat:
        await seat.ready()
        abandoned = asyncio.create_task(seat.act(referee.decision(), DRAW))
        await arrived.wait()
        abandoned.cancel()
        with pytest.raises(asyncio.CancelledError):
            await abandoned
        acting = asyncio.create_task(seat.act(referee.decision(), DRAW))
        asked.set()
        assert (await acting).HasField("accepted")


async def test_resign_ends_with_the_match_whichever_connection_took_it() -> None:
    async def before(peer: Peer) -> None:
        await peer.play()
        await peer.expect("resign")
        await end(peer)

    async def while_it_is_sealed(peer: Peer) -> None:
        item = await rejoin(peer, after=0)
        await peer.expect("resign")
        await peer.send(referee.problem(item.handle, code=9, reason="MATCH_ENDED"))
        await end(peer)

    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=0, lifecycle=ENDED)
        await peer.send(referee.ended(item.handle, SEAT_B))
        await peer.expect_the_end()

    async with one_seat(before, while_it_is_sealed, after) as seat:
        await seat.ready()
        assert (await seat.resign()).outcome.winner == SEAT_B


async def test_leave_is_done_when_the_connection_is_lost() -> None:
    async def before(peer: Peer) -> None:
        await peer.play()
        await peer.expect("leave")
        await end(peer)

    async def after(peer: Peer) -> None:
        await peer.greet()
        await peer.expect_the_end()

    async with one_seat(before, after) as seat:
        await seat.ready()
        await seat.leave()


@pytest.mark.parametrize(
    ("code", "reason"),
    [(14, "MATCH_FROZEN"), (8, "INBOX_FULL"), (14, "STORE_UNAVAILABLE")],
    ids=lambda value: str(value),
)
async def test_what_passes_is_asked_again_in_time(code: int, reason: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        item = await peer.expect("join")
        await peer.send(referee.problem(item.handle, code, reason))
        item = await peer.expect("join")
        await peer.send(referee.joined(item))
        handle = item.handle
        for kind, answer in (("ready", lambda item: referee.ready_accepted(handle)), ("action", referee.accepted)):
            first = await peer.expect(kind)
            await peer.send(referee.problem(handle, code, reason))
            second = await peer.expect(kind)
            assert second == first
            await peer.send(answer(second))
        await peer.expect("resign")
        await peer.send(referee.problem(handle, code, reason))
        await peer.expect("resign")
        await peer.send(referee.ended(handle))
        await peer.wait_for_the_end()

    async with one_seat(script) as seat:
        await seat.ready()
        assert (await seat.act(referee.decision(), DRAW)).HasField("accepted")
        assert (await seat.resign()).sequence == 9


async def test_what_a_referee_that_goes_down_turns_away_is_asked_again_on_the_next_connection() -> None:
    async def before_the_seat_is_taken(peer: Peer) -> None:
        await peer.greet()
        item = await peer.expect("join")
        await peer.send(draining(item.handle))
        await end(peer)

    async def before(peer: Peer) -> None:
        handle = await peer.play()
        await peer.expect("action")
        await peer.send(draining(handle))
        await end(peer)

    async def after(peer: Peer) -> None:
        item = await rejoin(peer, after=0)
        action = await peer.expect("action")
        await peer.send(referee.accepted(action), referee.ended(item.handle))
        await peer.wait_for_the_end()

    def draining(handle: int) -> session_pb2.ResponseItem:
        item = referee.problem(handle, code=14, reason="DRAINING")
        item.problem.retry_after_ms = 0
        return item

    async with one_seat(before_the_seat_is_taken, before, after) as seat:
        await seat.ready()
        assert (await seat.act(referee.decision(), DRAW)).HasField("accepted")


async def test_an_action_that_waits_is_sent_at_once_when_the_match_goes_on() -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await peer.expect("action")
        late = referee.problem(handle, 14, "MATCH_FROZEN")
        late.problem.retry_after_ms = 3_600_000
        await peer.send(late, referee.observed(handle, news(8, 6)))
        await peer.send(referee.stale(await peer.expect("action")))
        await peer.wait_for_the_end()

    async with one_seat(script) as seat:
        await seat.ready()
        assert (await seat.act(referee.decision(), DRAW)).HasField("stale")


async def test_an_answer_that_comes_twice_is_no_answer_to_the_next_question() -> None:
    async def script(peer: Peer) -> None:
        await peer.play()
        first = await peer.expect("action")
        await peer.send(referee.rejected(first, 2))
        second = await peer.expect("action")
        await peer.send(referee.rejected(first, 2), referee.accepted(second))
        await peer.wait_for_the_end()

    async with one_seat(script) as seat:
        await seat.ready()
        assert (await seat.act(referee.decision(), DRAW)).HasField("rejected")
        assert (await seat.act(referee.decision(), DRAW)).HasField("accepted")


async def test_an_action_abandoned_while_it_waits_does_not_hold_up_the_next_one() -> None:
    conversation = Conversation(session_pb2.Join())
    line = Line()
    conversation.attach(line)
    conversation.deliver(referee.joined(line.said.pop()))
    action = session_pb2.RequestItem(action=session_pb2.SubmittedAction(decision_id=5, action_id="1"))
    abandoned = asyncio.create_task(conversation.ask(action))
    await asyncio.sleep(0)
    assert line.said.pop().HasField("action")
    late = referee.problem(1, 14, "MATCH_FROZEN")
    late.problem.retry_after_ms = 3_600_000
    conversation.deliver(late)
    abandoned.cancel()
    with pytest.raises(asyncio.CancelledError):
        await abandoned
    asking = asyncio.create_task(conversation.ask(session_pb2.RequestItem(ready=session_pb2.Ready())))
    await asyncio.sleep(0)
    assert line.said.pop().HasField("ready")
    conversation.deliver(referee.ready_accepted(1))
    assert (await asking).HasField("ready_accepted")


class Line:
    """A connection that keeps what is said."""

    def __init__(self) -> None:
        self.said: list[session_pb2.RequestItem] = []

    def open(self, route: Route) -> int:
        return 1

    def drop(self, handle: int) -> None:
        pass

    def put(self, item: session_pb2.RequestItem) -> None:
        self.said.append(item)
