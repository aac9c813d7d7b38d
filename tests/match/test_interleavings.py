"""Anything in any order: each thing said is answered once, nothing is told twice or left out, and the log verifies."""

from dataclasses import replace
from io import BytesIO
from random import Random

import pytest

from referee.adjudication.terms import FaultPolicy, TimeControl
from referee.audit.report import Status
from referee.audit.verify import verify
from referee.codec.actions import decode_action
from referee.match.registry import CreatedMatch
from referee.match.replays import replay_page
from referee.match.seats import FROM_START, Delivery, Resume
from referee.rules.actions import DRAW, KEEP_DRAWN, KEEP_OFFERED, Action, Play
from referee.rules.cards import Card
from referee.rules.seats import Seat
from tests.match.table import ORDER, Sitter, Table, settle

STEPS = 400


class _Chaos:
    """Two seats that join, leave, act, err and fall silent as chance has it."""

    def __init__(self, table: Table, match: CreatedMatch, random: Random) -> None:
        self.table = table
        self.match = match
        self.random = random
        self.sitters: list[Sitter] = []
        self.said: dict[int, int] = {}
        self.current: list[Sitter | None] = [None, None]
        self.frozen = False

    async def step(self) -> None:
        random = self.random
        seat = random.choice(list(Seat))
        sitter = self.current[seat]
        kind = random.random()
        if sitter is None or kind < 0.02:
            await self._join(seat)
        elif kind < 0.70:
            self._act(sitter)
        elif kind < 0.74:
            self._say(sitter)
            sitter.ready(random.randbytes(4))
        elif kind < 0.75:
            self._say(sitter)
            sitter.leave()
        elif kind < 0.76:
            sitter.vanish()
            self.current[seat] = None
        elif kind < 0.80:
            self.table.clock.advance(random.choice((1, 50, 1_001, 1_060)))
        elif kind < 0.82:
            self.table.clock.stall(random.choice((30, 2_000)))
        elif kind < 0.84 and not self.frozen:
            self.table.store.freeze()
            self.frozen = True
        elif self.frozen:
            self.table.store.thaw()
            self.frozen = False
        if random.random() < 0.7:
            await settle()

    async def finish(self) -> None:
        """Lets the match run out by silence."""
        self.table.store.thaw()
        for _ in range(5_000):
            await settle()
            if self.table.actor(self.match).is_sealed:
                return
            self.table.clock.advance(31_001)
        raise AssertionError("the match did not end")

    async def _join(self, seat: Seat) -> None:
        delivery = self.random.choice(list(Delivery))
        resume = self.random.choice((None, None, FROM_START, self._known(seat)))
        sitter = await self.table.join(self.match, seat, delivery=delivery, resume=resume, settled=False)
        self.current[seat] = sitter
        self.sitters.append(sitter)

    def _known(self, seat: Seat) -> Resume:
        """Returns a place at which a client of this seat may have been cut off."""
        told = [told for sitter in self.sitters if sitter.seat is seat for told in sitter.observations]
        last = self.random.choice(told[-3:]) if told else None
        return Resume(last.sequence, last.head) if last is not None else FROM_START

    def _act(self, sitter: Sitter) -> None:
        self._say(sitter)
        decision, random = sitter.decision, self.random
        if decision is None or random.random() < 0.2:
            wrong: list[Action] = [DRAW, KEEP_DRAWN, KEEP_OFFERED, Play((Card.RED_0,)), Play(())]
            last = sitter.observations[-1].sequence if sitter.observations else 0
            decision_id = max(0, last - random.randrange(-1, 12))
            sitter.act(random.choice(wrong), decision_id=decision_id, action_id=random.choice("xyz"))
        else:
            sitter.act(decode_action(random.choice(decision.legal)))

    def _say(self, sitter: Sitter) -> None:
        place = self.sitters.index(sitter)
        self.said[place] = self.said.get(place, 0) + 1


def _check_answers(chaos: _Chaos) -> None:
    for place, sitter in enumerate(chaos.sitters):
        kinds = sitter.port.kinds()
        answers = kinds.count("action_result") + kinds.count("ready_accepted") + kinds.count("problem")
        left = [detached for detached in sitter.port.of("detached") if detached.reason == 1]
        assert answers + len(left) == chaos.said.get(place, 0)


def _check_news(chaos: _Chaos) -> None:
    for sitter in chaos.sitters:
        sequences = [event.sequence for told in sitter.observations for event in told.events]
        if sequences:
            assert sequences == list(range(sequences[0], sequences[0] + len(sequences)))
        if sitter.attachment.resume is not None and sequences:
            assert sequences[0] == sitter.attachment.resume.sequence + 1
        for told in sitter.observations:
            assert not told.events or told.events[-1].sequence == told.sequence
            if told.HasField("decision"):
                assert told.HasField("view")
                assert told.view.actor == sitter.seat + 1


def _check_results(chaos: _Chaos) -> None:
    """One action was accepted for each decision, however often it was answered."""
    accepted: dict[int, set[tuple[str, int, int]]] = {}
    for sitter in chaos.sitters:
        for result in sitter.results:
            if result.HasField("accepted"):
                verdict = (result.action_id, result.accepted.first_sequence, result.accepted.sequence)
                accepted.setdefault(result.decision_id, set()).add(verdict)
                assert result.accepted.first_sequence == result.decision_id + 1
    assert all(len(verdicts) == 1 for verdicts in accepted.values())


@pytest.mark.parametrize("seed", range(25))
async def test_any_interleaving_leaves_a_log_that_verifies_and_seats_that_know_it(seed: int) -> None:
    random = Random(seed)
    table = Table()
    await table.open()
    order = replace(
        ORDER,
        ruleset=replace(ORDER.ruleset, hand_size=2, turn_cap=60),
        time_control=TimeControl(1_000, bank_ms=random.choice((0, 500)), margin_ms=random.choice((0, 50))),
        fault_policy=FaultPolicy(rejection_limit=random.choice((1, 10)), max_strikes=random.choice((0, 0, 4))),
        seed=None,
    )
    chaos = _Chaos(table, await table.create(order), random)
    for _ in range(STEPS):
        await chaos.step()
    await chaos.finish()

    _check_answers(chaos)
    _check_news(chaos)
    _check_results(chaos)
    pages: list[bytes] = []
    token = ""
    while not pages or token:
        page, token = await replay_page(table.store, chaos.match.row, token)
        pages.append(page)
    report = verify(BytesIO(b"".join(pages)))
    assert report.status is Status.OK, report
    await table.close()
