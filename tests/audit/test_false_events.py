"""Events other than those that the input causes are found, though every head is right."""

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

import pytest

from referee.adjudication.errors import Check as RulingCheck
from referee.adjudication.inputs import Absence, Input, InputKind, NoShow, Resignation, Resume, Void
from referee.adjudication.rulings import DealSealed, Forfeited, MatchEvent
from referee.adjudication.terms import FaultPolicy
from referee.audit.report import Check
from referee.audit.verify import verify
from referee.codec.entries import Entry
from referee.rules.cards import Card
from referee.rules.events import (
    CardsPlayed,
    Challenged,
    Cut,
    DraftDone,
    Event,
    MatchEnded,
    RoundEnded,
    StarterTurned,
    TurnStarted,
)
from referee.rules.outcome import Termination
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from tests.audit.simulated import Log, Simulation, random_match
from tests.audit.tampering import (
    Tampered,
    Tampering,
    assert_found,
    caused_several,
    changed,
    default_was_taken,
    drew_cards,
    entry_changed,
    event_changed,
    fact_changed,
    honest,
    is_fact,
    rejected,
    renumbered,
    termination,
    took_action,
    troubled,
)


def other_cards(event: Event) -> Event:
    card = Card.RED_5 if event.private_cards[0] is not Card.RED_5 else Card.BLUE_5
    return changed(event, private_cards=(card, *event.private_cards[1:]))


def other_seat(event: Event) -> Event:
    assert event.private_to is not None
    return changed(event, private_to=event.private_to.other)


def other_winner(event: Event) -> Event:
    assert isinstance(event.fact, MatchEnded)
    winner = event.fact.outcome.winner
    assert winner is not None
    return changed(event, fact=MatchEnded(changed(event.fact.outcome, winner=winner.other)))


def winner_changed(log: Log) -> Tampered:
    """Gives the match to the loser, in the last event and in the seal alike."""
    false, part = event_changed(is_fact(MatchEnded), other_winner)(log)
    end = false.entries[-1].events[-1]
    assert isinstance(end, Event)
    assert isinstance(end.fact, MatchEnded)
    assert false.seal
    return replace(false, seal=replace(false.seal, outcome=end.fact.outcome)), part


def entry_dropped(log: Log) -> Tampered:
    return renumbered(replace(log, entries=log.entries[:29] + log.entries[30:])), "entry 30"


def entry_repeated(log: Log) -> Tampered:
    return renumbered(replace(log, entries=log.entries[:30] + log.entries[29:])), "entry 31"


@pytest.mark.parametrize(
    "tampering",
    [
        pytest.param(event_changed(drew_cards, other_cards), id="drawn card"),
        pytest.param(event_changed(is_fact(DraftDone), other_cards), id="drafted card"),
        pytest.param(event_changed(is_fact(Challenged), other_cards), id="shown hand"),
        pytest.param(event_changed(drew_cards, other_seat), id="to the other seat"),
        pytest.param(event_changed(drew_cards, lambda e: changed(e, private_cards=(), private_to=None)), id="left out"),
        pytest.param(
            event_changed(is_fact(TurnStarted), lambda e: changed(e, private_cards=(Card.WILD,), private_to=Seat.A)),
            id="added",
        ),
    ],
)
def test_false_private_part_is_found(tampering: Tampering) -> None:
    assert_found(honest(), tampering, Check.PRIVATE_PART, "R14.2")


@pytest.mark.parametrize(
    "tampering",
    [
        pytest.param(fact_changed(Cut, lambda fact: Cut(fact.card_b, fact.card_a)), id="cut"),
        pytest.param(fact_changed(StarterTurned, lambda fact: changed(fact, draw_count=5)), id="draw pile"),
        pytest.param(fact_changed(CardsPlayed, lambda fact: changed(fact, left=40)), id="cards left"),
        pytest.param(fact_changed(CardsPlayed, lambda fact: changed(fact, uno=not fact.uno)), id="call of UNO"),
        pytest.param(fact_changed(TurnStarted, lambda fact: changed(fact, seat=fact.seat.other)), id="turn"),
        pytest.param(fact_changed(Challenged, lambda fact: changed(fact, guilty=not fact.guilty)), id="verdict"),
        pytest.param(fact_changed(RoundEnded, lambda fact: changed(fact, totals=(7, 7))), id="totals"),
        pytest.param(winner_changed, id="winner"),
        pytest.param(
            entry_changed(caused_several, lambda entry: changed(entry, events=entry.events[:-1])), id="dropped"
        ),
        pytest.param(
            entry_changed(took_action, lambda entry: changed(entry, events=(*entry.events, entry.events[-1]))),
            id="added",
        ),
        pytest.param(
            entry_changed(
                caused_several, lambda entry: changed(entry, events=(*entry.events[1::-1], *entry.events[2:]))
            ),
            id="swapped",
        ),
        pytest.param(
            event_changed(is_fact(TurnStarted), lambda _: DealSealed(b"", b"")), id="ruling in the place of a fact"
        ),
    ],
)
def test_false_fact_is_found(tampering: Tampering) -> None:
    assert_found(honest(), tampering, Check.EVENTS, "R13.6")


