"""Looks at every move of a small world with the invariants and with the checker."""

from dataclasses import dataclass
from random import Random

from referee.rules.cards import Card
from referee.rules.events import Event
from referee.rules.evolve import evolve
from referee.rules.state import Phase, State
from tests.checker.judge import Judge
from tests.checker.matches import taken
from tests.checker.notation import options_in_words
from tests.perft.explore import Move, copied
from tests.perft.worlds import World
from tests.properties.invariants import Watcher, probe
from tests.rules.positions import cards

# One state in so many is probed with actions that are not listed.
_PROBED = 20


@dataclass
class CardsInPlay:
    """Knows the deck of a round by looking at where its cards are: those used up in any order, then the draw pile."""

    state: State
    size: int | None

    def deck(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        state = self.state
        seen = [state.seen] if state.phase is Phase.DRAFT and state.seen else []
        return (*state.hands[0], *state.hands[1], *state.discard, *seen, *state.draw[::-1])


class Thorough:
    """Checks every invariant and asks the checker at every move."""

    def __init__(self, world: World) -> None:
        self._options = options_in_words(world.ruleset)
        self._size = len(cards(world.deck))
        self._dice = Random(world.deck)

    def begun(self, state: State, events: list[Event]) -> Judge:
        """Returns the judge of a deal."""
        judge = Judge(self._options, self._size)
        judge.step(taken(state, None, None, events))
        return judge

    def moved(self, handed: Judge, move: Move) -> Judge:
        """Returns the judge after a move, which it and the invariants have found right."""
        state = copied(move.before)
        watcher = Watcher(state, CardsInPlay(move.before, self._size))
        watcher.take_up()
        watcher.before(state.actor, move.action, move.events)
        state.shuffler = move.after.shuffler
        for event in move.events:
            evolve(state, event)
        watcher.after()
        judge = handed.copied()
        judge.step(taken(state, move.before.actor, move.action, move.events))
        if state.phase is not Phase.MATCH_OVER and self._dice.randrange(_PROBED) == 0:
            probe(state, self._dice)
        return judge
