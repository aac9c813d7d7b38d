"""A scene on a referee without a socket, under a clock that stands."""

from collections.abc import Mapping

from referee.adjudication.terms import FaultPolicy, TimeControl
from referee.codec.actions import decode_action
from referee.codec.entries import Entry, decode_entry
from referee.match.actor import MatchActor
from referee.match.registry import CreatedMatch, MatchOrder
from referee.match.replays import replay_page
from referee.rules.actions import Action
from referee.rules.seats import SEATS, Seat
from referee.rules.state import Phase
from tests.faults.positions import RULESET, Way
from tests.faults.scene import Moment, Question, Scene, name_of
from tests.match.table import ORDER, Sitter, Table, asked, settle


class FakeScene(Scene):
    """Plays on a table of its own."""

    def __init__(
        self, table: Table, match: CreatedMatch, culprit: Seat, control: TimeControl, policy: FaultPolicy
    ) -> None:
        super().__init__(table.store, culprit, control, policy)
        self.table = table
        self.match = match
        self._sitters: dict[Seat, list[Sitter]] = {seat: [] for seat in SEATS}

    def sitter(self, seat: Seat) -> Sitter:
        """Returns the seat as joined last."""
        return self._sitters[seat][-1]

    async def join(self, seat: Seat) -> str:
        before = self._sitters[seat][-1:]
        known = len(self.told(seat))
        self._sitters[seat].append(await self.table.join(self.match, seat))
        return "".join(self.told(seat)[known:]) if before else ""

    async def ready(self, seat: Seat) -> None:
        self.sitter(seat).ready()
        await settle()

    async def vanish(self, seat: Seat) -> None:
        self.sitter(seat).vanish()
        await settle()

    async def resign(self, seat: Seat) -> None:
        self.sitter(seat).resign()
        await settle()

    async def send(self, seat: Seat, decision_id: int, action_id: str, action: Action, copies: int = 1) -> list[str]:
        sitter = self.sitter(seat)
        known = len(sitter.port.items)
        for _ in range(copies):
            sitter.act(action, decision_id=decision_id, action_id=action_id)
        await settle()
        return [name for item in sitter.port.items[known:] if (name := name_of(item))]

    async def pass_ms(self, ms: int) -> None:
        self.table.clock.advance(ms)
        await settle()

    async def submit(self, seat: Seat, decision_id: int, action_id: str, action: Action) -> None:
        await self.send(seat, decision_id, action_id, action)

    async def ruled(self, entries_before: int) -> None:
        await settle()
        assert len(await self.entries()) > entries_before

    async def void(self) -> None:
        await self.table.registry.void(self.match.row, "called off")

    async def restart(self) -> None:
        await self.table.restart()

    def actor(self) -> MatchActor:
        return self.table.actor(self.match)

    async def question(self) -> Question:
        told = [
            (observation.sequence, seat, observation.decision)
            for seat in SEATS
            for sitter in self._sitters[seat]
            for observation in sitter.observations
            if observation.HasField("decision")
        ]
        _, seat, decision = max(told, key=lambda one: one[0])
        legal = tuple(map(decode_action, decision.legal))
        return Question(decision.decision_id, seat, legal, decision.tries_left)

    async def entries(self) -> list[Entry]:
        rows = await self.table.store.read_entries(self.match.row.number, 0, 10**6)
        return [decode_entry(row.data) for row in rows]

    async def finish(self) -> bytes:
        if await self.table.store.read_seal(self.match.row.number) is None:
            a, b = [await self.table.join(self.match, seat) for seat in SEATS]
            for sitter in (a, b):
                sitter.ready()
            await settle()
            # The match goes on; it need not go on for long.
            asked(a, b).act()
            await settle()
            (a, b)[self.rival].resign()
            await settle()
        data, token = b"", ""
        while True:
            page, token = await replay_page(self.table.store, self.match.row, token)
            data += page
            if not token:
                return data

    def told(self, seat: Seat) -> list[str]:
        names = [name_of(item) for sitter in self._sitters[seat] for item in sitter.port.items]
        return [name for name in names if name not in ("", "ACCEPTED")]


async def set_up(
    table: Table,
    ways: Mapping[tuple[Phase, Seat], Way],
    moment: Moment,
    culprit: Seat,
    control: TimeControl,
    policy: FaultPolicy,
) -> FakeScene:
    """Returns a scene at its moment; before the start nobody has joined yet."""
    if moment.phase is None:
        match = await table.create(_order(bytes(32), control, policy))
        return FakeScene(table, match, culprit, control, policy)
    asked = culprit if moment.is_asked else culprit.other
    way = ways[moment.phase, asked]
    match = await table.create(_order(way.seed, control, policy))
    scene = FakeScene(table, match, culprit, control, policy)
    for seat in SEATS:
        await scene.join(seat)
        await scene.ready(seat)
    for action in way.actions:
        question = await scene.question()
        assert await scene.act(question.seat, action) == ["ACCEPTED"]
    assert (await scene.question()).seat is asked
    return scene


def _order(seed: bytes, control: TimeControl, policy: FaultPolicy) -> MatchOrder:
    return MatchOrder(ruleset=RULESET, time_control=control, fault_policy=policy, players=ORDER.players, seed=seed)
