"""Plays a case on the engine, step by step."""

from copy import deepcopy
from dataclasses import dataclass
from itertools import count
from typing import Final, assert_never

from referee.cases.expectations import difference
from referee.cases.model import (
    CardPoints,
    Case,
    DeckContents,
    Expected,
    FullDeal,
    Game,
    LeadsTo,
    MalformedField,
    Position,
    Rejected,
    Rulesets,
    Step,
)
from referee.cases.shuffles import GivenShuffler, UnexpectedShuffle
from referee.cases.tables import deck_difference, points_difference, ruleset_difference
from referee.codec.actions import decode_action
from referee.codec.errors import Malformed
from referee.deal.streams import SealedShuffler
from referee.rules.cards import Symbol, deck_cards
from referee.rules.decide import begin, decide
from referee.rules.errors import IllegalAction
from referee.rules.events import Event, RoundStarted
from referee.rules.evolve import evolve, initial_state
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from referee.rules.state import State, dealt, position


class ImpossibleStart(Exception):
    """Reports a position or deck that no round can start from."""


_DEAL_ID: Final = bytes(16)
_SEED_SIZE: Final = 32


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Holds how a case went: if not `ok`, `message` says how step number `step` (from 1) differs.

    Step 0 is the start: a position or deal that cannot be set up, or what the beginning of the match differs in.  For a
    case of rulesets a step is one of these; for one of cards it is 0.
    """

    id: str
    ok: bool
    step: int = 0
    message: str = ""


def run(case: Case) -> CaseResult:
    """Returns how a case goes; the first step that differs from what it is to lead to ends it."""
    body = case.body
    if isinstance(body, Game):
        return _play(case.id, body)
    if isinstance(body, Rulesets):
        return _check_all(case.id, body)
    if isinstance(body, DeckContents):
        problem = deck_difference(body)
    elif isinstance(body, CardPoints):
        problem = points_difference(body)
    else:
        assert_never(body)
    return CaseResult(case.id, problem is None, 0, problem or "")


def _check_all(id: str, rulesets: Rulesets) -> CaseResult:
    for number, check in enumerate(rulesets.checks, 1):
        problem = ruleset_difference(check)
        if problem is not None:
            return CaseResult(id, False, number, problem)
    return CaseResult(id, True)


def _play(id: str, game: Game) -> CaseResult:
    number = 0
    try:
        state = _before(game)
        problem = _begin(state, game)
        if problem is not None:
            return CaseResult(id, False, number, problem)
        for number, step in enumerate(game.steps, 1):
            problem = _take(state, step)
            if problem is not None:
                return CaseResult(id, False, number, problem)
    except (ImpossibleStart, UnexpectedShuffle) as error:
        return CaseResult(id, False, number, str(error))
    return CaseResult(id, True)


def _before(game: Game) -> State:
    """Returns the state from which a case starts: a position, or a match before its beginning."""
    start = game.start
    if isinstance(start, FullDeal):
        return _full_deal(game.ruleset, start.cut_winner)
    try:
        state = _position(start, game.ruleset) if isinstance(start, Position) else dealt(start.cards, game.ruleset)
    except ValueError as error:
        raise ImpossibleStart(str(error)) from None
    if game.shuffles is not None:
        state.shuffler = GivenShuffler(game.shuffles, state.shuffler)
    return state


def _position(start: Position, ruleset: Ruleset) -> State:
    if len(deck_cards(ruleset.deck)) <= 4 * ruleset.hand_size:
        raise ImpossibleStart("the deck of a further round does not hold the draft and a starter")
    return position(
        hands=start.hands,
        discard=start.discard,
        draw=start.draw,
        color=start.color,
        turn=start.turn,
        free_color=start.free_color,
        totals=start.totals,
        ruleset=ruleset,
    )


def _begin(state: State, game: Game) -> str | None:
    """Begins the match unless it is in a position already; returns what differs, None if nothing does."""
    if isinstance(game.start, Position):
        return None
    events = begin(state)
    for event in events:
        evolve(state, event)
    return _differences(state, events, game.begin) if game.begin else None


def _full_deal(ruleset: Ruleset, cut_winner: Seat) -> State:
    """Returns a match before its beginning under the first seed that gives such a deal; about one in three does."""
    deck = deck_cards(ruleset.deck)
    for seed in count():
        shuffler = SealedShuffler(seed.to_bytes(_SEED_SIZE, "big"), _DEAL_ID, b"", b"")
        state = initial_state(ruleset, shuffler)
        # Every pick takes two cards, whatever is kept.
        starter = shuffler.deck(1, deck)[4 * ruleset.hand_size]
        if _drafts_first(begin(state)) is cut_winner and starter.symbol < Symbol.SKIP:
            return state
    raise AssertionError("seeds do not end")


def _drafts_first(events: list[Event]) -> Seat | None:
    for event in events:
        if isinstance(event.fact, RoundStarted):
            return event.fact.first_drafter
    return None


def _take(state: State, step: Step) -> str | None:
    """Plays one step, which changes the state if the rules accept it; returns what differs, None if nothing does."""
    before = _copy(state)
    leads_to = step.leads_to
    try:
        events = decide(state, step.seat, decode_action(step.action))
    except Malformed as error:
        found = f"malformed at {error.field} ({error.message})"
        as_expected = isinstance(leads_to, MalformedField) and leads_to.field == error.field
    except IllegalAction as error:
        found = f"rejected, {error.reason} by {error.clause} ({error.message})"
        as_expected = isinstance(leads_to, Rejected) and leads_to == Rejected(error.reason, error.clause)
    else:
        found = "accepted"
        as_expected = isinstance(leads_to, Expected)
    if state != before:
        return "judging the action changed the state"
    if not as_expected:
        return f"expected {_told(leads_to)}, found {found}"
    if not isinstance(leads_to, Expected):
        return None
    for event in events:
        evolve(state, event)
    return _differences(state, events, leads_to)


def _differences(state: State, events: list[Event], expected: Expected) -> str | None:
    differences = (difference(expectation, state, events) for expectation in expected.expectations)
    return "; ".join(filter(None, differences)) or None


def _told(leads_to: LeadsTo) -> str:
    if isinstance(leads_to, Rejected):
        return f"rejected, {leads_to.reason} by {leads_to.clause}"
    if isinstance(leads_to, MalformedField):
        return f"malformed at {leads_to.field}"
    return "accepted"


def _copy(state: State) -> State:
    # The shuffler is no part of what may change; it is compared by identity.
    return deepcopy(state, {id(state.shuffler): state.shuffler})
