from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

import pytest

from referee.adjudication.inputs import Absence, ActionTaken, Input, InputKind, NoShow, Resignation, Start, Void
from referee.adjudication.terms import DealMode, FaultPolicy, Player
from referee.audit.report import Check, Report, Status
from referee.audit.verify import JOURNALS_ONLY, NO_INDEX, NO_REVEAL, NO_SEAL, SIGNER_UNKNOWN, Evidence, verify
from referee.rules.cards import Deck
from referee.rules.outcome import Termination
from referee.rules.ruleset import VARIANTS, Ruleset
from referee.rules.seats import SEATS, Seat
from tests.audit.simulated import Log, Simulation, play, random_match, troubled_match
from tests.audit.tampering import honest, rejected, troubled

SHORT = Ruleset(target=1)


def report_on(log: Log) -> Report:
    return verify(BytesIO(log.to_bytes()))


@pytest.mark.parametrize("seed", range(4))
def test_match_of_random_bots_is_proven(seed: int) -> None:
    log = random_match(seed)
    report = report_on(log)
    assert (report.status, report.part, report.check, report.clause, report.message) == (
        Status.OK,
        None,
        None,
        None,
        "",
    )
    assert report.not_proven == (SIGNER_UNKNOWN, JOURNALS_ONLY, NO_INDEX)
    assert report.judged
    assert (report.number, report.match_id) == (1, log.header.match_id)
    assert report.players == (Player("Anna", "random"), Player("Bert", "random"))
    assert report.entries == len(log.entries)
    assert report.actions == sum(isinstance(entry.input.kind, ActionTaken) for entry in log.entries)
    assert report.sequence == sum(len(entry.events) for entry in log.entries)
    assert [report.h0, report.final_head] == list(log.heads())[:: len(log.entries)]
    assert log.seal
    assert report.outcome == log.seal.outcome


@pytest.mark.parametrize("seed", range(12))
def test_match_with_tries_time_outs_and_resumptions_is_proven(seed: int) -> None:
    assert report_on(troubled_match(seed)).status is Status.OK


@pytest.mark.parametrize("log", [honest, troubled, rejected])
def test_match_that_other_tests_falsify_is_proven(log: Callable[[], Log]) -> None:
    assert report_on(log()).status is Status.OK


@pytest.mark.parametrize(
    "ruleset",
    [
        replace(VARIANTS["official-leaning"], target=1),
        Ruleset(deck=Deck.CLASSIC_108, hand_size=25, target=1),
        Ruleset(deck=Deck.DOUBLE_ZERO_112, hand_size=1, round_cap=3),
        Ruleset(turn_cap=1, round_cap=2),
    ],
    ids=["official-leaning", "large hands", "small hands", "one turn a round"],
)
def test_match_under_other_rules_is_proven(ruleset: Ruleset) -> None:
    assert report_on(random_match(5, ruleset)).status is Status.OK


@pytest.mark.parametrize("mode", DealMode)
def test_match_of_each_deal_mode_is_proven(mode: DealMode) -> None:
    assert report_on(play(Simulation(3, SHORT, deal_mode=mode))).status is Status.OK


@pytest.mark.parametrize(
    ("input", "termination"),
    [
        (Input(None, 0, 30_000, 0, NoShow(SEATS)), Termination.NO_SHOW),
        (Input(Seat.A, 0, 0, 0, Resignation()), Termination.RESIGNATION),
        (Input(None, 0, 0, 0, Void(Termination.VOID_ORGANISER, "rain")), Termination.VOID_ORGANISER),
    ],
)
def test_match_that_never_started_is_proven(input: Input, termination: Termination) -> None:
    simulation = Simulation(1)
    simulation.take(input)
    report = report_on(simulation.log())
    assert report.status is Status.OK
    assert report.outcome
    assert report.outcome.termination is termination


@pytest.mark.parametrize(
    ("kind", "seat", "termination"),
    [
        (Absence(500), Seat.B, Termination.DISCONNECT),
        (Resignation(), Seat.A, Termination.RESIGNATION),
        (Void(Termination.VOID_REFEREE, "power cut"), None, Termination.VOID_REFEREE),
    ],
)
def test_match_ended_by_the_referee_is_proven(kind: InputKind, seat: Seat | None, termination: Termination) -> None:
    simulation = Simulation(1, fault_policy=FaultPolicy(forfeit_after_absence_ms=500))
    simulation.start()
    for _ in range(40):
        simulation.act()
    assert simulation.state.decision
    simulation.take(Input(seat, simulation.state.decision.decision_id, 9, 0, kind))
    report = report_on(simulation.log())
    assert report.status is Status.OK
    assert report.outcome
    assert report.outcome.termination is termination


def test_file_of_a_match_not_over_is_incomplete() -> None:
    log = random_match(1, SHORT)
    cut = replace(log, entries=log.entries[:20], seal=None, reveal=None)
    report = report_on(cut)
    assert (report.status, report.part, report.check, report.message) == (Status.INCOMPLETE, None, None, NO_SEAL)
    assert report.not_proven == (NO_SEAL, NO_REVEAL, SIGNER_UNKNOWN, JOURNALS_ONLY, NO_INDEX)
    assert (report.entries, report.outcome) == (20, None)
    # With a key there is still nothing that it could have signed.
    assert verify(BytesIO(cut.to_bytes()), Evidence(key=bytes(32))).not_proven == report.not_proven


def test_file_of_a_header_alone_is_incomplete() -> None:
    log = replace(random_match(1, SHORT), entries=[], seal=None, reveal=None)
    report = report_on(log)
    assert (report.status, report.entries, report.sequence) == (Status.INCOMPLETE, 0, 0)
    assert report.h0 == report.final_head


def test_file_without_its_reveal_is_incomplete() -> None:
    log = random_match(1, SHORT)
    assert log.seal
    report = report_on(replace(log, reveal=None))
    assert (report.status, report.message) == (Status.INCOMPLETE, NO_REVEAL)
    assert report.not_proven == (NO_REVEAL, SIGNER_UNKNOWN, JOURNALS_ONLY, NO_INDEX)
    assert not report.judged
    assert report.outcome == log.seal.outcome


def test_file_of_an_unknown_rules_revision_is_incomplete() -> None:
    log = random_match(1, SHORT)
    report = report_on(replace(log, header=replace(log.header, rules_revision=2)).resealed())
    assert report.status is Status.INCOMPLETE
    assert "revision 2" in report.message


@pytest.mark.parametrize("data", [b"", b"UNO", b"UNODUO", b"\x89PNG\r\n\x1a\n and more", b"UNODUO\x00\x02"])
def test_foreign_file_is_named_at_its_head(data: bytes) -> None:
    report = verify(BytesIO(data))
    assert (report.status, report.part, report.check) == (Status.WRONG, "file head", Check.FILE)
    assert (report.number, report.match_id, report.players, report.h0, report.final_head) == (None,) * 5
    # What is wrong is not also told as missing.
    assert report.not_proven == (SIGNER_UNKNOWN, JOURNALS_ONLY, NO_INDEX)


def test_truncated_file_is_never_proven() -> None:
    data = random_match(1, Ruleset(target=1, hand_size=1)).to_bytes()
    assert verify(BytesIO(data)).status is Status.OK
    for size in range(0, len(data), 7):
        assert verify(BytesIO(data[:size])).status is not Status.OK


def test_start_of_a_random_match_holds_the_entropy() -> None:
    # The other tests of this file would not notice a simulation that never sends any.
    start = random_match(1, SHORT).entries[0].input.kind
    assert isinstance(start, Start)
    assert start.entropy_1
    assert start.entropy_1 != start.entropy_2
