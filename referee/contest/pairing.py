"""Two players that meet, and the seats that a mirrored pair of matches gives them."""

from dataclasses import dataclass
from enum import IntEnum

from referee.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Pairing:
    """Holds two players by their places in the tournament's list, from 0; scores are told of `first`."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise ValueError(f"player {self.first} cannot meet itself")

    @property
    def players(self) -> tuple[int, int]:
        """The two players, the first one first."""
        return self.first, self.second


class Half(IntEnum):
    """Names a match of a mirrored pair; the value is its byte in the derivation of a bot seed."""

    FIRST = 1
    SECOND = 2

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The seats of the pairing's first and second player: A and B, exchanged in the second half."""
        return (Seat.A, Seat.B) if self is Half.FIRST else (Seat.B, Seat.A)
