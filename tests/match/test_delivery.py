"""Delivery only with a decision: what comes, what does not, and that nothing is lost by it."""

from dataclasses import replace
from random import Random

import pytest
from unoduo.v1 import observation_pb2

from referee.adjudication.state import Decision
from referee.codec.actions import decode_action
from referee.match.registry import CreatedMatch
from referee.match.seats import Delivery, Resume
from referee.rules.seats import SEATS, Seat
from tests.match.table import ORDER, Sitter, Table, settle

_ORDER = replace(ORDER, ruleset=replace(ORDER.ruleset, hand_size=3, turn_cap=60))


class _Client:
    """Keeps what one seat was told over all its sessions."""

    def __init__(self, table: Table, match: CreatedMatch, seat: Seat) -> None:
        self.table = table
        self.match = match
        self.seat = seat
        self.told: list[observation_pb2.Observation] = []
        self.sitter: Sitter | None = None

    async def join(self) -> None:
        """Joins, or comes back behind what it knows."""
        known = self.told[-1] if self.told else None
        if self.sitter is not None:
            self.sitter.vanish()
        resume = Resume(known.sequence, known.head) if known is not None else None
        self.sitter = await self.table.join(self.match, self.seat, delivery=Delivery.ON_DECISION, resume=resume)
        for _ in range(4):
            await settle()

    def take(self) -> list[observation_pb2.Observation]:
        """Returns what was told since the last time."""
        assert self.sitter is not None
        news = self.sitter.observations
        self.sitter.port.items = [item for item in self.sitter.port.items if not item.HasField("observation")]
        self.told += news
        return news


def _decision(table: Table, match: CreatedMatch) -> Decision | None:
    arbiter = table.actor(match)._arbiter
    return arbiter.state.decision if arbiter is not None else None


@pytest.mark.parametrize("seed", range(6))
async def test_every_decision_is_told_at_once_and_nothing_between_them(table: Table, seed: int) -> None:
    random = Random(seed)
    match = await table.create(_ORDER)
    clients = [_Client(table, match, seat) for seat in SEATS]
    for client in clients:
        await client.join()
        assert client.sitter is not None
        client.sitter.ready()
    await settle()
    # The first thing that a seat is told after it has joined is its view, whoever decides.
    fresh = {Seat.A, Seat.B}
    while (decision := _decision(table, match)) is not None:
        for client in clients:
            news = client.take()
            if client.seat is decision.seat:
                assert news[-1].decision.decision_id == decision.decision_id
                assert news[-1].HasField("view")
            else:
                assert len(news) == (client.seat in fresh)
                assert not any(observation.HasField("decision") for observation in news)
            assert all(observation.caught_up for observation in news[-1:])
        fresh.clear()
        asked = clients[decision.seat]
        assert asked.sitter is not None
        chance = random.random()
        if chance < 0.2:
            table.clock.advance(1_001)
        else:
            legal = asked.told[-1].decision.legal
            asked.sitter.act(decode_action(random.choice(legal)), decision_id=decision.decision_id)
        await settle()
        if chance > 0.9 and _decision(table, match) is not None:
            for client in clients:
                client.take()
            cut = random.choice(clients)
            await cut.join()
            fresh.add(cut.seat)
            after = _decision(table, match)
            assert after is not None
            rest = clients[cut.seat.other]
            if rest.seat is after.seat:
                # It was told before the cut, and is not told again.
                assert rest.take() == []
                rest.sitter = None
                await rest.join()
                fresh.add(rest.seat)
    for client in clients:
        (last,) = client.take()[-1:]
        assert last.events[-1].event.HasField("match_ended")
        sequences = [event.sequence for observation in client.told for event in observation.events]
        assert sequences == list(range(1, last.sequence + 1))
        assert client.sitter is not None
        assert client.sitter.ended is not None
