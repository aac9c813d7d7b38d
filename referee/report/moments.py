"""The moments of a match that one looks for: challenges, catches, dumps and volleys."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from referee.adjudication.rulings import Ruling
from referee.report.names import counted
from referee.rules.cards import Symbol
from referee.rules.events import CardsDrawn, CardsPlayed, Challenged, DrawReason, Fact, RoundStarted, UnoWindowClosed
from referee.rules.seats import Seat


class MomentKind(Enum):
    """Names the kinds (RULES.md R8, R9, R7, R6)."""

    CHALLENGE = "challenge"
    CATCH = "catch"
    DUMP = "dump"
    VOLLEY = "volley"


@dataclass(frozen=True, slots=True)
class Moment:
    """Holds where a moment is, by the place of its event among those given, whose it is, and what it is in words.

    `size` counts the cards of a dump and the Draw Twos of a volley; `won` tells how a challenge ended; a catch has a
    size of 0 and is won.
    """

    kind: MomentKind
    place: int
    seat: Seat
    text: str
    size: int = 0
    won: bool = True


def moments(facts: Iterable[Fact | Ruling | None]) -> list[Moment]:
    """Returns the moments in their order; None stands for what is no event, such as a refused try.

    A volley is told from two Draw Twos on, by the seat and at the place of its first.
    """
    found: list[Moment] = []
    volley: list[tuple[int, Seat]] = []
    for place, fact in enumerate(facts):
        match fact:
            case Challenged():
                text = f"{fact.seat.name} challenges: {'a bluff' if fact.guilty else 'no bluff'}"
                found.append(Moment(MomentKind.CHALLENGE, place, fact.seat, text, won=fact.guilty))
            case UnoWindowClosed(caught=True):
                text = f"{fact.seat.name} catches {fact.seat.other.name} without UNO"
                found.append(Moment(MomentKind.CATCH, place, fact.seat, text))
            case CardsPlayed():
                if len(fact.cards) > 1:
                    text = f"{fact.seat.name} dumps {counted(len(fact.cards), 'card')}"
                    found.append(Moment(MomentKind.DUMP, place, fact.seat, text, len(fact.cards)))
                if fact.cards and fact.cards[-1].symbol is Symbol.DRAW_TWO:
                    volley.append((place, fact.seat))
            case CardsDrawn(reason=DrawReason.DRAW_TWO | DrawReason.FINAL) | RoundStarted():
                found += _ended(volley)
                volley = []
            case _:
                pass
    found += _ended(volley)
    return sorted(found, key=lambda moment: moment.place)


def _ended(volley: list[tuple[int, Seat]]) -> list[Moment]:
    if len(volley) < 2:
        return []
    place, seat = volley[0]
    return [Moment(MomentKind.VOLLEY, place, seat, f"{seat.name} opens a volley of {len(volley)}", len(volley))]
