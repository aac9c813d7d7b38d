"""The words in which reports speak of cards, seats and results."""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from referee.rules.cards import Card, Color, Symbol
from referee.rules.outcome import Outcome, Termination

_TERMINATIONS: Final = MappingProxyType(
    {
        Termination.TARGET: "target reached",
        Termination.ROUND_CAP: "last round played",
        Termination.TIMEOUT: "out of time",
        Termination.ILLEGAL_ACTION: "too many rejected tries",
        Termination.DISCONNECT: "away for too long",
        Termination.NO_SHOW: "never joined",
        Termination.RESIGNATION: "resigned",
        Termination.VOID_ORGANISER: "called off by the organiser",
        Termination.VOID_REFEREE: "the referee failed",
    }
)


def color_name(color: Color) -> str:
    """Returns the color in lower case, such as `blue`."""
    return color.name.lower()


def card_name(card: Card) -> str:
    """Returns the face in words, such as `Red 5`, `Blue Draw Two` or `Wild`."""
    symbol = str(card.symbol.value) if card.symbol <= Symbol.NINE else card.symbol.name.replace("_", " ").title()
    return symbol if card.color is None else f"{card.color.name.title()} {symbol}"


def card_list(cards: Iterable[Card]) -> str:
    """Returns the faces in the order given, separated by commas; `nothing` for no card."""
    return ", ".join(card_name(card) for card in cards) or "nothing"


def counted(count: int, noun: str) -> str:
    """Returns a number with its noun, such as `1 card` or `3 cards`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def printable(text: str) -> str:
    """Returns a text from outside with everything that could steer a terminal replaced by `?`."""
    return "".join(character if character.isprintable() else "?" for character in text)


def termination_name(termination: Termination) -> str:
    """Returns the cause of the end of a match in a few words."""
    return _TERMINATIONS[termination]


def outcome_text(outcome: Outcome) -> str:
    """Returns the result in one line, such as `A wins, 45 to 210 points (target reached, 3 rounds)`.

    Points are those of seat A, then seat B; the fewest win (`RULES.md R12.2`).
    """
    verdict = "nobody wins" if outcome.winner is None else f"{outcome.winner.name} wins"
    cause = termination_name(outcome.termination)
    if outcome.faulted:
        cause = f"{' and '.join(seat.name for seat in outcome.faulted)}: {cause}"
    points_a, points_b = outcome.totals
    return f"{verdict}, {points_a} to {points_b} points ({cause}, {counted(outcome.rounds, 'round')})"
