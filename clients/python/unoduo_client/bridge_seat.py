"""A seat that is played by a program behind the bridge."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import grpc
from unoduo.v1 import observation_pb2, session_pb2

from unoduo_client import bridge_lines as lines
from unoduo_client.bridge_child import Child, child
from unoduo_client.errors import BotError, ClientError, MatchOver, ProblemError
from unoduo_client.play import refusal_text
from unoduo_client.seat import SeatSession

_log = logging.getLogger(__name__)


async def play_bridged(seat: SeatSession, command: Sequence[str], seed: bytes | None) -> session_pb2.Ended:
    """Plays a match to its end with a program that runs for this match alone, and returns how the match ended.

    The program is told what the seat learns, and asked for each decision. An answer that is no action is not sent; as
    one that the rules refuse, it costs a try, and the program is asked again. Raises BotError when no try is left or
    the program has ended, OSError if it cannot be started, and the errors of SeatSession.
    """
    async with child(command) as bot:
        bot.tell(lines.joined_line(seat, seed))
        try:
            ended = await _Game(seat, bot).play()
        except ClientError as error:
            bot.tell(lines.failed_line(str(error)))
            raise
        bot.tell(lines.ended_line(ended))
        return ended


class _Game:
    """Plays one match with a running program."""

    def __init__(self, seat: SeatSession, bot: Child) -> None:
        self._seat = seat
        self._bot = bot
        self._news: asyncio.Queue[observation_pb2.Observation] = asyncio.Queue()

    async def play(self) -> session_pb2.Ended:
        """Plays to the end of the match, which is noticed also while the program is silent."""
        with suppress(MatchOver):
            await self._seat.ready()
            await self._follow()
        while not self._news.empty():
            self._tell(self._news.get_nowait())
        assert self._seat.ended is not None
        return self._seat.ended

    async def _follow(self) -> None:
        listening, answering = asyncio.create_task(self._listen()), asyncio.create_task(self._answer())
        try:
            await asyncio.wait((listening, answering), return_when=asyncio.FIRST_COMPLETED)
            if not listening.done():
                await answering
            await listening
        finally:
            listening.cancel()
            answering.cancel()
            await asyncio.gather(listening, answering, return_exceptions=True)

    async def _listen(self) -> None:
        async for observation in self._seat.observations():
            self._news.put_nowait(observation)

    async def _answer(self) -> NoReturn:
        while True:
            observation = await self._news.get()
            # Behind news that came meanwhile a decision is over, or is told again.
            if self._seat.is_asked(observation) and self._news.empty():
                await self._decide(observation)
            else:
                self._tell(observation)

    def _tell(self, observation: observation_pb2.Observation) -> None:
        """Tells what the seat learns without asking anything."""
        observation.ClearField("decision")
        self._bot.tell(lines.observation_line(observation))

    async def _decide(self, observation: observation_pb2.Observation) -> None:
        """Asks until an action is accepted or the decision is no longer open."""
        decision, malformed = observation.decision, 0
        while True:
            answer = await self._bot.ask(lines.observation_line(observation))
            try:
                result = await self._submit(observation, answer)
            except lines.NoAction as no_action:
                malformed += 1
                tries_left = max(decision.tries_left - 1, 0)
                self._bot.tell(lines.malformed_line(str(no_action), tries_left))
                refusal = f"what it wrote is no action: {no_action}"
            else:
                if result is None:
                    return
                if result.HasField("stale"):
                    self._bot.tell(lines.stale_line(result.stale))
                if not result.HasField("rejected"):
                    return
                tries_left = max(result.rejected.tries_left - malformed, 0)
                self._bot.tell(lines.rejected_line(result.rejected, tries_left))
                refusal = refusal_text(result.rejected)
            if tries_left == 0:
                raise BotError(f"the bot has no tries left: {refusal}")
            _log.warning("an answer is refused: %s", refusal)
            decision.tries_left = tries_left
            observation.ClearField("events")  # These are told.

    async def _submit(self, observation: observation_pb2.Observation, answer: bytes) -> session_pb2.ActionResult | None:
        """Sends what an answer stands for and returns the verdict, None if it gives up. Raises NoAction."""
        said = lines.read_answer(answer, observation.decision)
        if isinstance(said, session_pb2.Resign):
            await self._seat.resign()
            return None
        try:
            return await self._seat.act(observation, said)
        except ProblemError as problem:
            if problem.code is not grpc.StatusCode.INVALID_ARGUMENT:
                raise
            raise lines.NoAction(problem.message) from None
