"""Pairs of worlds that are equal in all that an observer comes to see, and differ in cards that it does not.

A random match is played on the bare rules. Which cards the observer has not seen when it stops is known then; they
change places, and the same actions are played again. If all that the observer sees is the same in each step, it is a
pair.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from referee.rules.actions import Action
from referee.rules.cards import Card
from referee.rules.decide import begin, decide
from referee.rules.errors import IllegalAction
from referee.rules.events import (
    CardsDrawn,
    CardsPlayed,
    Challenged,
    DraftDone,
    DraftOffered,
    Event,
    Recycled,
    RoundEnded,
    RoundStarted,
    StarterTurned,
)
from referee.rules.evolve import evolve, initial_state
from referee.rules.legality import default_action, legal_actions
from referee.rules.observe import observe, observe_public, view
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from referee.rules.shuffling import Shuffler
from referee.rules.state import Phase, State
from tests.properties.worlds import random_match

_TRIES = 12
_LONGEST = 50


class Shuffle(NamedTuple):
    """Names one shuffle of a match."""

    label: str
    round: int
    number: int


_CUT = Shuffle("cut", 0, 0)


class Place(NamedTuple):
    """Names one card of a match by where it lay after a shuffle."""

    shuffle: Shuffle
    place: int


class Orders:
    """Gives fixed orders, and those of another shuffler, once and for all, for what is not among them."""

    def __init__(self, orders: dict[Shuffle, tuple[Card, ...]], others: Shuffler) -> None:
        self.orders = orders
        self._others = others

    def cut(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return self._keep(_CUT, self._others.cut(cards))

    def deck(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return self._keep(Shuffle("deck", round, 0), self._others.deck(round, cards))

    def opening_block(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return self._keep(Shuffle("block", round, 0), self._others.opening_block(round, cards))

    def recycled(self, round: int, number: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return self._keep(Shuffle("recycle", round, number), self._others.recycled(round, number, cards))

    def _keep(self, shuffle: Shuffle, order: tuple[Card, ...]) -> tuple[Card, ...]:
        return self.orders.setdefault(shuffle, order)


@dataclass(frozen=True, slots=True)
class Step:
    """Is one action of a match; one that `expires` is what the rules do for a seat that is silent."""

    seat: Seat
    action: Action
    expires: bool
    next_seat: Seat | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Holds two worlds with the steps that lead through both.

    The observer is a seat, or None for one who only watches. `hands_differ` says whether hands that it does not see
    are different at the end, `piles_differ` the same of the draw pile.
    """

    seed: int
    observer: Seat | None
    ruleset: Ruleset
    worlds: tuple[Orders, Orders]
    steps: tuple[Step, ...]
    first_seat: Seat
    hands_differ: bool
    piles_differ: bool


class Sight:
    """Follows each card from its place in a shuffle, and notes the places of those that an observer sees."""

    def __init__(self, orders: Orders, observer: Seat | None) -> None:
        self.seen: set[Place] = set()
        self._orders = orders.orders
        self._observer = observer
        self._round = self._recycles = 0
        self._draw: list[Place | None] = []
        self._hands: tuple[list[Place | None], list[Place | None]] = ([], [])
        self._cards: dict[Place | None, Card] = {}
        self._offered: Place | None = None

    def follow(self, event: Event) -> None:
        match event.fact:
            case RoundStarted(round, _):
                self._round, self._recycles = round, 0
                self._draw, self._hands = self._places(Shuffle("deck", round, 0), 0), ([], [])
            case DraftOffered(seat):
                self._offered = self._out(seat)
            case DraftDone(seat, kept_first, _):
                offered, following = self._offered, self._draw.pop()
                kept, shown = (offered, following) if kept_first else (following, offered)
                self._enter(seat, kept)
                self._show(shown)
            case StarterTurned(_, draw_count):
                self._draw[:0] = self._places(Shuffle("block", self._round, 0), draw_count + 1 - len(self._draw))
                self._show(self._draw.pop())
            case CardsPlayed(seat, cards):
                self._show_hand(seat, list(cards), leave=True)
            case CardsDrawn(seat, count):
                for _ in range(count):
                    self._enter(seat, self._out(seat))
            case Recycled(count):
                self._recycles += 1
                self._draw[:0] = self._places(Shuffle("recycle", self._round, self._recycles), count)
            case Challenged(seat, _):
                if seat is self._observer:
                    self._show_hand(seat.other, list(event.private_cards), leave=False)
            case RoundEnded():
                for place in (*self._hands[0], *self._hands[1]):
                    self._show(place)
            case _:
                pass

    def _places(self, shuffle: Shuffle, count: int) -> list[Place | None]:
        """Returns the places of a shuffle, the next card out last; cards that were only turned over have none."""
        order = self._orders.get(shuffle)
        if order is None:
            return [None] * count
        places = [Place(shuffle, index) for index in range(len(order))]
        self._cards.update(zip(places, order, strict=True))
        return [*reversed(places)]

    def _out(self, seat: Seat) -> Place | None:
        place = self._draw.pop()
        if seat is self._observer:
            self._show(place)
        return place

    def _enter(self, seat: Seat, place: Place | None) -> None:
        self._hands[seat].append(place)
        if seat is self._observer:
            self._show(place)

    def _show(self, place: Place | None) -> None:
        if place is not None:
            self.seen.add(place)

    def _show_hand(self, seat: Seat, cards: list[Card], *, leave: bool) -> None:
        hand = self._hands[seat]
        for place in [*hand]:
            card = self._cards.get(place)
            if card in cards:
                cards.remove(card)
                self._show(place)
                if leave:
                    hand.remove(place)
        for _ in cards if leave else ():
            hand.remove(None)


