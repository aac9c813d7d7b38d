"""Given a state, when a seat acts, then these events follow or the action is refused."""

from referee.rules.actions import Action
from referee.rules.decide import decide
from referee.rules.errors import IllegalAction, Reason
from referee.rules.events import CardsDrawn, Event, Fact
from referee.rules.evolve import evolve
from referee.rules.seats import Seat
from referee.rules.state import Phase, State
from tests.rules.positions import cards, color


def snapshot(state: State) -> tuple[object, ...]:
    """Returns all that a state holds as a value that later changes do not touch."""
    pending = state.pending
    return (
        state.phase,
        state.actor,
        state.round,
        state.first_drafter,
        state.totals,
        tuple(state.draw),
        tuple(state.discard),
        tuple(state.hands[0]),
        tuple(state.hands[1]),
        state.color,
        state.seen,
        (pending.by, pending.symbol, pending.total, repr(pending.evidence)) if pending else None,
        state.free_color,
        state.next_turn,
        state.turns,
        state.stall,
        state.recycles,
        state.known_tail,
        state.outcome,
    )


class Given:
    """A state in which somebody decides, and the events of the action that led to it."""

    def __init__(self, state: State, events: list[Event]) -> None:
        self.state = state
        self.events = events

    def when(self, seat: Seat, action: Action) -> "When":
        return When(self.state, seat, action)

    def asks(self, phase: Phase, seat: Seat) -> "Given":
        assert (self.state.phase, self.state.actor) == (phase, seat)
        assert (self.state.seen is not None) is (phase in (Phase.DRAFT, Phase.DRAWN))
        return self

    def holds(self, seat: Seat, hand: str) -> "Given":
        assert tuple(self.state.hands[seat]) == tuple(sorted(cards(hand)))
        return self

    def piles(self, discard: str, draw: str) -> "Given":
        """Compares the discard pile, oldest first, and the draw pile, next card out first."""
        assert tuple(self.state.discard) == cards(discard)
        assert tuple(self.state.draw[::-1]) == cards(draw)
        return self

    def in_force(self, named: str, free: str | None = None) -> "Given":
        assert (self.state.color, self.state.free_color) == (color(named), color(free))
        return self

    def due(self, total: int) -> "Given":
        assert self.state.pending is not None
        assert self.state.pending.total == total
        return self

    def took(self, seat: Seat, drawn: str) -> "Given":
        """Compares the cards that the last action made the seat draw."""
        draws = [event for event in self.events if isinstance(event.fact, CardsDrawn) and event.fact.seat is seat]
        assert [card for event in draws for card in event.private_cards] == list(cards(drawn))
        assert all(event.private_to is seat for event in draws)
        return self


class When:
    """An action of a seat, judged but not yet compared with what is expected."""

    def __init__(self, state: State, seat: Seat, action: Action) -> None:
        self._state = state
        self._events: list[Event] = []
        self._reason: Reason | None = None
        before = snapshot(state)
        try:
            self._events = decide(state, seat, action)
        except IllegalAction as error:
            self._reason = error.reason
        assert snapshot(state) == before, "decide changed the state"

    def rejected(self, reason: Reason) -> Given:
        assert self._reason is reason
        return Given(self._state, [])

    def accepted(self) -> Given:
        assert self._reason is None
        for event in self._events:
            evolve(self._state, event)
        return Given(self._state, self._events)

    def then(self, *expected: Event | Fact) -> Given:
        """Compares all events; a bare fact leaves the private part of its event open."""
        assert self._reason is None
        got = [
            event if isinstance(wanted, Event) else event.fact
            for event, wanted in zip(self._events, expected, strict=True)
        ]
        assert got == list(expected)
        return self.accepted()


def given(state: State) -> Given:
    return Given(state, [])


def private(fact: Fact, to: Seat, shown: str) -> Event:
    """Returns an event with a private part."""
    return Event(fact, cards(shown), to)
