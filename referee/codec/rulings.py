"""Rulings of the referee as messages (event.proto, `deal_sealed` to `voided`)."""

from typing import Final, assert_never

from unoduo.v1 import event_pb2 as pb

from referee.adjudication.rulings import (
    ClockReading,
    DealSealed,
    Forfeited,
    Resigned,
    Resumed,
    Ruling,
    TimedOut,
    Voided,
)
from referee.codec.enums import RESUME_REASONS, SEATS, TERMINATIONS
from referee.codec.errors import join
from referee.codec.wire import Field, bytes_field, message_field

# Fields of the kinds, named by their numbers: each arm below follows its message in event.proto line by line.
_U1, _U2, _U3, _U4, _U5 = (Field(number) for number in range(1, 6))
_B1: Final = bytes_field(1)
_B2: Final = bytes_field(2)
_CLAUSE: Final = message_field(3)
_CLOCK: Final = message_field(4)
_ABSENCE_MS: Final = Field(5, present=True)

_DEAL_SEALED: Final = message_field(16)
_TIMED_OUT: Final = message_field(17)
_FORFEITED: Final = message_field(18)
_RESIGNED: Final = message_field(19)
_RESUMED: Final = message_field(20)
_VOIDED: Final = message_field(21)


def ruling_bytes(ruling: Ruling) -> bytes:
    """Returns the serialised message Event of a ruling."""
    if isinstance(ruling, TimedOut):
        counts = _U2[ruling.strikes] + _U3[ruling.default_taken]
        return _TIMED_OUT(_U1[SEATS.numbers[ruling.seat]] + counts)
    if isinstance(ruling, DealSealed):
        return _DEAL_SEALED(_B1(ruling.entropy_1) + _B2(ruling.entropy_2))
    if isinstance(ruling, Forfeited):
        seat_and_fault = _U1[SEATS.numbers[ruling.seat]] + _U2[TERMINATIONS.numbers[ruling.termination]]
        return _FORFEITED(seat_and_fault + _judged_on(ruling.judged_on))
    if isinstance(ruling, Resigned):
        return _RESIGNED(_U1[SEATS.numbers[ruling.seat]])
    if isinstance(ruling, Resumed):
        return _RESUMED(_U1[RESUME_REASONS.numbers[ruling.reason]])
    if isinstance(ruling, Voided):
        return _VOIDED(_U1[TERMINATIONS.numbers[ruling.termination]] + _B2(ruling.reason.encode()))
    assert_never(ruling)


def _judged_on(evidence: str | ClockReading | int | None) -> bytes:
    if evidence is None:
        return b""
    if isinstance(evidence, str):
        return _CLAUSE(evidence.encode())
    if isinstance(evidence, int):
        return _ABSENCE_MS[evidence]
    times = _U1[evidence.elapsed_ms] + _U2[evidence.lag_credit_ms] + _U3[evidence.limit_ms]
    return _CLOCK(times + _U4[evidence.bank_ms] + _U5[evidence.margin_ms])


def decode_ruling(message: pb.Event, path: str) -> Ruling | None:
    """Returns the ruling that a message holds, None if it holds another kind or none.

    Raises:
        Malformed: naming, below `path`, the field that is unset or has an unknown number.
    """
    kind = message.WhichOneof("kind")
    here = join(path, kind or "kind")
    match kind:
        case "deal_sealed":
            return DealSealed(message.deal_sealed.entropy_1, message.deal_sealed.entropy_2)
        case "timed_out":
            timed_out = message.timed_out
            seat = SEATS.decode(timed_out.seat, f"{here}.seat")
            return TimedOut(seat, timed_out.strikes, timed_out.default_taken)
        case "forfeited":
            forfeited = message.forfeited
            seat = SEATS.decode(forfeited.seat, f"{here}.seat")
            termination = TERMINATIONS.decode(forfeited.termination, f"{here}.termination")
            return Forfeited(seat, termination, _decode_judged_on(forfeited))
        case "resigned":
            return Resigned(SEATS.decode(message.resigned.seat, f"{here}.seat"))
        case "resumed":
            return Resumed(RESUME_REASONS.decode(message.resumed.reason, f"{here}.reason"))
        case "voided":
            termination = TERMINATIONS.decode(message.voided.termination, f"{here}.termination")
            return Voided(termination, message.voided.reason)
        case _:
            return None


def _decode_judged_on(message: pb.Forfeited) -> str | ClockReading | int | None:
    match message.WhichOneof("judged_on"):
        case "clause":
            return message.clause
        case "clock":
            clock = message.clock
            return ClockReading(clock.elapsed_ms, clock.lag_credit_ms, clock.limit_ms, clock.bank_ms, clock.margin_ms)
        case "absence_ms":
            return message.absence_ms
        case _:
            return None