def pairs(first_seed: int, count: int, observer: Seat | None) -> Iterator[Pair]:
    """Yields so many pairs for an observer, from the random matches with this seed and up."""
    seed = first_seed
    while count:
        pair = _pair(seed, observer)
        seed += 1
        if pair is not None:
            yield pair
            count -= 1


def _pair(seed: int, observer: Seat | None) -> Pair | None:
    match, random = random_match(seed), Random(f"pair {seed}")
    here = Orders({}, match.shuffler)
    state = match.state = initial_state(match.state.ruleset, here)
    sight = Sight(here, observer)
    told = [_apply(state, begin(state), observer, sight)]
    first_seat, steps = state.actor, []
    for _ in range(random.randrange(1, _LONGEST)):
        seat, expires = state.actor, random.random() < 0.04
        action = default_action(state) if expires else match.bots[seat](match.random, state, legal_actions(state))
        told.append(_apply(state, decide(state, seat, action), observer, sight))
        is_over = state.phase is Phase.MATCH_OVER
        steps.append(Step(seat, action, expires, None if is_over else state.actor))
        if is_over:
            break
    for number in range(_TRIES):
        there = Orders(_exchanged(here.orders, sight.seen, random, thorough=number < _TRIES // 2), match.shuffler)
        twin = initial_state(state.ruleset, there)
        differ = any(there.orders[shuffle] != here.orders[shuffle] for shuffle in here.orders if shuffle != _CUT)
        if differ and _is_same(twin, steps, told, observer):
            hidden = [other for other in Seat if other is not observer]
            hands = any(twin.hands[other] != state.hands[other] for other in hidden)
            return Pair(
                seed, observer, state.ruleset, (here, there), tuple(steps), first_seat, hands, twin.draw != state.draw
            )
    return None


def _apply(state: State, events: list[Event], observer: Seat | None, sight: Sight | None) -> list[object]:
    """Applies the events of one entry and returns what the observer sees of them and knows then."""
    told: list[object] = []
    for event in events:
        told.append(observe(event, observer) if observer is not None else observe_public(event))
        evolve(state, event)
        if sight is not None:
            sight.follow(event)
    if observer is not None:
        told.append(view(state, observer))
        told.append(legal_actions(state) if state.actor is observer else ())
    return told


def _is_same(state: State, steps: list[Step], told: list[list[object]], observer: Seat | None) -> bool:
    if _apply(state, begin(state), observer, None) != told[0]:
        return False
    for step, expected in zip(steps, told[1:], strict=True):
        try:
            events = decide(state, step.seat, step.action)
        except IllegalAction:
            return False
        if _apply(state, events, observer, None) != expected:
            return False
    return True


def _exchanged(
    orders: dict[Shuffle, tuple[Card, ...]], seen: set[Place], random: Random, *, thorough: bool
) -> dict[Shuffle, tuple[Card, ...]]:
    """Returns the orders with the cards that nobody has seen in other places: all of them, or only a few."""
    changed = {}
    for shuffle, order in orders.items():
        hidden = _behind_the_cut(order) if shuffle == _CUT else range(len(order))
        places = [index for index in hidden if Place(shuffle, index) not in seen]
        if not thorough:
            places = random.sample(places, min(len(places), 4))
        cards = [order[index] for index in places]
        random.shuffle(cards)
        after = list(order)
        for index, card in zip(places, cards, strict=True):
            after[index] = card
        changed[shuffle] = tuple(after)
    return changed


def _behind_the_cut(order: tuple[Card, ...]) -> range:
    """Returns the places behind the pair that decides the cut."""
    pairs_cut = zip(order[::2], order[1::2], strict=True)
    decided = next((place for place, (one, other) in enumerate(pairs_cut) if one.points != other.points), None)
    return range(len(order) if decided is None else 2 * decided + 2, len(order))
