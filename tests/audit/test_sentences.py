"""What `unoduo verify` prints: each fault is told in a sentence that names what was found and what must be there."""

from dataclasses import replace
from io import BytesIO

import pytest

from referee.adjudication.inputs import ActionTaken, Start
from referee.adjudication.rulings import DealSealed
from referee.adjudication.terms import DealMode
from referee.audit.report import Report
from referee.audit.verify import JOURNALS_ONLY, NO_INDEX, SIGNER_UNKNOWN, verify
from referee.codec.seals import encode_seal
from referee.deal.commitment import commitment
from referee.log.file_format import FILE_HEAD, REVEAL_TAG, SEAL_TAG, chained_bytes, section_bytes
from referee.log.heads import header_head
from referee.rules.actions import DRAW
from referee.rules.cards import Card
from referee.rules.events import DraftOffered, TurnStarted
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from tests.audit.simulated import Log, Simulation, play, random_match
from tests.audit.tampering import (
    Tampering,
    changed,
    entry_changed,
    entry_replaced,
    event_changed,
    fact_changed,
    input_changed,
    is_fact,
    kind_changed,
    troubled,
    try_changed,
)

SHORT = Ruleset(hand_size=3, target=1, turn_cap=20, round_cap=1)


def short() -> Log:
    return random_match(2, SHORT)


def report_on(log: Log) -> Report:
    return verify(BytesIO(log.resealed().to_bytes()))


def index_changed(log: Log) -> tuple[Log, str]:
    false = changed(log.entries[2], index=4)
    return replace(log, entries=[*log.entries[:2], false, *log.entries[3:]]), "entry 3"


def sequence_changed(log: Log) -> tuple[Log, str]:
    return entry_replaced(log, changed(log.entries[2], first_sequence=12))


def end_dropped(log: Log) -> tuple[Log, str]:
    return replace(log, entries=log.entries[:-1]), "seal"


def outcome_changed(log: Log) -> tuple[Log, str]:
    assert log.seal
    return replace(log, seal=changed(log.seal, outcome=changed(log.seal.outcome, rounds=9))), "seal"


def seed_changed(log: Log) -> tuple[Log, str]:
    return replace(log, reveal=changed(log.reveal, seed=bytes(32))), "reveal"


def with_false_clause(clause: str) -> Log:
    return try_changed(lambda attempt: changed(attempt, clause=clause))(troubled())[0]


def offered(*cards: Card, to: Seat | None) -> Tampering:
    """Changes the private part of the first offer, which is event 4."""
    return event_changed(is_fact(DraftOffered), lambda event: replace(event, private_cards=cards, private_to=to))


@pytest.mark.parametrize(
    ("tampering", "sentence"),
    [
        (index_changed, "it calls itself entry 4"),
        (sequence_changed, "its events are numbered from 12, must be from 7"),
        (end_dropped, "the last event does not end the match"),
        (outcome_changed, "its outcome.rounds is 9, must be 1"),
        (seed_changed, "it does not open the commitment of the header"),
        (
            entry_changed(lambda entry: entry.index == 2, lambda entry: changed(entry, events=entry.events[:1])),
            "it holds 1 events, its input causes 2",
        ),
        (
            fact_changed(DraftOffered, lambda fact: changed(fact, seat=fact.seat.other)),
            "event 4.seat is A, must be B",
        ),
        (
            event_changed(is_fact(TurnStarted), lambda _: DealSealed(b"", b"")),
            "event 17 is DealSealed, must be TurnStarted",
        ),
        (
            offered(Card.WILD, Card.RED_5, to=Seat.B),
            "event 4: its private part is WILD, RED_5 to seat B, must be RED_7 to seat B",
        ),
        (offered(to=Seat.A), "event 4: its private part is no cards to seat A, must be RED_7 to seat B"),
        (offered(to=None), "event 4: its private part is none, must be RED_7 to seat B"),
        (
            kind_changed(lambda entry: entry.index == 2, ActionTaken("a", DRAW)),
            "this kind of action does not exist in the present phase",
        ),
        (
            input_changed(lambda entry: entry.index == 2, lambda _: {"decision_id": 1}),
            "the input names decision 1, open is 4",
        ),
        (
            lambda log: (replace(log, raw={3: b"\xff"}), "entry 3"),
            "entry: is not a message Entry",
        ),
    ],
)
def test_fault_is_told_in_a_sentence(tampering: Tampering, sentence: str) -> None:
    false, _ = tampering(short())
    assert report_on(false).message == sentence


