import pytest

from referee.adjudication.clocks import allowed_ms, bank_after, is_expired, over_ms, used_ms
from referee.adjudication.terms import LARGEST_BANK_MS, TimeControl

CONTROL = TimeControl(limit_ms=1000, bank_ms=500, increment_ms=30, margin_ms=20)


@pytest.mark.parametrize(
    ("elapsed", "credit", "used", "over"),
    [
        (0, 0, 0, 0),
        (999, 0, 999, 0),
        (1000, 0, 1000, 0),
        (1001, 0, 1001, 1),
        (1300, 200, 1100, 100),
        (1300, 300, 1000, 0),
        (100, 300, 0, 0),
    ],
)
def test_time_used_excludes_the_delay_of_the_referee(elapsed: int, credit: int, used: int, over: int) -> None:
    assert used_ms(elapsed, credit) == used
    assert over_ms(CONTROL, elapsed, credit) == over


@pytest.mark.parametrize(
    ("bank", "elapsed", "credit", "expired"),
    [
        (500, 1520, 0, False),
        (500, 1521, 0, True),
        (500, 1521, 1, False),
        (0, 1020, 0, False),
        (0, 1021, 0, True),
        (0, 1030, 10, False),
        (0, 1031, 10, True),
    ],
)
def test_decision_expires_after_the_last_allowed_millisecond(
    bank: int, elapsed: int, credit: int, expired: bool
) -> None:
    assert is_expired(CONTROL, bank, elapsed, credit) is expired
    assert (used_ms(elapsed, credit) > allowed_ms(CONTROL, bank)) is expired


@pytest.mark.parametrize(
    ("bank", "elapsed", "credit", "after"),
    [
        (500, 0, 0, 530),
        (500, 1000, 0, 530),
        (500, 1001, 0, 529),
        (500, 1500, 0, 30),
        (500, 1520, 0, 30),
        (500, 1500, 100, 130),
        (0, 1020, 0, 30),
    ],
)
def test_bank_pays_for_time_over_the_limit_and_the_margin_is_free(
    bank: int, elapsed: int, credit: int, after: int
) -> None:
    assert bank_after(CONTROL, bank, elapsed, credit) == after


def test_bank_never_grows_past_a_day() -> None:
    control = TimeControl(bank_ms=LARGEST_BANK_MS, increment_ms=3_600_000)
    assert bank_after(control, LARGEST_BANK_MS, 0, 0) == LARGEST_BANK_MS
