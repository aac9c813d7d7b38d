"""Random matches: rulesets, orders of the cards and bots, all from one seed."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from referee.rules.actions import Action, Challenge, Draw, KeepDrawn, LetPass, Play
from referee.rules.cards import Card, Deck, Symbol
from referee.rules.decide import begin, decide
from referee.rules.events import Event
from referee.rules.evolve import evolve, initial_state
from referee.rules.legality import legal_actions
from referee.rules.ruleset import DumpFinalReverse, FinalPenalty, Piles, Ruleset, Wd4Alternative, Wd4GuiltyNext
from referee.rules.seats import Seat
from referee.rules.state import State

Bot = Callable[[Random, State, list[Action]], Action]
Step = tuple[Seat | None, Action | None, list[Event]]


@dataclass
class SeededShuffler:
    """Gives random orders that depend on the seed and on what is asked alone.

    With `size` only so many cards of each deck are in the game, so that the piles run out early.  `swapped` gives the
    seats each other's card of the cut and changes nothing else.
    """

    seed: int
    size: int | None = None
    swapped: bool = False
    _decks: dict[int, tuple[Card, ...]] = field(default_factory=dict)

    def cut(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        order = self._order("cut", cards)
        if not self.swapped:
            return order
        return tuple(card for pair in zip(order[1::2], order[::2], strict=True) for card in pair)

    def deck(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        if round not in self._decks:
            self._decks[round] = self._order(f"deck {round}", cards)[: self.size]
        return self._decks[round]

    def opening_block(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return self._order(f"block {round}", cards)

    def recycled(self, round: int, number: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return self._order(f"recycle {round} {number}", cards)

    def _order(self, label: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        order = list(cards)
        Random(f"{self.seed} {label}").shuffle(order)
        return tuple(order)


def uniform(random: Random, state: State, legal: list[Action]) -> Action:
    """Takes any listed action."""
    return random.choice(legal)


def idle(random: Random, state: State, legal: list[Action]) -> Action:
    """Never plays a card."""
    return _first(legal, (Draw, KeepDrawn)) or random.choice(legal)


def eager(random: Random, state: State, legal: list[Action]) -> Action:
    """Plays whenever it can."""
    plays = [action for action in legal if isinstance(action, Play)]
    return random.choice(plays or legal)


def dumper(random: Random, state: State, legal: list[Action]) -> Action:
    """Lays as many cards as it can, Reverses last."""
    return max(legal, key=lambda action: (_size(action), _ends_on(action, Symbol.REVERSE), random.random()))


def forgetful(random: Random, state: State, legal: list[Action]) -> Action:
    """Prefers drawing cards, never calls UNO, challenges always."""
    if any(isinstance(action, Challenge) for action in legal):
        return _first(legal, (Challenge,)) or legal[0]
    silent = [action for action in legal if not (isinstance(action, Play) and action.uno)]
    return max(silent, key=lambda action: (_ends_on(action, Symbol.DRAW_TWO), _ends_on(action, Symbol.WILD_DRAW_FOUR),
                                           random.random()))  # fmt: skip


def clinging(random: Random, state: State, legal: list[Action]) -> Action:
    """Never goes out while it can do anything else, and lets every missed call pass."""
    held = len(state.hands[state.actor])
    staying = [action for action in legal if _size(action) < held]
    return _first(legal, (LetPass,)) or random.choice(staying or legal)


BOTS: tuple[Bot, ...] = (uniform, uniform, eager, eager, dumper, forgetful, clinging, idle)


def _first(legal: list[Action], kinds: tuple[type[Action], ...]) -> Action | None:
    return next((action for action in legal if isinstance(action, kinds)), None)


def _size(action: Action) -> int:
    return len(action.cards) if isinstance(action, Play) else 0


def _ends_on(action: Action, symbol: Symbol) -> bool:
    return isinstance(action, Play) and action.cards[-1].symbol is symbol


def random_ruleset(random: Random) -> Ruleset:
    """Returns any combination of options, with numbers that keep a round short."""
    return Ruleset(
        deck=random.choice(list(Deck)),
        piles=random.choice(list(Piles)),
        wd4_alternative=random.choice(list(Wd4Alternative)),
        wd4_guilty_next=random.choice(list(Wd4GuiltyNext)),
        dump_final_reverse=random.choice(list(DumpFinalReverse)),
        final_penalty=random.choice(list(FinalPenalty)),
        hand_size=random.choice((1, 2, 3, 5, 7, 7, 7, 12, 25)),
        target=random.choice((1, 50, 200, 200, 500)),
        turn_cap=random.choice((1, 10, 60, 150, 250, 1000)),
        round_cap=random.choice((1, 2, 3, 5)),
    )


@dataclass
class Match:
    """One random match: its state and all that decides its course."""

    seed: int
    random: Random
    shuffler: SeededShuffler
    bots: tuple[Bot, Bot]
    state: State


def random_match(seed: int, *, swapped: bool = False, **options: object) -> Match:
    """Returns a match before its beginning; `options` replace those of the random ruleset.

    A swapped match is the same one with the seats exchanged.
    """
    random = Random(seed)
    ruleset = replace(random_ruleset(random), **options)  # type: ignore[arg-type]
    smallest = 4 * ruleset.hand_size + 5
    size = random.choice((None, None, smallest, smallest + random.randrange(12)))
    shuffler = SeededShuffler(seed, size if size and size <= 108 else None, swapped)
    first, second = random.choice(BOTS), random.choice(BOTS)
    bots = (second, first) if swapped else (first, second)
    return Match(seed, random, shuffler, bots, initial_state(ruleset, shuffler))


def next_step(match: Match) -> Step:
    """Returns what the bot of the actor does and the events that it causes, not yet applied."""
    seat = match.state.actor
    action = match.bots[seat](match.random, match.state, legal_actions(match.state))
    return seat, action, decide(match.state, seat, action)


def first_step(match: Match) -> Step:
    """Returns the events that begin the match; no seat, no action."""
    return None, None, begin(match.state)


def apply(match: Match, step: Step) -> None:
    """Applies the events of a step."""
    for event in step[2]:
        evolve(match.state, event)
