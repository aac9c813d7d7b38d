"""Sentences about events: total, one line each, with a clause that exists, without what an observer may not see."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.adjudication.inputs import Input, RejectedTry, RejectionLimit
from referee.adjudication.rulings import (
    ClockReading,
    DealSealed,
    Forfeited,
    Resigned,
    Resumed,
    ResumeReason,
    Ruling,
    TimedOut,
    Voided,
)
from referee.codec.entries import Entry
from referee.report.story import Observer, tell
from referee.report.text import Sentence, describe, describe_action
from referee.rules.actions import DRAW, Action, ChooseColor, Play
from referee.rules.cards import Card, Color, deck_cards
from referee.rules.decide import begin, decide
from referee.rules.events import (
    CardsDrawn,
    CardsPlayed,
    Challenged,
    Cut,
    DraftDone,
    DraftOffered,
    DrawReason,
    Event,
    Fact,
    MatchEnded,
    RoundEnded,
    RoundEndReason,
    StarterTurned,
    TurnStarted,
)
from referee.rules.evolve import evolve, initial_state
from referee.rules.legality import legal_actions
from referee.rules.outcome import Outcome, Termination
from referee.rules.ruleset import VARIANTS
from referee.rules.seats import Seat
from referee.rules.shuffling import FixedShuffler
from referee.rules.state import Phase

A, B = Seat.A, Seat.B
ROOT = Path(__file__).parents[2]
RULES = (ROOT / "proto" / "RULES.md").read_text(encoding="utf-8")

FACTS = [
    (Cut(Card.RED_5, Card.WILD), (), "the cut: A Red 5, B Wild", "R2.4"),
    (DraftOffered(A), (), "A is offered a card", "R3.2"),
    (DraftOffered(A), (Card.BLUE_SKIP,), "A is offered Blue Skip", "R3.2"),
    (DraftDone(A, True, Card.RED_0), (), "A keeps it; Red 0 is discarded", "R3.3"),
    (DraftDone(A, True, Card.RED_0), (Card.WILD,), "A keeps Wild; Red 0 is discarded", "R3.3"),
    (DraftDone(B, False, Card.RED_0), (), "B refuses Red 0 and takes a card", "R3.4"),
    (StarterTurned(Card.GREEN_REVERSE, 97), (), "the starter is Green Reverse, 97 cards to draw", "R4.6"),
    (TurnStarted(A, Color.BLUE, None), (), "A to play on blue", "R5.1"),
    (TurnStarted(A, Color.BLUE, Color.BLUE), (), "A to play on blue, free to dump blue", "R7.12"),
    (CardsPlayed(B, (Card.RED_5,), Color.RED, 2, False), (), "B plays Red 5 (2 left)", "R5.2"),
    (CardsPlayed(B, (Card.WILD,), Color.BLUE, 1, True), (), "B plays Wild, names blue (1 left), UNO!", "R8.1"),
    (
        CardsPlayed(A, (Card.RED_REVERSE, Card.RED_1), Color.RED, 0, False),
        (),
        "A plays Red Reverse, Red 1 (out)",
        "R7.3",
    ),
    (CardsDrawn(A, 1, 1, DrawReason.TURN), (), "A draws 1 card in its turn", "R5.8"),
    (CardsDrawn(A, 0, 1, DrawReason.TURN), (), "A draws 0 of 1 cards, all there are, in its turn", "R10.6"),
    (
        CardsDrawn(B, 2, 2, DrawReason.DRAW_TWO),
        (Card.RED_5, Card.WILD_DRAW_FOUR),
        "B draws 2 cards for the Draw Two: Red 5, Wild Draw Four",
        "R6.4",
    ),
    (CardsDrawn(B, 4, 4, DrawReason.OPENING), (), "B draws 4 cards for the starter", "R4.8"),
    (
        Challenged(A, True),
        (Card.RED_5,),
        "A challenges: it was a bluff; B showed Red 5",
        "R8.11",
    ),
    (Challenged(A, False), (), "A challenges: it was no bluff", "R8.12"),
    (
        RoundEnded(A, RoundEndReason.OUT, ((), (Card.RED_5, Card.WILD)), (0, 20), (7, 20)),
        (),
        "the round is over, A is out: B has Red 5, Wild = 20 points; totals A 7, B 20",
        "R11.1",
    ),
    (
        MatchEnded(Outcome(A, Termination.TARGET, (45, 210), 3)),
        (),
        "the match is over: A wins, 45 to 210 points (target reached, 3 rounds)",
        "R12.1",
    ),
    (
        MatchEnded(Outcome(None, Termination.NO_SHOW, (0, 0), 0, (A, B))),
        (),
        "the match is over: nobody wins, 0 to 0 points (A and B: never joined, 0 rounds)",
        "R12.6",
    ),
]

RULINGS = [
    (DealSealed(b"x" * 32, b""), "the deal is fixed, with 32 and 0 bytes of entropy from its contributors", "R13.7"),
    (TimedOut(A, 1, True), "A is out of time (1 strike); the default is taken", "R13.4"),
    (TimedOut(A, 2, False), "A is out of time (2 strikes)", "R12.6"),
    (
        Forfeited(B, Termination.TIMEOUT, ClockReading(120, 10, 50, 30, 5)),
        "B loses the match, out of time: 110 ms used of 85 ms",
        "R12.6",
    ),
    (
        Forfeited(B, Termination.ILLEGAL_ACTION, "R5.2"),
        "B loses the match, too many rejected tries; the last try broke R5.2",
        "R5.2",
    ),
    (Forfeited(B, Termination.DISCONNECT, 900), "B loses the match, away for too long: 900 ms", "R12.6"),
    (Forfeited(A, Termination.NO_SHOW, None), "A loses the match, never joined", "R12.6"),
    (Resigned(A), "A resigns", "R12.6"),
    (Resumed(ResumeReason.RESTART), "the match goes on (restart)", ""),
    (
        Voided(Termination.VOID_REFEREE, "disk\x1b[2J gone"),
        "the match is void, the referee failed: disk?[2J gone",
        "R12.6",
    ),
]


@pytest.mark.parametrize(("fact", "cards", "text", "clause"), FACTS)
def test_facts_are_told_in_one_sentence(fact: Fact, cards: tuple[Card, ...], text: str, clause: str) -> None:
    assert describe(fact, cards) == Sentence(text, clause)


@pytest.mark.parametrize(("ruling", "text", "clause"), RULINGS)
def test_rulings_are_told_in_one_sentence(ruling: Ruling, text: str, clause: str) -> None:
    assert describe(ruling, ()) == Sentence(text, clause)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Play((Card.WILD,), Color.GREEN, True), "play Wild naming green and say UNO"),
        (Play((), None), "play nothing"),
        (ChooseColor(Color.RED), "choose red"),
        (DRAW, "draw"),
    ],
)
def test_actions_are_told_as_what_was_wanted(action: Action, text: str) -> None:
    assert describe_action(action) == text


def _events_of_matches() -> Iterator[Event]:
    """Yields the events of whole random matches under each variant, which together have every kind of fact."""
    for ruleset in VARIANTS.values():
        for seed in range(6):
            dice = random.Random(seed)
            cards = list(deck_cards(ruleset.deck))
            dice.shuffle(cards)
            state = initial_state(ruleset, FixedShuffler(tuple(cards), tuple(cards)))
            events = begin(state)
            while True:
                for event in events:
                    evolve(state, event)
                    yield event
                if state.phase is Phase.MATCH_OVER:
                    break
                actor = state.actor
                events = decide(state, actor, dice.choice(legal_actions(state)))


def test_every_event_of_random_matches_has_a_sentence_and_a_known_clause() -> None:
    clauses = set(re.findall(r"^\*\*(R\d+\.\d+)\*\*", RULES, re.MULTILINE))
    kinds = set()
    for event in _events_of_matches():
        kinds.add(type(event.fact))
        for cards in (event.private_cards, ()):
            sentence = describe(event.fact, cards)
            assert sentence.text.isprintable()
            assert sentence.clause in clauses
    assert len(kinds) >= 14


def test_without_private_cards_the_sentence_depends_on_the_public_part_alone() -> None:
    for event in _events_of_matches():
        if event.private_cards:
            public = describe(event.fact, ()).text
            shown = describe(event.fact, event.private_cards).text
            other = describe(event.fact, (Card.WILD,) * len(event.private_cards)).text
            assert public != shown or event.private_cards == ()
            assert (shown == other) == (set(event.private_cards) == {Card.WILD})


def test_every_cited_clause_is_in_the_rules() -> None:
    cited = set(re.findall(r'"(R\d+\.\d+)"', (ROOT / "referee" / "report" / "text.py").read_text(encoding="utf-8")))
    assert cited
    for clause in cited:
        assert f"**{clause}**" in RULES, clause


def test_texts_of_a_file_that_nobody_verified_cannot_steer_a_terminal() -> None:
    steering = "R5.6\x1b[2J\n"
    attempt = RejectedTry(Seat.A, 1, "a", DRAW, steering)
    forfeit = Forfeited(Seat.A, Termination.ILLEGAL_ACTION, steering)
    entry = Entry(1, bytes(16), Input(None, 1, 0, 0, RejectionLimit()), (attempt,), 2, (forfeit,))
    for line in tell(entry, Observer.AUDITOR):
        assert line.sentence.clause == "R5.6?[2J?"
        assert line.sentence.text.isprintable()


def test_play_of_no_card_is_told_all_the_same() -> None:
    told = describe(CardsPlayed(Seat.A, (), Color.RED, 3, False), ())
    assert told.text == "A plays nothing"