def took_default(entry: Entry) -> bool:
    return default_was_taken(entry.events[0])


def resumed(entry: Entry) -> bool:
    return isinstance(entry.input.kind, Resume)


def forfeited(event: MatchEvent) -> bool:
    return isinstance(event, Forfeited)


@pytest.mark.parametrize(
    "tampering",
    [
        pytest.param(event_changed(default_was_taken, lambda ruling: changed(ruling, strikes=7)), id="strikes"),
        pytest.param(
            event_changed(default_was_taken, lambda ruling: changed(ruling, default_taken=False)), id="default"
        ),
        pytest.param(event_changed(forfeited, lambda ruling: changed(ruling, seat=ruling.seat.other)), id="seat"),
        pytest.param(event_changed(forfeited, lambda ruling: changed(ruling, judged_on=None)), id="evidence"),
        pytest.param(
            event_changed(forfeited, lambda ruling: changed(ruling, judged_on=changed(ruling.judged_on, bank_ms=9999))),
            id="reading of the clock",
        ),
        pytest.param(winner_changed, id="winner"),
    ],
)
def test_false_ruling_is_found_and_is_no_matter_of_the_rules(tampering: Tampering) -> None:
    assert_found(troubled(), tampering, Check.EVENTS, None)


@pytest.mark.parametrize(
    ("tampering", "clause"),
    [
        pytest.param(
            entry_changed(took_default, lambda entry: changed(entry, events=entry.events[:-1])),
            "R13.6",
            id="event of the default action dropped",
        ),
        pytest.param(
            entry_changed(resumed, lambda entry: changed(entry, events=entry.events * 2)),
            None,
            id="event of the referee repeated",
        ),
    ],
)
def test_false_number_of_events_names_the_clause_of_the_last(tampering: Tampering, clause: str | None) -> None:
    assert_found(troubled(), tampering, Check.EVENTS, clause)


def ruled(seat: Seat | None, kind: InputKind) -> Log:
    """Returns a match that the referee ends in its first decision."""
    simulation = Simulation(1, fault_policy=FaultPolicy(forfeit_after_absence_ms=500))
    simulation.start()
    assert simulation.state.decision
    simulation.take(Input(seat, simulation.state.decision.decision_id, 0, 0, kind))
    return simulation.log()


def never_started() -> Log:
    simulation = Simulation(1)
    simulation.take(Input(None, 0, 30_000, 0, NoShow((Seat.B,))))
    return simulation.log()


ENDS: dict[Termination, tuple[Callable[[], Log], str | None]] = {
    Termination.TARGET: (honest, "R13.6"),
    Termination.ROUND_CAP: (lambda: random_match(1, Ruleset(hand_size=1, target=1_000_000, round_cap=1)), "R13.6"),
    Termination.TIMEOUT: (troubled, None),
    Termination.ILLEGAL_ACTION: (rejected, None),
    Termination.DISCONNECT: (lambda: ruled(Seat.A, Absence(500)), None),
    Termination.NO_SHOW: (never_started, None),
    Termination.RESIGNATION: (lambda: ruled(Seat.A, Resignation()), None),
    Termination.VOID_ORGANISER: (lambda: ruled(None, Void(Termination.VOID_ORGANISER, "")), None),
    Termination.VOID_REFEREE: (lambda: ruled(None, Void(Termination.VOID_REFEREE, "")), None),
}


@pytest.mark.parametrize("ended_by", Termination)
def test_false_end_breaks_a_rule_only_if_the_rules_end_the_match(ended_by: Termination) -> None:
    match, clause = ENDS[ended_by]
    log = match()
    assert termination(log) is ended_by
    false_end = fact_changed(MatchEnded, lambda fact: MatchEnded(changed(fact.outcome, rounds=99)))
    assert_found(log, false_end, Check.EVENTS, clause)


@pytest.mark.parametrize("tampering", [entry_dropped, entry_repeated])
def test_dropped_or_repeated_entry_is_found(tampering: Tampering) -> None:
    assert_found(honest(), tampering, RulingCheck.DECISION, None)


def test_message_about_a_very_long_private_part_is_bounded() -> None:
    more = event_changed(drew_cards, lambda event: changed(event, private_cards=(Card.WILD_DRAW_FOUR,) * 100_000))
    false, part = more(honest())
    report = verify(BytesIO(false.resealed().to_bytes()))
    assert (report.part, report.check) == (part, Check.PRIVATE_PART)
    assert "WILD_DRAW_FOUR" in report.message
    assert len(report.message) < 3000