@pytest.mark.parametrize("mode", [DealMode.SHARED, DealMode.GIVEN])
def test_entropy_in_a_deal_that_takes_none_is_told_with_the_mode(mode: DealMode) -> None:
    log = play(Simulation(1, SHORT, deal_mode=mode))
    false, _ = kind_changed(lambda entry: entry.index == 1, Start(b"x", b""))(log)
    assert report_on(false).message == f"a deal that is {mode.name} takes no entropy at the start"


def test_false_try_is_told_with_its_clause() -> None:
    sentence = "a try was rejected by 'R1', but what it breaks is R5.5"
    assert report_on(with_false_clause("R1")).message == sentence


@pytest.mark.parametrize("mode", [DealMode.SHARED, DealMode.GIVEN])
def test_foreign_deal_id_of_a_seed_is_told_with_the_mode(mode: DealMode) -> None:
    simulation = Simulation(1, SHORT, deal_mode=mode)
    simulation.reveal = reveal = changed(simulation.reveal, deal_id=bytes(16))
    promise = commitment(simulation.header.match_id, reveal.salt, reveal.deal_id, reveal.seed)
    simulation.header = changed(simulation.header, commitment=promise)
    assert report_on(play(simulation)).message == f"its deal id is not that of a {mode.name.lower()} seed"


def test_head_of_the_seal_is_told() -> None:
    log = short()
    false = replace(log, seal=changed(log.seal, final_head=bytes(32)))
    assert verify(BytesIO(false.to_bytes())).message == "it names another head than that of the last entry"


def test_bytes_that_are_no_header_seal_or_reveal_are_told() -> None:
    header = FILE_HEAD + chained_bytes(b"\xff", header_head(b"\xff"))
    assert verify(BytesIO(header)).message == "header: is not a message Header"
    whole = short()
    assert whole.seal
    open_file = replace(whole, seal=None, reveal=None).to_bytes()
    seal = section_bytes(SEAL_TAG, encode_seal(whole.seal))
    no_seal, no_reveal = section_bytes(SEAL_TAG, b"\xff"), section_bytes(REVEAL_TAG, b"\xff")
    assert verify(BytesIO(open_file + no_seal)).message == "seal: is not a message Seal"
    assert verify(BytesIO(open_file + seal + no_reveal)).message == "reveal: is not a message Reveal"


def test_damaged_part_is_told() -> None:
    data = short().to_bytes()
    assert verify(BytesIO(data[:-1] + bytes((data[-1] ^ 1,)))).message == "its digest is not that of its bytes"


def test_unknown_revision_of_the_rules_is_told() -> None:
    log = short()
    report = report_on(replace(log, header=replace(log.header, rules_revision=7)))
    sentence = (
        "the match was judged by revision 7 of the rules, this program knows revision 1: "
        "only the chain and the form of the entries were checked, no rule"
    )
    assert (report.message, report.not_proven) == (sentence, (sentence, SIGNER_UNKNOWN, JOURNALS_ONLY, NO_INDEX))


def test_sentence_of_more_than_2000_characters_is_cut() -> None:
    before, after = "a try was rejected by '", "', but what it breaks is R5.5"
    longest = "x" * (2000 - len(before) - len(after))
    for clause, sentence in (
        (longest, f"{before}{longest}{after}"),
        (f"{longest}x", f"{before}{longest}x{after[:-1]}..."),
    ):
        assert report_on(with_false_clause(clause)).message == sentence
