"""A replay as a story: what one observer saw, a line an event."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum

from referee.adjudication.rulings import MatchEvent
from referee.codec.entries import Entry
from referee.codec.headers import Header
from referee.report.names import printable
from referee.report.text import Sentence, describe, describe_action
from referee.rules.cards import Card
from referee.rules.events import Event
from referee.rules.observe import observe, observe_public
from referee.rules.ruleset import DUO, VARIANTS, Ruleset
from referee.rules.seats import Seat


class Observer(Enum):
    """Names who looks at a replay: everybody sees the public parts, a seat its private parts too, the auditor all."""

    SEAT_A = "A"
    SEAT_B = "B"
    SPECTATOR = "spectator"
    AUDITOR = "auditor"

    @property
    def seat(self) -> Seat | None:
        """Returns the seat that looks, None for the others."""
        return {Observer.SEAT_A: Seat.A, Observer.SEAT_B: Seat.B}.get(self)


@dataclass(frozen=True, slots=True)
class Line:
    """Holds one event or one refused try as it is told.

    `sequence` and `event` are None for a try. `private_cards` are those that the observer saw.
    """

    entry: int
    sentence: Sentence
    sequence: int | None = None
    event: MatchEvent | None = None
    private_cards: tuple[Card, ...] = ()


def tell(entry: Entry, observer: Observer) -> Iterator[Line]:
    """Yields the lines of an entry as the observer saw them: first the tries that he knows of, then the events.

    A refused try is known to its seat and to the auditor (`RULES.md R13.3`).
    """
    for attempt in entry.tries:
        if observer is Observer.AUDITOR or observer.seat is attempt.seat:
            text = f"{attempt.seat.name} wants to {describe_action(attempt.action)}: refused"
            yield Line(entry.index, Sentence(text, printable(attempt.clause)))
    for sequence, event in enumerate(entry.events, entry.first_sequence):
        cards = _private_cards(event, observer)
        fact = event.fact if isinstance(event, Event) else event
        yield Line(entry.index, describe(fact, cards), sequence, event, cards)


def introduction(header: Header) -> list[str]:
    """Returns what was agreed before the match, a line each."""
    player_a, player_b = (printable(player.name) for player in header.players)
    clock = header.time_control
    return [
        f"match {header.match_number} ({header.match_id.hex()}), created {printable(header.created)}",
        f"{player_a} (A) against {player_b} (B)",
        f"rules {ruleset_text(header.ruleset)}; {clock.limit_ms} ms a decision; deal {header.deal_mode.name.lower()}",
    ]


def ruleset_text(ruleset: Ruleset) -> str:
    """Returns a ruleset as the name of its variant, or as `duo` with what differs from it (`RULES.md R15`)."""
    for name, variant in VARIANTS.items():
        if ruleset == variant:
            return f"{name}, to {ruleset.target} points"
    changes = [
        f"{field.name} {_option_text(getattr(ruleset, field.name))}"
        for field in fields(ruleset)
        if getattr(ruleset, field.name) != getattr(DUO, field.name)
    ]
    return f"duo with {', '.join(changes)}"


def _option_text(value: Enum | int) -> str:
    return value.name if isinstance(value, Enum) else str(value)


def _private_cards(event: MatchEvent, observer: Observer) -> tuple[Card, ...]:
    if not isinstance(event, Event):
        return ()
    if observer is Observer.AUDITOR:
        return event.private_cards
    seen = observe_public(event) if observer.seat is None else observe(event, observer.seat)
    return seen.private_cards
