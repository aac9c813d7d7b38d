"""The page of a match: what is in the file, and that nothing else is."""

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html import escape
from io import BytesIO
from typing import Any

import pytest

from referee.adjudication.inputs import ActionTaken, Input, Start
from referee.adjudication.rulings import MatchEvent
from referee.adjudication.terms import Player
from referee.audit.replay import replay as read_replay
from referee.audit.verify import verify
from referee.codec.entries import Entry
from referee.codec.seals import encode_reveal
from referee.log.file_format import FileFault
from referee.report.html.page import page
from referee.report.story import Observer, tell
from referee.rules.cards import Card
from referee.rules.decide import begin, decide
from referee.rules.events import CardsDrawn, Event
from referee.rules.evolve import evolve, initial_state
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from tests.audit.simulated import Log, Simulation, random_match, troubled_match
from tests.leaks.worlds import Orders, Pair, pairs

OBSERVERS = {None: Observer.SPECTATOR, Seat.A: Observer.SEAT_A, Seat.B: Observer.SEAT_B}
PAIRS = 12


@pytest.fixture(scope="module")
def log() -> Log:
    return troubled_match(2, Ruleset(target=60))


def _page(log: Log, observer: Observer) -> str:
    return page(BytesIO(log.to_bytes()), observer)


def _views(text: str) -> list[Any]:
    """Returns the views of a page with every step written out."""
    found = re.search(r'<script type="application/json" id="match">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    views: list[Any] = json.loads(found[1])["views"]
    for view in views:
        step: dict[str, Any] = {}
        view["steps"] = [step := {**step, **changes} for changes in view["steps"]]
    return views


@pytest.mark.parametrize("observer", Observer)
def test_page_tells_what_the_terminal_tells(log: Log, observer: Observer) -> None:
    lines = [line for entry in read_replay(BytesIO(log.to_bytes())).entries for line in tell(entry, observer)]
    view = _views(_page(log, observer))[0]
    assert view["observer"] == observer.value
    told = [(step["sequence"], step["clause"], step["text"]) for step in view["steps"]]
    assert told == [(line.sequence, line.sentence.clause, line.sentence.text) for line in lines]


def test_full_page_holds_the_same_views_as_those_made_for_one(log: Log) -> None:
    views = _views(_page(log, Observer.AUDITOR))
    assert [view["observer"] for view in views] == ["auditor", "A", "B", "spectator"]
    for view in views[1:]:
        assert _views(_page(log, Observer(view["observer"]))) == [view]


@pytest.mark.parametrize(
    ("observer", "foreign"), [(Observer.SEAT_A, [1]), (Observer.SEAT_B, [0]), (Observer.SPECTATOR, [0, 1])]
)
def test_foreign_hands_are_hidden_until_a_round_is_scored(log: Log, observer: Observer, foreign: list[int]) -> None:
    steps = _views(_page(log, observer))[0]["steps"]
    scored = 0
    hidden = 0
    for step in steps:
        scored = step["round"] if step["scored"] else scored
        for seat in foreign:
            known = [card for card in step["hands"][seat] if card]
            if scored != step["round"]:
                assert known == []
                hidden += len(step["hands"][seat])
    assert scored > 1
    assert hidden > 100


@pytest.mark.parametrize("observer", [Observer.SEAT_A, Observer.SEAT_B, Observer.SPECTATOR])
def test_page_for_one_holds_no_secret_of_the_file(log: Log, observer: Observer) -> None:
    text = _page(log, observer)
    assert log.reveal is not None
    secrets = [log.reveal.seed, log.reveal.salt, log.reveal.deal_id, encode_reveal(log.reveal), *log.heads()]
    secrets += [entry.blind for entry in log.entries]
    for secret in secrets:
        assert secret.hex() not in text
        assert b64encode(secret).decode().rstrip("=") not in text


def _log_of(pair: Pair, world: Orders) -> Log:
    """Plays a pair's steps in one of its worlds; the file has no reveal, so that no rule of clocks is judged."""
    state = initial_state(pair.ruleset, world)
    entries: list[Entry] = []
    sequence = 1

    def enter(cause: Input, events: list[MatchEvent]) -> None:
        nonlocal sequence
        entries.append(Entry(len(entries) + 1, bytes(16), cause, (), sequence, tuple(events)))
        sequence += len(events)

    events = begin(state)
    enter(Input(None, 0, 0, 0, Start(b"", b"")), [*events])
    for number, step in enumerate(pair.steps):
        for event in events:
            evolve(state, event)
        events = decide(state, step.seat, step.action)
        enter(Input(step.seat, sequence - 1, 0, 0, ActionTaken(f"a{number}", step.action)), [*events])
    return Log(Simulation(0, pair.ruleset).header, entries, None, None)


@pytest.mark.parametrize("seat", [Seat.A, Seat.B, None])
def test_worlds_that_differ_in_hidden_cards_have_the_same_page(seat: Seat | None) -> None:
    differing = 0
    for pair in pairs(0, PAIRS, seat):
        here, there = (_log_of(pair, world) for world in pair.worlds)
        assert _page(here, OBSERVERS[seat]) == _page(there, OBSERVERS[seat])
        differing += _page(here, Observer.AUDITOR) != _page(there, Observer.AUDITOR)
    assert differing > 0


def test_policy_allows_the_script_and_the_style_of_the_page_and_nothing_else(log: Log) -> None:
    text = _page(log, Observer.AUDITOR)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy[1].split(";"))
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digests = [f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'" for part in (script, style)]
    assert rules == {
        "default-src": "'none'",
        "script-src": digests[0],
        "style-src": digests[1],
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert re.findall(r'(?:src|href)="(?!data:,")', text) == []
    assert re.findall(r'https?://(?!www\.w3\.org/2000/svg")', text) == []


def test_names_cannot_leave_their_place() -> None:
    name = "</script><b>&"
    log = random_match(1, Ruleset(target=1))
    header = replace(log.header, players=(Player(name), Player("Bert")))
    text = page(BytesIO(replace(log, header=header).resealed().to_bytes()), Observer.SPECTATOR)
    assert "<b>" not in text
    assert text.count("</script>") == 2
    assert "&lt;/script&gt;&lt;b&gt;&amp;" in text


def test_what_is_not_proven_is_stated(log: Log) -> None:
    report = verify(BytesIO(log.to_bytes()))
    assert report.not_proven
    text = _page(log, Observer.SEAT_A)
    assert re.findall(r"<li>(.*?)</li>", text) == [escape(sentence) for sentence in report.not_proven]


@pytest.mark.parametrize("observer", [Observer.AUDITOR, Observer.SEAT_A])
def test_wrong_match_is_shown_as_wrong_and_quotes_hidden_cards_to_the_auditor_only(observer: Observer) -> None:
    log = random_match(3, Ruleset(target=1))
    place, entry = next((place, entry) for place, entry in enumerate(log.entries) if _drawn_by_b(entry))
    events = tuple(_with_other_cards(event) for event in entry.events)
    log.entries[place] = replace(entry, events=events)
    text = page(BytesIO(log.resealed().to_bytes()), observer)
    assert 'data-status="wrong"' in text
    verdict = re.search(r'data-status="wrong">.*?<span>([^<]*)</span>', text)
    assert verdict is not None
    assert verdict[1].startswith(f"WRONG at entry {place + 1}")
    assert ("private part is" in verdict[1]) is (observer is Observer.AUDITOR)


def _drawn_by_b(entry: Entry) -> bool:
    return any(isinstance(event, Event) and event.private_to is Seat.B for event in entry.events)


def _with_other_cards(event: MatchEvent) -> MatchEvent:
    """Returns an event whose private part, if it is for B, names other cards."""
    if not isinstance(event, Event) or event.private_to is not Seat.B:
        return event
    return replace(
        event, private_cards=tuple(Card.RED_1 if card is Card.RED_0 else Card.RED_0 for card in event.private_cards)
    )


@pytest.mark.parametrize("observer", Observer)
def test_number_of_cards_that_no_deck_has_makes_no_large_page(observer: Observer) -> None:
    log = random_match(3, Ruleset(target=1))
    place, entry = next((place, entry) for place, entry in enumerate(log.entries) if _draws(entry))
    log.entries[place] = replace(entry, events=tuple(map(_drawn_without_end, entry.events)))
    text = page(BytesIO(log.resealed().to_bytes()), observer)
    assert 'data-status="wrong"' in text
    assert len(text) < 1_000_000


def _draws(entry: Entry) -> bool:
    return any(isinstance(event, Event) and isinstance(event.fact, CardsDrawn) for event in entry.events)


def _drawn_without_end(event: MatchEvent) -> MatchEvent:
    if not isinstance(event, Event) or not isinstance(event.fact, CardsDrawn):
        return event
    return replace(event, fact=replace(event.fact, count=2**32 - 1))


def test_match_without_an_event_has_no_page() -> None:
    log = random_match(3, Ruleset(target=1))
    with pytest.raises(FileFault, match="nothing has happened"):
        page(BytesIO(Log(log.header, [], None, None).to_bytes()), Observer.AUDITOR)
