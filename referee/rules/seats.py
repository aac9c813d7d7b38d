"""The two seats of a match (RULES.md R2)."""

from enum import IntEnum
from typing import Final


class Seat(IntEnum):
    """Represents one of the two seats; its value is the index into every pair of the engine."""

    other: "Seat"

    A = 0
    B = 1


# Plain attributes instead of a property: the engine asks for the other seat several times per action.
Seat.A.other = Seat.B
Seat.B.other = Seat.A

SEATS: Final = (Seat.A, Seat.B)
