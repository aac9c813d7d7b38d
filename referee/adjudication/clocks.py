"""The arithmetic of time: whole milliseconds in, whole milliseconds out (PROTOCOL.md, "Clocks")."""

from referee.adjudication.terms import LARGEST_BANK_MS, TimeControl


def used_ms(elapsed_ms: int, lag_credit_ms: int) -> int:
    """Returns the time that counts against the seat: what elapsed without the delay of the referee."""
    return max(0, elapsed_ms - lag_credit_ms)


def over_ms(time_control: TimeControl, elapsed_ms: int, lag_credit_ms: int) -> int:
    """Returns by how much the limit of the decision was exceeded, which the bank pays for."""
    return max(0, used_ms(elapsed_ms, lag_credit_ms) - time_control.limit_ms)


def allowed_ms(time_control: TimeControl, bank_ms: int) -> int:
    """Returns the longest time that a seat with this bank may use for a decision."""
    return time_control.limit_ms + bank_ms + time_control.margin_ms


def is_expired(time_control: TimeControl, bank_ms: int, elapsed_ms: int, lag_credit_ms: int) -> bool:
    """Returns whether the decision is lost on time; the last allowed millisecond is still in time."""
    return used_ms(elapsed_ms, lag_credit_ms) > allowed_ms(time_control, bank_ms)


def bank_after(time_control: TimeControl, bank_ms: int, elapsed_ms: int, lag_credit_ms: int) -> int:
    """Returns the bank after a decision answered in time.

    It pays for the time over the limit, as far as it reaches (the margin is free), and grows by the increment, to a day
    at most, so that it never leaves the range that a time control can name.
    """
    kept_ms = max(0, bank_ms - over_ms(time_control, elapsed_ms, lag_credit_ms))
    return min(kept_ms + time_control.increment_ms, LARGEST_BANK_MS)
