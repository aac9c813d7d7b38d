"""Explores a small world completely: every order of its deck, every choice of the draft, every legal action.

A move is an action in a state or, where cards are shuffled by it, an action with one order that they can take.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

from referee.rules.actions import Action
from referee.rules.cards import Card
from referee.rules.decide import begin, decide
from referee.rules.events import CardsDrawn, Challenged, Event, RoundEnded
from referee.rules.evolve import evolve
from referee.rules.legality import legal_actions
from referee.rules.matching import is_guilty
from referee.rules.state import State, dealt
from tests.perft.orders import ChosenOrder, orders
from tests.perft.worlds import World
from tests.rules.positions import cards

Counts = dict[str, object]
Handed = TypeVar("Handed")


@dataclass(slots=True)
class Move:
    """An action in a state, what it causes, and the state after it."""

    before: State
    action: Action
    events: list[Event]
    after: State


@dataclass
class Tally:
    """Counts what there is in a world."""

    deals: int = 0
    states: Counter[str] = field(default_factory=Counter)
    moves: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    # Points of both seats over all ends, cards drawn by reason, verdicts: what tells the options apart.
    points: list[int] = field(default_factory=lambda: [0, 0])
    drawn: Counter[str] = field(default_factory=Counter)
    guilty: Counter[str] = field(default_factory=Counter)
    # States from which no play leads to an end.
    endless: int = 0

    def counts(self) -> Counts:
        """Returns the counts as they are kept."""
        counted = {
            name: dict(sorted(counter.items())) for name, counter in vars(self).items() if isinstance(counter, Counter)
        }
        return {
            "deals": self.deals,
            **counted,
            "points": self.points,
            "total": {"states": self.states.total(), "moves": self.moves.total(), "ends": self.ends.total()},
        }


class Inspector(Protocol[Handed]):
    """What looks at every deal and move of a world."""

    def begun(self, state: State, events: list[Event]) -> Handed:
        """Returns what is handed on with the first decision of a deal."""

    def moved(self, handed: Handed, move: Move) -> Handed:
        """Looks at a move with what was handed on to the state before it; returns what is handed on after it."""


class Blind:
    """An inspector that looks at nothing."""

    def begun(self, state: State, events: list[Event]) -> None:
        pass

    def moved(self, handed: None, move: Move) -> None:
        pass


def explore(world: World, inspector: Inspector[Handed]) -> Tally:
    """Returns what there is in a world; raises what the inspector raises."""
    return _Exploration(world, inspector).run()


class _Exploration(Generic[Handed]):
    def __init__(self, world: World, inspector: Inspector[Handed]) -> None:
        self._world = world
        self._inspector = inspector
        self._tally = Tally()
        self._numbers: dict[bytes, int] = {}
        self._pending: list[tuple[int, State, Handed]] = []
        # Each move that does not end the round, as the numbers of two states; states that a move ends the round from.
        self._sources, self._targets, self._ending = array("I"), array("I"), set[int]()

    def run(self) -> Tally:
        tally = self._tally
        for order in orders(cards(self._world.deck)):
            state = dealt(order, self._world.ruleset)
            events = begin(state)
            for event in events:
                evolve(state, event)
            tally.deals += 1
            self._reach(state, self._inspector.begun(state, events))
        while self._pending:
            self._visit(*self._pending.pop())
        moves = zip(self._sources, self._targets, strict=True)
        tally.endless = len(self._numbers) - len(leading_to(self._ending, moves))
        return tally

    def _visit(self, number: int, state: State, handed: Handed) -> None:
        tally = self._tally
        phase = state.phase.name
        tally.states[phase] += 1
        legal = legal_actions(state)
        assert legal, "a live state without a legal action"
        for action in legal:
            for move in _moves(state, action):
                tally.moves[phase] += 1
                self._follow(number, handed, move)

    def _follow(self, number: int, handed: Handed, move: Move) -> None:
        tally, ended = self._tally, None
        for event in move.events:
            match event.fact:
                case CardsDrawn(_, count, _, reason):
                    tally.drawn[reason.name] += count
                case Challenged(_, guilty):
                    tally.guilty[str(guilty)] += 1
                case RoundEnded() as fact:
                    ended = fact
        handed = self._inspector.moved(handed, move)
        if ended is None:
            self._sources.append(number)
            self._targets.append(self._reach(move.after, handed))
            return
        self._ending.add(number)
        tally.ends[ended.reason.name] += 1
        for seat, points in enumerate(ended.points):
            tally.points[seat] += points

    def _reach(self, state: State, handed: Handed) -> int:
        """Returns the number of a state; a new one is visited later."""
        if not self._world.counts_turns:
            state.turns = 1 if state.turns else 0
        name = _name(state)
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._numbers)
            self._pending.append((number, state, handed))
        return number


def leading_to(ends: set[int], moves: Iterable[tuple[int, int]]) -> set[int]:
    """Returns the states from which some way leads to one of the ends; a move is a state and the one after it."""
    before: dict[int, list[int]] = {}
    for source, target in moves:
        before.setdefault(target, []).append(source)
    leading, pending = set(ends), list(ends)
    while pending:
        for number in before.get(pending.pop(), ()):
            if number not in leading:
                leading.add(number)
                pending.append(number)
    return leading


def _moves(state: State, action: Action) -> Iterator[Move]:
    """Yields the move of an action, or one for each order that the cards it shuffles can take."""
    first = ChosenOrder(None)
    state.shuffler = first
    events = decide(state, state.actor, action)
    for order in orders(first.asked) if first.asked else (None,):
        if order is not None:
            state.shuffler = ChosenOrder(order)
            events = decide(state, state.actor, action)
        after = copied(state)
        for event in events:
            evolve(after, event)
        yield Move(state, action, events, after)


def copied(state: State) -> State:
    """Returns a state that changes on its own."""
    hands = (list(state.hands[0]), list(state.hands[1]))
    return replace(state, draw=list(state.draw), discard=list(state.discard), hands=hands)


def _name(state: State) -> bytes:
    """Returns the same bytes for states that nothing can tell apart from here on, and for no others."""
    pending, evidence = state.pending, state.pending.evidence if state.pending else None
    # Before these phases and after them it says nothing.
    next_turn = state.next_turn if state.phase.name in ("COLOR", "UNO") and pending is None else 0
    parts: list[int] = [state.phase.value, state.actor, state.first_drafter, state.turns, state.stall, next_turn]
    parts += [state.color or 0, state.free_color or 0, state.seen or 0, state.known_tail]
    parts += [pending.by, pending.symbol, pending.total] if pending else [0, 0, 0]
    parts += [len(state.draw), len(state.discard), len(state.hands[0]), len(state.hands[1])]
    piles: tuple[list[Card], ...] = (state.draw, state.discard, *state.hands)
    parts += [card for pile in piles for card in pile]
    if evidence:
        option = state.ruleset.wd4_alternative
        parts += [is_guilty(option, evidence.shown, evidence.top, evidence.color), *evidence.shown]
    return bytes(parts)
