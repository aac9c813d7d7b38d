"""Plays seats with bots: a bot is one function from an observation to an action."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable

from unoduo.v1 import action_pb2, observation_pb2, session_pb2

from unoduo_client.enums import enum_name
from unoduo_client.errors import BotError, MatchOver
from unoduo_client.seat import SeatSession

Bot = Callable[[observation_pb2.Observation], action_pb2.Action | Awaitable[action_pb2.Action]]

_log = logging.getLogger(__name__)


async def play_seat(seat: SeatSession, bot: Bot) -> session_pb2.Ended:
    """Plays a match to its end and returns how it ended.

    The bot is called with each observation that carries a decision, unless that is over by then; the events of all
    others come with the next one. A bot that still thinks when the match ends is cancelled. A rejected action is never
    repaired: the bot is asked again, with fewer `tries_left`, and when the tries are used up BotError is raised,
    naming the clause. What the bot itself raises is passed on, and so are the errors of SeatSession.
    """
    try:
        if not seat.is_ready:
            await seat.ready()
        untold: list[observation_pb2.ObservedEvent] = []
        async for observation in seat.observations():
            untold.extend(observation.events)
            # Behind news that came while the bot was thinking a decision is over, or is told again.
            if seat.is_asked(observation) and not seat.has_news:
                if len(untold) > len(observation.events):
                    del observation.events[:]
                    observation.events.extend(untold)
                untold.clear()
                await _decide(seat, bot, observation)
    except MatchOver as over:
        return over.ended
    assert seat.ended is not None
    return seat.ended


async def play_many(seats: Iterable[tuple[SeatSession, Bot]]) -> list[session_pb2.Ended | Exception]:
    """Plays seats of any number of matches at once and returns, in their order, how each ended or what it raised.

    One bot that fails stops none of the others.
    """
    games = (play_seat(seat, bot) for seat, bot in seats)
    results = []
    for result in await asyncio.gather(*games, return_exceptions=True):
        if isinstance(result, BaseException) and not isinstance(result, Exception):
            raise result
        results.append(result)
    return results


def refusal_text(rejected: session_pb2.Rejected) -> str:
    """Returns why the rules refuse an action, in a line for people."""
    reason = enum_name(session_pb2.RejectionReason.Name, rejected.reason)
    return f"{reason} ({rejected.clause}): {rejected.message}; see: unoduo rules {rejected.clause}"


async def _decide(seat: SeatSession, bot: Bot, observation: observation_pb2.Observation) -> None:
    """Asks the bot until an action is accepted or the decision is no longer open."""
    while True:
        action = bot(observation)
        if inspect.isawaitable(action):
            action = await seat.unless_over(action)
        if not isinstance(action, action_pb2.Action):
            raise BotError(f"the bot returned {type(action).__name__}, not an Action")
        result = await seat.act(observation, action)
        if not result.HasField("rejected"):
            return
        rejected = result.rejected
        refusal = refusal_text(rejected)
        if rejected.tries_left == 0:
            raise BotError(f"the bot has no tries left: {refusal}")
        _log.warning("the referee refuses an action: %s", refusal)
        asked_before, observation = observation, observation_pb2.Observation()
        observation.CopyFrom(asked_before)
        observation.decision.tries_left = rejected.tries_left
