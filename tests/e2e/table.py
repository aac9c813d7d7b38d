"""A match over a socket whose seats are on sessions of their own, moved on decision by decision."""

from collections.abc import Callable
from random import Random
from typing import Any

from unoduo.v1 import match_pb2, observation_pb2, ruleset_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1.action_pb2 import Action

from tests.server.wire import Referee, Session, action_item

Chooser = Callable[[observation_pb2.Observation], Action]
PATIENT = match_pb2.TimeControl(limit_ms=3_600_000)
LENIENT = match_pb2.FaultPolicy(rejection_limit=100)


class Seated:
    """A seat on a session of its own."""

    def __init__(self, number: int, session: Session, handle: int) -> None:
        self.number = number
        self.session = session
        self.handle = handle

    async def observation(self) -> observation_pb2.Observation:
        observation: observation_pb2.Observation = await self.session.until("observation", self.handle)
        return observation

    async def result(self) -> session_pb2.ActionResult:
        result: session_pb2.ActionResult = await self.session.until("action_result", self.handle)
        return result


class Table:
    """Holds the two seats, who is asked, and what it was told with the question."""

    def __init__(self, host: Referee, match: pb.CreateMatchResponse, a: Seated, b: Seated) -> None:
        self.host = host
        self.match = match
        self.seats = (a, b)
        self.question = observation_pb2.Observation()
        self.ended = False
        self._actions = 0

    @property
    def asked(self) -> Seated:
        return self.seats[self.question.view.seat - 1]

    @property
    def rival(self) -> Seated:
        return self.seats[2 - self.question.view.seat]

    @property
    def decision(self) -> observation_pb2.Decision:
        return self.question.decision

    async def answer(self, action: Action) -> session_pb2.ActionResult:
        """Answers the open decision and waits for the next one, or the end."""
        self._actions += 1
        one = self.asked
        await one.session.send(action_item(one.handle, self.decision.decision_id, action, f"answer-{self._actions}"))
        result = await one.result()
        assert result.HasField("accepted"), result
        for seated in (self.rival, one):
            await self._hear(seated, result.accepted.sequence)
        return result

    async def listen(self, sequence: int) -> None:
        """Takes what both seats are told up to the first question."""
        for seated in self.seats:
            await self._hear(seated, sequence)

    async def _hear(self, seated: Seated, sequence: int) -> None:
        told = await seated.observation()
        while told.sequence < sequence:
            told = await seated.observation()
        if told.HasField("decision"):
            self.question = told
        if told.events and told.events[-1].event.HasField("match_ended"):
            self.ended = True


async def sit_down(host: Referee, *, seed: int = 0, target: int = 200, **options: Any) -> Table:
    """Returns a match that waits for its first decision."""
    match = await host.stub.CreateMatch(
        pb.CreateMatchRequest(
            players=[match_pb2.Player(name="Ada"), match_pb2.Player(name="Bob")],
            ruleset=ruleset_pb2.Ruleset(target=target, **options),
            time_control=PATIENT,
            fault_policy=LENIENT,
            seed=seed.to_bytes(32, "big"),
        )
    )
    seats = []
    for number in (1, 2):
        session = host.session()
        seats.append(Seated(number, session, await session.join(match, number)))
    for seated in seats:
        await seated.session.ready(seated.handle, match)
    table = Table(host, match, seats[0], seats[1])
    await table.listen(4)
    return table


def at_random(seed: int) -> Chooser:
    """Returns a chooser of legal actions that is the same for the same seed."""
    random = Random(seed)

    def choose(question: observation_pb2.Observation) -> Action:
        return random.choice(question.decision.legal)

    return choose
