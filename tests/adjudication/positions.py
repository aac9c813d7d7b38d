"""Matches brought to a known point, for the tests of adjudication."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy

from referee.adjudication.adjudicate import adjudicate
from referee.adjudication.apply import apply, note_try
from referee.adjudication.inputs import ActionTaken, Input, InputKind, RejectedTry, Start
from referee.adjudication.rulings import MatchEvent
from referee.adjudication.state import MatchState
from referee.adjudication.terms import FaultPolicy, Terms, TimeControl
from referee.deal.streams import SealedShuffler
from referee.rules.actions import DRAW, Action
from referee.rules.legality import legal_actions
from referee.rules.ruleset import DUO, Ruleset
from referee.rules.seats import Seat
from referee.rules.state import State

SEED = bytes(range(32))
DEAL_ID = bytes(range(16))
# Drawing is no action of a draft, in which every match begins (RULES.md R13.2).
ILLEGAL_IN_DRAFT = DRAW


def shuffler_for(entropy_1: bytes, entropy_2: bytes) -> SealedShuffler:
    return SealedShuffler(SEED, DEAL_ID, entropy_1, entropy_2)


def created(
    time_control: TimeControl | None = None, fault_policy: FaultPolicy | None = None, ruleset: Ruleset = DUO
) -> MatchState:
    return MatchState(Terms(ruleset, time_control or TimeControl(), fault_policy or FaultPolicy()), shuffler_for)


def started(
    time_control: TimeControl | None = None, fault_policy: FaultPolicy | None = None, ruleset: Ruleset = DUO
) -> MatchState:
    state = created(time_control, fault_policy, ruleset)
    take(state, Input(None, 0, 0, 0, Start(b"", b"")))
    return state


def take(state: MatchState, input: Input) -> list[MatchEvent]:
    events = adjudicate(state, input)
    apply(state, input, events)
    return events


def of_actor(state: MatchState, kind: InputKind, elapsed_ms: int = 0, lag_credit_ms: int = 0) -> Input:
    """Returns an input about the open decision and its seat."""
    assert state.decision is not None
    return Input(state.decision.seat, state.decision.decision_id, elapsed_ms, lag_credit_ms, kind)


def of_match(state: MatchState, kind: InputKind, seat: Seat | None = None, elapsed_ms: int = 0) -> Input:
    """Returns an input about the match, or about any seat of it."""
    return Input(seat, state.decision.decision_id if state.decision else 0, elapsed_ms, 0, kind)


def act(state: MatchState, action: Action | None = None, elapsed_ms: int = 0) -> list[MatchEvent]:
    """Takes an action of the actor, by default the first of the legal ones."""
    chosen = action if action is not None else legal_actions(rules_of(state))[0]
    return take(state, of_actor(state, ActionTaken("a", chosen), elapsed_ms))


def reject(state: MatchState, count: int = 1) -> None:
    """Notes rejected tries of the open decision of a draft."""
    assert state.decision is not None
    for number in range(count):
        seat, decision_id = state.decision.seat, state.decision.decision_id
        note_try(state, RejectedTry(seat, decision_id, f"try-{number}", ILLEGAL_IN_DRAFT, "R13.2"))


def rules_of(state: MatchState) -> State:
    assert state.rules is not None
    return state.rules


def actor(state: MatchState) -> Seat:
    assert state.decision is not None
    return state.decision.seat


@contextmanager
def unchanged(state: MatchState) -> Iterator[None]:
    before = deepcopy(state)
    yield
    assert _comparable(state) == _comparable(before)


def _comparable(state: MatchState) -> tuple[object, ...]:
    rules = state.rules
    # A shuffler has no equality of its own and its memory may grow; everything else counts.
    rest = tuple(getattr(state, name) for name in MatchState.__dataclass_fields__ if name not in ("rules",))
    return (*rest, rules and tuple(getattr(rules, name) for name in State.__dataclass_fields__ if name != "shuffler"))
