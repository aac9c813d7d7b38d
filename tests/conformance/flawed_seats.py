"""Flaws of what a client says about a seat, and makes of the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from unoduo.v1 import observation_pb2, session_pb2
from unoduo_client import performance, play
from unoduo_client.connection import Connection
from unoduo_client.conversation import Conversation
from unoduo_client.cursor import Cursor
from unoduo_client.errors import ProblemError, SeatDetached
from unoduo_client.seat import SeatSession

from tests.conformance.patching import GREEDY, Bot, patch


def joins_one_match_only() -> Bot:
    """Plays the first match that is assigned to it, and no other."""
    original = performance._play_one
    taken: list[object] = []

    async def play_one(*arguments: Any) -> None:
        taken.append(arguments)
        if len(taken) == 1:
            await original(*arguments)

    patch(performance, "_play_one", play_one)
    return GREEDY


def ignores_rejection() -> Bot:
    """Takes a rejected action for accepted."""

    async def decide(seat: SeatSession, bot: Bot, observation: observation_pb2.Observation) -> None:
        await seat.act(observation, bot(observation))

    patch(play, "_decide", decide)
    return GREEDY


def never_gives_up() -> Bot:
    """Sends a rejected action again and again."""

    async def decide(seat: SeatSession, bot: Bot, observation: observation_pb2.Observation) -> None:
        action = bot(observation)
        while (await seat.act(observation, action)).HasField("rejected"):
            pass

    patch(play, "_decide", decide)
    return GREEDY


def dies_of_unknown_refusals() -> Bot:
    """Takes it for granted that it knows each reason of a rejection."""

    def text(rejected: session_pb2.Rejected) -> str:
        return session_pb2.RejectionReason.Name(rejected.reason)

    patch(play, "refusal_text", text)
    return GREEDY


def insists_on_accepted() -> Bot:
    """Dies when an action is neither accepted nor rejected."""
    original = SeatSession.act

    async def act(self: SeatSession, *arguments: Any) -> session_pb2.ActionResult:
        result = await original(self, *arguments)
        assert result.HasField("accepted") or result.HasField("rejected"), "what is that?"
        return result

    patch(SeatSession, "act", act)
    return GREEDY


def answers_everything() -> Bot:
    """Answers each observation with a decision, told before or not."""

    def take(self: Cursor, observation: observation_pb2.Observation) -> bool:
        self.sequence, self._head = observation.sequence, observation.head
        return True

    patch(Cursor, "take", take)
    patch(SeatSession, "is_asked", lambda self, observation: observation.HasField("decision"))
    original = SeatSession.act
    numbers = iter(range(1_000_000))

    async def act(self: SeatSession, observation: observation_pb2.Observation, action: Any) -> Any:
        self._tries = next(numbers)
        self._decision_id = observation.decision.decision_id
        return await original(self, observation, action)

    patch(SeatSession, "act", act)
    return GREEDY


def takes_any_result() -> Bot:
    """Takes each result for the answer to what it asked last, and dies when it asked nothing."""

    def take(self: Conversation, item: session_pb2.ResponseItem) -> bool:
        if item.HasField("action_result"):
            assert self._question is not None, "an answer to nothing"
            assert self._question.is_answered_by(item), "an answer to something else"
        return original(self, item)

    original = Conversation._take
    patch(Conversation, "_take", take)
    return GREEDY


def ignores_retry_after() -> Bot:
    """Says at once again what it was told to wait with."""

    def wait(self: Conversation, seconds: float, then: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(then)

    patch(Conversation, "_wait", wait)
    return GREEDY


def gives_up_on(reason: str) -> Callable[[], Bot]:
    """Returns a flaw: takes a problem of this reason, which passes, for the end."""

    def flaw() -> Bot:
        original = Conversation._refused

        def refused(self: Conversation, item: session_pb2.ResponseItem) -> bool:
            if item.problem.reason == reason:
                self.close(ProblemError(item.problem))
                return True
            return original(self, item)

        patch(Conversation, "_refused", refused)
        return GREEDY

    return flaw


def takes_detached_for_the_end() -> Bot:
    """Gives up when it is detached, for whatever reason."""

    def let_go(self: Conversation, detached: session_pb2.Detached) -> bool:
        self.close(SeatDetached(detached))
        return True

    patch(Conversation, "_let_go", let_go)
    return GREEDY


def fights_for_its_seat() -> Bot:
    """Joins again whatever the reason it was detached for."""

    def let_go(self: Conversation, detached: session_pb2.Detached) -> bool:
        self._drop_handle()
        self._wait(0.05, self._rejoin)
        return False

    patch(Conversation, "_let_go", let_go)
    return GREEDY


def dies_of_unknown_items() -> Bot:
    """Takes it for granted that it knows each kind of item."""
    original = Connection._route

    def route(self: Connection, item: session_pb2.ResponseItem) -> None:
        assert item.WhichOneof("kind"), "what is that?"
        original(self, item)

    patch(Connection, "_route", route)
    return GREEDY


def dies_of_unknown_ends() -> Bot:
    """Takes it for granted that it knows each way in which a match ends."""
    original = performance._result

    def result(seat: Any, ended: session_pb2.Ended) -> str:
        assert ended.outcome.termination < 20, "what is that?"
        return original(seat, ended)

    patch(performance, "_result", result)
    return GREEDY


def asks_who_won() -> Bot:
    """Takes it for granted that somebody has won."""
    original = performance._result

    def result(seat: Any, ended: session_pb2.Ended) -> str:
        assert ended.outcome.winner, "nobody?"
        return original(seat, ended)

    patch(performance, "_result", result)
    return GREEDY


def asks_for_points() -> Bot:
    """Takes it for granted that a match ends by points."""
    original = performance._result

    def result(seat: Any, ended: session_pb2.Ended) -> str:
        assert ended.outcome.termination == 1, "what is that?"
        return original(seat, ended)

    patch(performance, "_result", result)
    return GREEDY
