"""How a match ended (outcome.proto)."""

from typing import Final

from unoduo.v1 import outcome_pb2 as pb

from referee.codec.enums import SEATS, TERMINATIONS
from referee.codec.errors import join
from referee.codec.wire import Field, bytes_field
from referee.rules.outcome import Outcome

_WINNER: Final = Field(1)
_TERMINATION: Final = Field(2)
_TOTAL_A: Final = Field(3)
_TOTAL_B: Final = Field(4)
_ROUNDS: Final = Field(5)
_FAULTED: Final = bytes_field(6)


def decode_outcome(message: pb.Outcome, path: str = "outcome") -> Outcome:
    """Returns the outcome that a message holds.

    Raises:
        Malformed: for no termination, or a number that names no seat or termination.
    """
    return Outcome(
        SEATS.decode_optional(message.winner, join(path, "winner")),
        TERMINATIONS.decode(message.termination, join(path, "termination")),
        (message.total_a, message.total_b),
        message.rounds,
        SEATS.decode_all(message.faulted, join(path, "faulted")),
    )


def encode_outcome(outcome: Outcome) -> pb.Outcome:
    """Returns a new message of the outcome."""
    return pb.Outcome.FromString(outcome_bytes(outcome))


def outcome_bytes(outcome: Outcome) -> bytes:
    """Returns the serialised message of the outcome, as it is signed and sealed."""
    return b"".join(
        (
            _WINNER[SEATS.numbers[outcome.winner]],
            _TERMINATION[TERMINATIONS.numbers[outcome.termination]],
            _TOTAL_A[outcome.totals[0]],
            _TOTAL_B[outcome.totals[1]],
            _ROUNDS[outcome.rounds],
            _FAULTED(bytes(SEATS.numbers[seat] for seat in outcome.faulted)),
        )
    )
