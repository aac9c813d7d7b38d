"""A bot that resumes by itself over connections that break at any byte, and keeps account of all that it is told."""

import asyncio
from random import Random

import grpc
from unoduo.v1 import observation_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.codec.facts import decode_fact
from referee.codec.observations import encode_view
from referee.rules.cards import Card
from referee.rules.observe import ObservedEvent
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from tests.properties.listener import Listener
from tests.server.wire import PLAY, Item, Session, action_item, h0, join_item

_HANDLE = 1
# A connection that is cut before it is made says so at once; nothing is gained by waiting long.
_CHANNEL_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 10),
    ("grpc.min_reconnect_backoff_ms", 1_000),
)


class ResumingBot:
    """Plays one seat of a match at random, through whatever stands at `address`.

    `events` are those that it was told, in the order in which they came; `wrong_views` the sequence numbers at which
    the view was not what they make.
    """

    def __init__(self, address: str, match: pb.CreateMatchResponse, seat: Seat, ruleset: Ruleset) -> None:
        self.events: list[observation_pb2.ObservedEvent] = []
        self.heads: dict[int, bytes] = {}
        self.views = 0
        self.wrong_views: list[int] = []
        self.connections = 0
        self.ended: session_pb2.Ended | None = None
        self._address = address
        self._match = match
        self._seat = seat
        self._sequence = 0
        self._head = b""
        self._listener = Listener(seat, ruleset, None)

    async def play(self) -> None:
        """Plays to the end of the match."""
        while self.ended is None:
            self.connections += 1
            async with grpc.aio.insecure_channel(self._address, options=_CHANNEL_OPTIONS) as channel:
                try:
                    await self._converse(channel)
                except (grpc.aio.AioRpcError, EOFError, asyncio.InvalidStateError):
                    await asyncio.sleep(0.001)

    async def _converse(self, channel: grpc.aio.Channel) -> None:
        session = Session(channel.stream_stream(PLAY)())
        resume = {"after_sequence": self._sequence, "head": self._head}
        await session.send(join_item(_HANDLE, self._match, self._seat + 1, **resume))
        ready = session_pb2.Ready(h0=h0(self._match.header))
        await session.send(Item(handle=_HANDLE, ready=ready))
        while self.ended is None:
            item = await session.next()
            assert not item.HasField("problem") or item.problem.reason in ("HANDLE_ENDED", "INBOX_FULL"), item
            if item.HasField("ended"):
                self.ended = item.ended
            elif item.HasField("observation"):
                self._hear(item.observation)
                if item.observation.HasField("decision"):
                    await session.send(self._answer(item.observation.decision))

    def _answer(self, decision: observation_pb2.Decision) -> Item:
        # The same decision is answered in the same way, however often it is asked.
        action = Random(decision.decision_id).choice(decision.legal)
        return action_item(_HANDLE, decision.decision_id, action, str(decision.decision_id))

    def _hear(self, told: observation_pb2.Observation) -> None:
        for event in told.events:
            self.events.append(event)
            fact = decode_fact(event.event, "")
            if fact is not None:
                self._listener.hear(ObservedEvent(fact, tuple(map(Card, event.private_cards))))
        self._sequence, self._head = told.sequence, told.head
        self.heads[told.sequence] = told.head
        if told.HasField("view"):
            self.views += 1
            known = observation_pb2.View.FromString(encode_view(self._listener.view))
            if known != told.view:
                self.wrong_views.append(told.sequence)
